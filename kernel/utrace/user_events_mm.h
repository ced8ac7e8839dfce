/* SPDX-License-Identifier: GPL-2.0 */
/* What task life tells user events; empty without them. */
#ifndef _UTRACE_USER_EVENTS_MM_H
#define _UTRACE_USER_EVENTS_MM_H

struct task_struct;

#ifdef CONFIG_UTRACE_USER_EVENTS
void utrace_uevents_clone(struct task_struct *child);
void utrace_uevents_exec(void);
void utrace_uevents_exit(void);
void utrace_uevents_want(int add);
#else
static inline void utrace_uevents_clone(struct task_struct *child) { }
static inline void utrace_uevents_exec(void) { }
static inline void utrace_uevents_exit(void) { }
static inline void utrace_uevents_want(int add) { }
#endif

#endif /* _UTRACE_USER_EVENTS_MM_H */
