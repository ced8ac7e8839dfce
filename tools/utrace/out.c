// SPDX-License-Identifier: GPL-2.0
/* The trace being written: text that knows its column. */
#include <stdarg.h>
#include <string.h>

#include "out.h"

#define OUT_BUFFER_BYTES	(256 * 1024)

static FILE *file;
static unsigned int column;

void out_init(FILE *f)
{
	file = f;
	column = 0;
	setvbuf(f, NULL, _IOFBF, OUT_BUFFER_BYTES);
}

void out_char(char c)
{
	putc_unlocked(c, file);
	column++;
}

void out_mem(const char *s, size_t len)
{
	fwrite_unlocked(s, 1, len, file);
	column += len;
}

void out_str(const char *s)
{
	out_mem(s, strlen(s));
}

void out_dec(long long n)
{
	unsigned long long u = n < 0 ? -(unsigned long long)n : (unsigned long long)n;
	char text[24], *p = text + sizeof(text);

	do {
		*--p = '0' + u % 10;
		u /= 10;
	} while (u);
	if (n < 0)
		*--p = '-';
	out_mem(p, text + sizeof(text) - p);
}

void out_hex(unsigned long long n)
{
	char text[24], *p = text + sizeof(text);

	if (!n) {
		out_char('0');
		return;
	}
	for (; n; n >>= 4)
		*--p = "0123456789abcdef"[n & 15];
	*--p = 'x';
	*--p = '0';
	out_mem(p, text + sizeof(text) - p);
}

void out_fmt(const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vfprintf(file, fmt, ap);
	va_end(ap);
	if (n > 0)
		column += n;
}

void out_newline(void)
{
	putc_unlocked('\n', file);
	column = 0;
}

unsigned int out_column(void)
{
	return column;
}

void out_pad(unsigned int to)
{
	while (column < to)
		out_char(' ');
}

int out_flush(void)
{
	return fflush(file) == 0;
}
