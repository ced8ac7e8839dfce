/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading user memory for a report.
 */
#ifndef _UTRACE_CAPTURE_H
#define _UTRACE_CAPTURE_H

#include <linux/types.h>
#include <linux/utrace.h>
#include "table.h"

/**
 * struct utrace_capture - the pieces of one report
 * @data: pieces, one behind the other, see struct utrace_piece
 * @used: bytes of them
 * @size: bytes there is room for
 * @kept: @data is one of the buffers that CPUs keep
 */
struct utrace_capture {
	char	*data;
	u32	used;
	u32	size;
	bool	kept;
};

void utrace_capture_prepare(void);
void utrace_capture_in(struct utrace_capture *cap,
		       const struct utrace_call *desc,
		       const struct utrace_syscall *call);
void utrace_capture_out(struct utrace_capture *cap,
			const struct utrace_call *desc,
			const struct utrace_syscall *call);
void utrace_capture_end(struct utrace_capture *cap);

#endif /* _UTRACE_CAPTURE_H */
