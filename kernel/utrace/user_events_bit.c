// SPDX-License-Identifier: GPL-2.0
/*
 * Writing one bit of a program's memory, from whatever task.
 *
 * The word is written through the kernel's own mapping of its page, which is
 * pinned for that, under the program's mmap_lock: a fork copies it before or
 * after, not meanwhile.
 */
#include <linux/atomic.h>
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include "compat.h"
#include "limits.h"
#include "user_events.h"

static bool word_has_bit(const struct uevent_bit *bit, const void *word)
{
	if (bit->size == sizeof(u32))
		return atomic_read((const atomic_t *)word) & BIT(bit->nr);
	return atomic64_read((const atomic64_t *)word) & BIT_ULL(bit->nr);
}

/* The program may change other bits of the word at the same time. */
static void word_set_bit(const struct uevent_bit *bit, void *word)
{
	bool on = READ_ONCE(bit->want);

	if (bit->size == sizeof(u32)) {
		if (on)
			atomic_or(BIT(bit->nr), word);
		else
			atomic_andnot(BIT(bit->nr), word);
	} else {
		if (on)
			atomic64_or(BIT_ULL(bit->nr), word);
		else
			atomic64_andnot(BIT_ULL(bit->nr), word);
	}
}

/* Words are naturally aligned: they lie in one page. */
static void *map_word(struct page *page, const struct uevent_bit *bit)
{
	return kmap_local_page(page) + offset_in_page(bit->addr);
}

/*
 * Write the bit if its page is there; under mmap_lock.  Without @wait only
 * into anonymous and shared memory, whose pages nobody outside of the kernel
 * keeps locked.
 */
static bool write_present(struct mm_struct *mm, const struct uevent_bit *bit,
			  bool wait, struct page **page)
{
	void *word;

	if (utrace_pin_page(mm, bit->addr, FOLL_WRITE | FOLL_NOFAULT,
			    page) != 1) {
		*page = NULL;
		return false;
	}
	if (!wait && !folio_test_swapbacked(page_folio(*page)))
		return false;
	word = map_word(*page, bit);
	word_set_bit(bit, word);
	kunmap_local(word);
	return true;
}

/**
 * uevent_bit_try_write - make a bit what it is to be, without waiting
 * @mm: whose, with mm_users held
 * @bit: the bit
 *
 * Return: false if that takes a page fault, or somebody holds mmap_lock.
 */
bool uevent_bit_try_write(struct mm_struct *mm, const struct uevent_bit *bit)
{
	struct page *page;
	bool done;

	if (!mmap_read_trylock(mm))
		return false;
	done = write_present(mm, bit, false, &page);
	mmap_read_unlock(mm);
	if (page)
		unpin_user_pages_dirty_lock(&page, 1, done);
	return done;
}

/**
 * uevent_bit_write - make a bit what it is to be
 * @mm: whose, with mm_users held
 * @bit: the bit
 *
 * Context: process; waits for the page, as long as the program lets it.
 * Return: 0; -EINTR if killed; -EFAULT or another errno if the page cannot be
 * had.
 */
int uevent_bit_write(struct mm_struct *mm, const struct uevent_bit *bit)
{
	unsigned int tries;
	struct page *page;
	bool unlocked, done;
	int ret;

	for (tries = 0; tries < UTRACE_UEVENT_FAULTS_MAX; tries++) {
		ret = mmap_read_lock_killable(mm);
		if (ret)
			return ret;
		done = write_present(mm, bit, true, &page);
		unlocked = false;
		if (!done)
			ret = fixup_user_fault(mm, bit->addr,
					       FAULT_FLAG_WRITE |
					       FAULT_FLAG_REMOTE, &unlocked);
		mmap_read_unlock(mm);
		if (page)
			unpin_user_pages_dirty_lock(&page, 1, done);
		if (done || ret)
			return ret;
		cond_resched();
	}
	return -EFAULT;
}

/**
 * uevent_bit_is_right - is a bit what it is to be?
 * @mm: whose, with mm_users held
 * @bit: the bit
 *
 * Return: true only if that can be seen without waiting.
 */
bool uevent_bit_is_right(struct mm_struct *mm, const struct uevent_bit *bit)
{
	struct page *page;
	bool right = false;
	void *word;

	if (!mmap_read_trylock(mm))
		return false;
	/* Not pinned: what a fork shares cannot be, without a fault. */
	if (utrace_get_page(mm, bit->addr, FOLL_NOFAULT, &page) == 1) {
		word = map_word(page, bit);
		right = word_has_bit(bit, word) == READ_ONCE(bit->want);
		kunmap_local(word);
		put_page(page);
	}
	mmap_read_unlock(mm);
	return right;
}
