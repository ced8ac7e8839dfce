// SPDX-License-Identifier: GPL-2.0
/*
 * Control, quote, backslash, high and UTF-8 bytes in a path
 * FROM: raspberrypi/linux#6752, falcosecurity/falco#2126
 * WHY: every byte 1..255 but '/' is legal in a name; replacing them by dots
 * or question marks loses the name.  Octal takes 3 places before 0-7 only.
 * EXPECT: openat\(AT_FDCWD, "tab\\tnl\\nq\\"bs\\\\cr\\rff\\fvt\\v", O_RDONLY\)
 * EXPECT: openat\(AT_FDCWD, "\\1\\0012\\33\\339\\0337\\177", O_RDONLY\)
 * EXPECT: openat\(AT_FDCWD, "caf\\303\\251-\\342\\202\\254", O_RDONLY\)
 * EXPECT: openat\(AT_FDCWD, "\\1\\2\\3\\4\\5\\6\\7\\10\\t\\n\\v\\f\\r\\16\\17.*\\36\\37 !\\"#.*\[\\\\\].*~\\177\\200\\201.*\\376\\377", O_RDONLY\)
 */
#include <err.h>
#include <fcntl.h>
#include <unistd.h>

static void try(const char *s)
{
	if (openat(AT_FDCWD, s, O_RDONLY) != -1)
		errx(1, "exists");
}

int main(void)
{
	char all[256];
	int c, n = 0;

	for (c = 1; c < 256; c++)
		if (c != '/')
			all[n++] = c;
	all[n] = '\0';
	try("tab\tnl\nq\"bs\\cr\rff\fvt\v");
	try("\1\0012\33\0339\0337\177");
	try("caf\303\251-\342\202\254");
	try(all);
	return 0;
}
