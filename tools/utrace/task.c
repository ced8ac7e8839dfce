// SPDX-License-Identifier: GPL-2.0
/* What is known of each traced task. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "task.h"
#include "util.h"

#define TASK_CHAINS	4096	/* a power of two */

static struct task *chains[TASK_CHAINS];
static unsigned int counted;

static struct task **slot_of(int tid)
{
	struct task **p = &chains[(unsigned int)tid % TASK_CHAINS];

	while (*p && (*p)->tid != tid)
		p = &(*p)->next;
	return p;
}

struct task *task_find(int tid)
{
	return *slot_of(tid);
}

struct task *task_get(int tid)
{
	struct task **p = slot_of(tid);

	if (!*p) {
		*p = xcalloc(1, sizeof(**p));
		(*p)->tid = tid;
	}
	return *p;
}

void task_forget(int tid)
{
	struct task **p = slot_of(tid);
	struct task *t = *p;

	if (!t)
		return;
	*p = t->next;
	if (t->counted)
		counted--;
	free(t);
}

struct task *task_renumber(int old_tid, int tid)
{
	struct task **p, *t;

	task_forget(tid);
	p = slot_of(old_tid);
	t = *p;
	if (!t)
		return task_get(tid);
	*p = t->next;
	t->tid = tid;
	p = slot_of(tid);
	t->next = NULL;
	*p = t;
	return t;
}

void task_count(struct task *t)
{
	if (!t->counted)
		counted++;
	t->counted = true;
}

unsigned int tasks_count(void)
{
	return counted;
}

void tasks_each(void (*fn)(struct task *t))
{
	struct task *t, *next;
	int i;

	for (i = 0; i < TASK_CHAINS; i++) {
		for (t = chains[i]; t; t = next) {
			next = t->next;
			fn(t);
		}
	}
}

const char *task_comm(struct task *t)
{
	char path[40];
	FILE *f;

	if (t->comm[0])
		return t->comm;
	snprintf(path, sizeof(path), "/proc/%d/comm", t->tid);
	f = fopen(path, "re");
	if (f) {
		if (fgets(t->comm, sizeof(t->comm), f))
			t->comm[strcspn(t->comm, "\n")] = '\0';
		fclose(f);
	}
	return t->comm[0] ? t->comm : "?";
}
