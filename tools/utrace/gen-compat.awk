# SPDX-License-Identifier: GPL-2.0
# "#define __NR_open 5" to "{ 5, "open" }," in the order of the numbers.

$1 == "#define" && $2 ~ /^__NR_[a-z_]/ && $3 ~ /^[0-9]+$/ {
	name[$3 + 0] = substr($2, 6)
	if ($3 + 0 > last)
		last = $3 + 0
}

END {
	for (i = 0; i <= last; i++)
		if (i in name)
			printf "{ %d, \"%s\" },\n", i, name[i]
}
