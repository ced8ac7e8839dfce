/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTRACE_TRACEFS_H
#define _UTRACE_TRACEFS_H

struct dentry;

struct dentry *utrace_tracefs_dir(void);

#endif /* _UTRACE_TRACEFS_H */
