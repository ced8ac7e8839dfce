// SPDX-License-Identifier: GPL-2.0
/*
 * user_events_status: as text, who listens to which event; mapped, the page
 * in which programs of the two older interfaces see whether to write.
 *
 * The first interface gave an event a byte, whose bits say who listens; the
 * second (6.1) a little-endian bit.  Both look at the same page, so a byte
 * of it is one event's byte, or eight events' bits, as it is asked for:
 *
 *	kind	number	promises
 *	byte	b	byte b is non-zero while somebody listens
 *	bit	n	bit n % 8 of byte n / 8 is set likewise
 *	pair	n	both: to a 32-bit program the two structures have the
 *			same size, and which number it means nobody can tell
 *
 * Bits are given from the page's beginning, bytes from its end.  Number 0 is
 * given to nobody.  All under uevents_lock; programs only read.
 */
#include <linux/bitmap.h>
#include <linux/fs.h>
#include <linux/gfp.h>
#include <linux/init.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/tracefs.h>
#include "compat.h"
#include "user_events.h"

#define PAGE_BYTES	4096
#define PAGE_BITS	(8 * PAGE_BYTES)

static u8 *page;

/* Bits in use; all eight of a byte that is one event's. */
static DECLARE_BITMAP(used, PAGE_BITS);

static bool byte_is_free(u32 byte)
{
	return find_next_bit(used, 8 * byte + 8, 8 * byte) == 8 * byte + 8;
}

static bool bit_is_free(u32 bit)
{
	return !test_bit(bit, used);
}

/**
 * uevent_give_byte - give an event a byte of its own
 * @event: the event
 *
 * Context: process, like all here that give numbers.
 * Return: its number, the same one each time; -EMFILE if there is none left.
 */
int uevent_give_byte(struct uevent *event)
{
	int ret = -EMFILE;
	u32 byte;

	mutex_lock(&uevents_lock);
	for (byte = PAGE_BYTES - 1; !event->status_byte && byte; byte--) {
		if (byte_is_free(byte)) {
			bitmap_set(used, 8 * byte, 8);
			event->status_byte = byte;
		}
	}
	if (event->status_byte)
		ret = event->status_byte;
	mutex_unlock(&uevents_lock);
	uevent_update_page(event);
	return ret;
}

/* Likewise a bit. */
int uevent_give_bit(struct uevent *event)
{
	int ret = -EMFILE;
	u32 bit;

	mutex_lock(&uevents_lock);
	if (!event->status_bit) {
		bit = find_next_zero_bit(used, PAGE_BITS, 8);
		if (bit < PAGE_BITS) {
			set_bit(bit, used);
			event->status_bit = bit;
		}
	}
	if (event->status_bit)
		ret = event->status_bit;
	mutex_unlock(&uevents_lock);
	uevent_update_page(event);
	return ret;
}

/* Likewise a number that serves as both. */
int uevent_give_pair(struct uevent *event)
{
	int ret = -EMFILE;
	u32 nr;

	mutex_lock(&uevents_lock);
	for (nr = PAGE_BYTES - 1; !event->status_pair && nr >= 8; nr--) {
		if (byte_is_free(nr) && bit_is_free(nr)) {
			bitmap_set(used, 8 * nr, 8);
			set_bit(nr, used);
			event->status_pair = nr;
		}
	}
	if (event->status_pair)
		ret = event->status_pair;
	mutex_unlock(&uevents_lock);
	uevent_update_page(event);
	return ret;
}

static void show_byte(u32 byte, u8 value)
{
	WRITE_ONCE(page[byte], value);
}

static void show_bit(u32 bit, bool on)
{
	u8 mask = 1 << (bit % 8);

	show_byte(bit / 8, on ? page[bit / 8] | mask : page[bit / 8] & ~mask);
}

static void show(const struct uevent *event, u8 status)
{
	lockdep_assert_held(&uevents_lock);
	if (event->status_byte)
		show_byte(event->status_byte, status);
	if (event->status_bit)
		show_bit(event->status_bit, status);
	if (event->status_pair) {
		show_byte(event->status_pair, status);
		show_bit(event->status_pair, status);
	}
}

/**
 * uevent_update_page - show programs an event's state
 * @event: its status or its numbers have changed
 */
void uevent_update_page(struct uevent *event)
{
	mutex_lock(&uevents_lock);
	/* Whoever changes it comes here afterwards. */
	show(event, READ_ONCE(event->status));
	mutex_unlock(&uevents_lock);
}

/**
 * uevent_drop_numbers - take an event's numbers back
 * @event: it is being removed
 */
void uevent_drop_numbers(struct uevent *event)
{
	mutex_lock(&uevents_lock);
	show(event, 0);
	if (event->status_byte)
		bitmap_clear(used, 8 * event->status_byte, 8);
	if (event->status_bit)
		clear_bit(event->status_bit, used);
	if (event->status_pair) {
		bitmap_clear(used, 8 * event->status_pair, 8);
		clear_bit(event->status_pair, used);
	}
	event->status_byte = 0;
	event->status_bit = 0;
	event->status_pair = 0;
	mutex_unlock(&uevents_lock);
}

static int status_show(struct seq_file *m, void *unused)
{
	unsigned int active = 0, busy = 0;
	struct dyn_event *pos;
	struct uevent *event;

	mutex_lock(&event_mutex);
	for_each_dyn_event(pos) {
		if (!uevent_is_ours(pos))
			continue;
		event = container_of(pos, struct uevent, dyn);
		active++;
		seq_puts(m, event->full_name);
		if (event->status) {
			busy++;
			seq_printf(m, " # Used by%s%s%s",
				   event->status & UEVENT_FTRACE ? " ftrace" : "",
				   event->status & UEVENT_PERF ? " perf" : "",
				   event->status & UEVENT_OTHER ? " other" : "");
		}
		seq_putc(m, '\n');
	}
	mutex_unlock(&event_mutex);
	seq_printf(m, "\nActive: %u\nBusy: %u\n", active, busy);
	return 0;
}

static int status_open(struct inode *inode, struct file *file)
{
	return single_open(file, status_show, NULL);
}

static int status_mmap(struct file *file, struct vm_area_struct *vma)
{
	if (vma->vm_pgoff || vma->vm_end - vma->vm_start != PAGE_SIZE)
		return -EINVAL;
	if (vma->vm_flags & VM_WRITE)
		return -EPERM;
	/* Nor later, by mprotect(). */
	utrace_vm_flags_clear(vma, VM_MAYWRITE);
	return remap_pfn_range(vma, vma->vm_start, virt_to_phys(page) >> PAGE_SHIFT,
			       PAGE_SIZE, vma->vm_page_prot);
}

static const struct file_operations status_fops = {
	.owner		= THIS_MODULE,
	.open		= status_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
	.mmap		= status_mmap,
};

int __init uevent_status_init(void)
{
	/* A page of its own: programs see all of it. */
	page = (u8 *)get_zeroed_page(GFP_KERNEL);
	if (!page)
		return -ENOMEM;
	return tracefs_create_file("user_events_status", 0440, NULL, NULL,
				   &status_fops) ? 0 : -ENODEV;
}
