# SPDX-License-Identifier: GPL-2.0
#
# Compile syscalls.tbl for the kernel (-v mode=kernel) or for the utrace
# command (-v mode=tool, and -v mode=kinds for the words its lines may use).
# Plain POSIX awk: runs under mawk, busybox and gawk.
#
# Every mistake in the table is reported as FILE:LINE: what is wrong, and makes
# the exit status nonzero; what was printed until then is not to be used.

function bad(what)
{
	printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"
	errors++
}

function is_name(s)
{
	return s ~ /^[A-Za-z_][A-Za-z0-9_]*$/
}

# "in(count)" -> "count", "out(ret,size)" -> "ret,size"
function inside(s)
{
	sub(/^[a-z]*\(/, "", s)
	sub(/\)$/, "", s)
	return s
}

function index_of(name, n,    i)
{
	for (i = 1; i <= n; i++)
		if (arg_name[i] == name)
			return i - 1
	return -1
}

# One "name:kind[:show]" word; fills arg_*[i].
function parse_arg(word, i,    part, n, seen)
{
	n = split(word, part, ":")
	if (n < 2 || n > 3 || part[1] == "" || part[2] == "" ||
	    (n == 3 && part[3] == "")) {
		bad("argument '" word "' is not NAME:KIND or NAME:KIND:SHOW")
		return
	}
	arg_name[i] = part[1]
	arg_kind[i] = part[2]
	arg_show[i] = n == 3 ? part[3] : ""
	if (!is_name(part[1]))
		bad("argument name '" part[1] "' is not an identifier")
	if (part[1] in reserved || part[1] ~ /^(__|common_)/)
		bad("argument name '" part[1] "' is taken by trace events")
	for (seen = 1; seen < i; seen++)
		if (arg_name[seen] == part[1])
			bad("two arguments named '" part[1] "'")
}

# What argument i is for the kernel: sets arg_class[i] and arg_len[i].
function classify(i, n,    k, in_word, part, parts)
{
	k = arg_kind[i]
	arg_class[i] = "VALUE"
	arg_len[i] = 0
	arg_cap[i] = -1
	if (k == "path" || k == "str") {
		arg_class[i] = "STRING"
	} else if (k == "strv") {
		arg_class[i] = "VECTOR"
	} else if (k ~ /^in\(.*\)$/) {
		arg_class[i] = "IN"
		in_word = inside(k)
		arg_len[i] = index_of(in_word, n)
		if (arg_len[i] < 0)
			bad("no argument '" in_word "' to take the length of '" \
			    arg_name[i] "' from")
		if (arg_len[i] == i - 1)
			bad("'" arg_name[i] "' cannot be its own length")
		k = "in"
	} else if (k ~ /^out\(.*\)$/) {
		arg_class[i] = "OUT"
		parts = split(inside(k), part, ",")
		if (parts < 1 || parts > 2 || part[1] != "ret")
			bad("'" arg_kind[i] "': only out(ret) and out(ret,SIZE)")
		else if (parts == 2) {
			arg_cap[i] = index_of(part[2], n)
			if (arg_cap[i] < 0)
				bad("no argument '" part[2] "' to bound '" \
				    arg_name[i] "' by")
		}
		k = "out"
	} else if (!(k in value_kind)) {
		bad("unknown kind '" k "' of argument '" arg_name[i] "'")
	}
	if (arg_show[i] != "") {
		if (arg_class[i] == "VALUE")
			bad("'" arg_name[i] "': only buffers have a third part")
		else if (!(arg_show[i] in show_kind))
			bad("unknown presentation '" arg_show[i] "' of '" \
			    arg_name[i] "'")
		k = arg_show[i]
	}
	arg_show[i] = k
}

function emit_kernel(name, n,    i, len)
{
	if (arch == "")
		printf "#ifdef __NR_%s\n", name
	else
		printf "#if defined(__NR_%s) && defined(%s)\n", name, config[arch]
	printf "[__NR_%s] = { .name = \"%s\", .nargs = %d, .args = {\n", name, name, n
	for (i = 1; i <= n; i++) {
		len = (arg_class[i] == "OUT" && arg_cap[i] > 0) ? arg_cap[i] : arg_len[i]
		printf "\t{ \"%s\", UTRACE_ARG_%s, %d, %d },\n", arg_name[i],
		       arg_class[i], len,
		       len && arg_kind[len + 1] ~ /^u?int$/
	}
	printf "} },\n#endif\n"
}

