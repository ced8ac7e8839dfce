// SPDX-License-Identifier: GPL-2.0
/* What syscalls.tbl says about each system call, and sets of calls. */
#include <regex.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "util.h"

const struct call calls[] = {
#include "syscalls.inc"
};

const size_t calls_count = ARRAY_SIZE(calls);

#define HASH_SLOTS	1024	/* over twice the calls there are */

static short slots[HASH_SLOTS];	/* index + 1 */

static unsigned int hash(const char *s)
{
	unsigned int h = 5381;

	while (*s)
		h = h * 33 + (unsigned char)*s++;
	return h % HASH_SLOTS;
}

static void build_hash(void)
{
	unsigned int h;
	size_t i;

	_Static_assert(ARRAY_SIZE(calls) * 2 < HASH_SLOTS, "enlarge HASH_SLOTS");
	for (i = 0; i < calls_count; i++) {
		h = hash(calls[i].name);
		while (slots[h])
			h = (h + 1) % HASH_SLOTS;
		slots[h] = i + 1;
	}
}

const struct call *call_by_name(const char *name)
{
	static bool built;
	unsigned int h;

	if (!built)
		build_hash();
	built = true;
	for (h = hash(name); slots[h]; h = (h + 1) % HASH_SLOTS)
		if (!strcmp(calls[slots[h] - 1].name, name))
			return &calls[slots[h] - 1];
	return NULL;
}

unsigned int call_classes(const struct call *c)
{
	unsigned int classes = c->classes;
	int i;

	for (i = 0; i < c->nargs; i++) {
		if (c->args[i].show == SHOW_path)
			classes |= CLASS(file);
		if (c->args[i].show == SHOW_fd || c->args[i].show == SHOW_dirfd)
			classes |= CLASS(desc);
	}
	if (c->ret == RET_fd)
		classes |= CLASS(desc);
	return classes;
}

struct compat_entry {
	int nr;
	const char *name;
};

static const struct compat_entry compat_calls[] = {
#include "compat.inc"
	{ -1, NULL }
};

const char *compat_name(int nr)
{
	const struct compat_entry *e;

	for (e = compat_calls; e->name; e++)
		if (e->nr == nr)
			return e->name;
	return NULL;
}

/* ---- sets ---- */

static const struct {
	const char *word;
	unsigned int classes;
} class_words[] = {
	{ "%file", CLASS(file) }, { "file", CLASS(file) },
	{ "%desc", CLASS(desc) }, { "desc", CLASS(desc) },
	{ "%process", CLASS(process) }, { "process", CLASS(process) },
	{ "%network", CLASS(network) }, { "%net", CLASS(network) },
	{ "network", CLASS(network) },
	{ "%signal", CLASS(signal) }, { "signal", CLASS(signal) },
	{ "%memory", CLASS(memory) }, { "memory", CLASS(memory) },
	{ "%ipc", CLASS(ipc) }, { "ipc", CLASS(ipc) },
	{ "%creds", CLASS(creds) }, { "%clock", CLASS(clock) },
	{ "%pure", CLASS(pure) },
	{ "%stat", CLASS(stat) }, { "%lstat", CLASS(lstat) },
	{ "%fstat", CLASS(fstat) }, { "%%stat", CLASS(stat_like) },
	{ "%statfs", CLASS(statfs) }, { "%fstatfs", CLASS(fstatfs) },
	{ "%%statfs", CLASS(statfs_like) },
};

static void clear_set(struct call_set *set)
{
	if (!set->want)
		set->want = xcalloc(calls_count, sizeof(*set->want));
	memset(set->want, 0, calls_count * sizeof(*set->want));
	set->other = false;
	set->all = false;
}

void call_set_all(struct call_set *set)
{
	clear_set(set);
	memset(set->want, 1, calls_count * sizeof(*set->want));
	set->other = true;
	set->all = true;
}

static bool add_regex(struct call_set *set, const char *pattern)
{
	bool found = false;
	regex_t re;
	size_t i;

	if (regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB))
		return false;
	for (i = 0; i < calls_count; i++) {
		if (regexec(&re, calls[i].name, 0, NULL, 0))
			continue;
		set->want[i] = true;
		found = true;
	}
	regfree(&re);
	return found;
}

static bool add_word(struct call_set *set, const char *word)
{
	const struct call *c;
	size_t i, j;

	if (!strcmp(word, "all")) {
		call_set_all(set);
		return true;
	}
	if (*word == '/')
		return add_regex(set, word + 1);
	for (i = 0; i < ARRAY_SIZE(class_words); i++) {
		if (strcmp(word, class_words[i].word))
			continue;
		for (j = 0; j < calls_count; j++)
			if (call_classes(&calls[j]) & class_words[i].classes)
				set->want[j] = true;
		return true;
	}
	c = call_by_name(word);
	if (!c)
		return false;
	set->want[call_index(c)] = true;
	return true;
}

static void invert(struct call_set *set)
{
	size_t i;

	for (i = 0; i < calls_count; i++)
		set->want[i] = !set->want[i];
	set->other = !set->other;
	set->all = false;
}

const char *call_set_parse(struct call_set *set, const char *list)
{
	static char *copy;
	char *word, *rest;
	bool negate = false;
	bool optional;

	clear_set(set);
	free(copy);
	copy = xstrdup(list);
	rest = copy;
	while (*rest == '!') {
		negate = !negate;
		rest++;
	}
	if (!strcmp(rest, "none")) {
		if (negate)
			call_set_all(set);
		return NULL;
	}
	if (!*rest)
		return rest;
	while ((word = strsep(&rest, ","))) {
		optional = *word == '?';
		if (optional)
			word++;
		if (!*word && rest)
			continue;
		if (!add_word(set, word) && !optional)
			return word;
	}
	if (negate)
		invert(set);
	return NULL;
}
