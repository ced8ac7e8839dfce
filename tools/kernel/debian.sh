# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # one script's variables in another
# Packages of Debian suites this machine is not set up for, through a private
# apt state under the cache: nothing of the machine's own apt is changed.  The
# site is the one the machine already uses; signatures are checked with the
# debian-archive keyring.  Sourced after lib.sh.

keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# newest last; a suite a site does not carry is only a warning
other_suites='oldstable oldstable-backports stable stable-backports testing unstable experimental'
other_security='oldstable-security stable-security'

# apt_site LABEL	the site from which the machine takes Debian, or Debian-Security
apt_site()
{
	# shellcheck disable=SC2016 # for apt to expand
	apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(SITE)' 'Created-By: Packages' |
		awk -F'|' -v label="$1" '$1 == "Debian" && $2 == label { print $3; exit }'
}

# apt_codename		this machine's release
apt_codename()
{
	# shellcheck disable=SC1091 # there on every Debian
	(. /etc/os-release && echo "${VERSION_CODENAME:?}")
}

# apt_state NAME ARCH SUITES SECURITY_SUITES [STATUS]
# makes $UTRACE_CACHE/apt/NAME and leaves its configuration's path in apt_conf
apt_state()
{
	local dir=$UTRACE_CACHE/apt/$1 arch=$2 suite site
	[ -r "$keyring" ] || die "$keyring is missing" "apt-get install debian-archive-keyring"
	mkdir -p "$dir"/{lists/partial,cache/archives/partial}
	apt_conf=$dir/apt.conf
	[ -e "$dir/status" ] || : > "$dir/status"
	replace "$apt_conf" <<-END
		Dir::Etc::sourcelist "$dir/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		Dir::Etc::preferences "/dev/null";
		Dir::Etc::preferencesparts "/dev/null";
		Dir::State::lists "$dir/lists";
		Dir::State::status "${5:-$dir/status}";
		Dir::Cache "$dir/cache";
		Dir::Cache::archives "archives/";
		Dir::Cache::pkgcache "pkgcache.bin";
		Dir::Cache::srcpkgcache "srcpkgcache.bin";
		#clear APT::Architectures;
		APT::Architecture "$arch";
		APT::Architectures { "$arch"; };
		APT::Sandbox::User "root";
		#clear APT::Update::Post-Invoke;
		#clear APT::Update::Post-Invoke-Success;
		#clear DPkg::Post-Invoke;
		#clear Acquire::Languages;
		Acquire::Languages { "none"; };
		Debug::NoLocking "true";
	END
	{
		site=$(apt_site Debian)
		[ -n "$site" ] || die "apt knows no site for Debian (apt-get indextargets)"
		for suite in $3; do
			echo "deb [signed-by=$keyring target=Packages] $site $suite main"
		done
		site=$(apt_site Debian-Security)
		for suite in ${site:+$4}; do
			echo "deb [signed-by=$keyring target=Packages] $site $suite main"
		done
	} | replace "$dir/sources.list"
}

# apt_update		of the state made last; once a day is enough
apt_update()
{
	local dir=${apt_conf%/*}
	if [ -n "$(find "$dir/updated" -newer "$dir/sources.list" -mtime -1 2>/dev/null)" ]; then
		return
	fi
	say "reading the package lists of $(awk '{ printf "%s ", $5 }' "$dir/sources.list")(10 s or so)"
	apt-get -c "$apt_conf" -q update > "$dir/update.log" 2>&1 ||
		[ -n "$(ls "$dir"/lists/*_Packages* 2>/dev/null)" ] ||
		die "apt-get update failed:" "$(tail -n 5 "$dir/update.log")"
	: > "$dir/updated"
}

# apt_download DIR ARGS	apt-get download into DIR
apt_download()
{
	local dir=$1
	shift
	(cd "$dir" && apt-get -o APT::Sandbox::User=root -q "$@" >&2)
}