function emit_tool(name, ret, n, classes,    i)
{
	if (arch != "")
		printf "#ifdef %s\n", macro[arch]
	printf "{ \"%s\", RET_%s, %d, %s, {\n", name, ret, n, classes == "" ? "0" : classes
	for (i = 1; i <= n; i++)
		printf "\t{ \"%s\", ARG_%s, SHOW_%s, %d },\n", arg_name[i],
		       arg_class[i], arg_show[i],
		       arg_class[i] == "OUT" ? arg_cap[i] : arg_class[i] == "IN" ? arg_len[i] : -1
	printf "} },\n"
	if (arch != "")
		printf "#endif\n"
}

BEGIN {
	# Fields every event has, and names event filters give a meaning.
	split("ret cpu CPU comm COMM stacktrace STACKTRACE", word, " ")
	for (w in word)
		reserved[word[w]] = 1
	config["x86"] = "CONFIG_X86"
	config["arm64"] = "CONFIG_ARM64"
	macro["x86"] = "__x86_64__"
	macro["arm64"] = "__aarch64__"
	if (mode != "kernel" && mode != "tool" && mode != "kinds") {
		print "gen-syscalls.awk: use -v mode=kernel, tool or kinds" > "/dev/stderr"
		errors = 1
		exit 1
	}
	banner = "/* Generated from syscalls.tbl by gen-syscalls.awk; edit those. */"
	print banner
}

{
	sub(/#.*/, "")
}

NF == 0 {
	next
}

# Directives: the words the lines below may use.
$1 == "values" || $1 == "shows" || $1 == "returns" || $1 == "classes" {
	for (w = 2; w <= NF; w++) {
		if (!is_name($w))
			bad("'" $w "' is not an identifier")
		else if ($1 == "values")
			value_kind[$w] = 1
		else if ($1 == "shows")
			show_kind[$w] = 1
		else if ($1 == "returns")
			return_kind[$w] = 1
		else
			class_name[$w] = 1
		if (mode == "kinds")
			kinds[$1] = kinds[$1] " X(" $w ")"
	}
	next
}

{
	before = errors
	classes = ""
	arch = ""
	split("", class_seen)
	n = 0
	if (!is_name($1))
		bad("'" $1 "' is not the name of a system call")
	if (NF < 2)
		bad("'" $1 "' has no return kind")
	else if (!($2 in return_kind))
		bad("unknown return kind '" $2 "' of '" $1 "'")
	for (w = 3; w <= NF; w++) {
		if ($w ~ /^%/) {
			class = substr($w, 2)
			if (!(class in class_name))
				bad("unknown class '" $w "'")
			else if (!(class in class_seen)) {
				class_seen[class] = 1
				classes = classes (classes == "" ? "" : " | ") "CLASS(" class ")"
			}
		} else if ($w ~ /^@/) {
			arch = substr($w, 2)
			if (!(arch in config))
				bad("unknown architecture '" $w "'")
		} else {
			parse_arg($w, ++n)
		}
	}
	if (n > 6)
		bad("'" $1 "' has " n " arguments, more than 6")
	if (errors != before)
		next
	if (($1, arch) in defined || ($1, "") in defined ||
	    (arch == "" && $1 in any_arch)) {
		bad("'" $1 "' is already in the table")
		next
	}
	for (w = 1; w <= n; w++)
		classify(w, n)
	if (errors != before)
		next
	defined[$1, arch] = 1
	any_arch[$1] = 1
	calls++
	if (mode == "kernel")
		emit_kernel($1, n)
	else if (mode == "tool")
		emit_tool($1, $2, n, classes)
}

END {
	if (!errors && !calls) {
		print "gen-syscalls.awk: the table has no system call" > "/dev/stderr"
		errors = 1
	}
	if (errors)
		exit 1
	if (mode == "kinds") {
		print "#define SHOW_KINDS(X)" kinds["values"] kinds["shows"]
		print "#define RET_KINDS(X)" kinds["returns"]
		print "#define CLASS_NAMES(X)" kinds["classes"]
	}
}
