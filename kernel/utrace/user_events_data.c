// SPDX-License-Identifier: GPL-2.0
/*
 * user_events_data: what programs register, unregister, delete and write.
 *
 * Each open file has a table of the events registered through it; a write
 * begins with an index into it.  The table only grows, and is replaced as a
 * whole, so that writers read it under RCU; its events are held until the
 * file is released, which no write outlives.
 */
#define pr_fmt(fmt) "utrace: " fmt

#include <linux/capability.h>
#include <linux/compat.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracefs.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <uapi/linux/utrace_user_events.h>
#include "limits.h"
#include "user_events.h"

struct table {
	struct rcu_head	rcu;
	unsigned int	nr;
	struct uevent	*event[];
};

/**
 * struct data_file - an open user_events_data
 * @lock: held while an event is registered
 * @table: its events, by write index
 * @by_page: all of them registered by an interface whose programs look into
 *	user_events_status's page: they may write without looking
 */
struct data_file {
	struct mutex		lock;	/* of registering */
	struct table __rcu	*table;
	bool			by_page;
};

static struct table *table_of(struct data_file *df)
{
	return rcu_dereference_protected(df->table, lockdep_is_held(&df->lock));
}

/* The event's index; takes a reference if it gets a new one. */
static int add_event(struct data_file *df, struct uevent *event)
{
	struct table *old = table_of(df), *new;
	unsigned int i, nr = old ? old->nr : 0;

	for (i = 0; i < nr; i++)
		if (old->event[i] == event)
			return i;
	new = kzalloc(struct_size(new, event, nr + 1), GFP_KERNEL_ACCOUNT);
	if (!new)
		return -ENOMEM;
	if (old)
		memcpy(new->event, old->event, nr * sizeof(*new->event));
	uevent_ref(event);
	new->event[nr] = event;
	new->nr = nr + 1;
	rcu_assign_pointer(df->table, new);
	if (old)
		kfree_rcu(old, rcu);
	return nr;
}

/* Pointers of 32-bit programs come extended in one way or the other. */
static unsigned long user_address(u64 value)
{
	return in_compat_syscall() ? (u32)value : value;
}

static struct uevent *get_event(u64 name_args, unsigned int how)
{
	struct uevent *event;
	char *text;

	text = strndup_user((const char __user *)user_address(name_args),
			    UTRACE_UEVENT_TEXT_MAX_BYTES);
	if (IS_ERR(text))
		return ERR_CAST(text);
	if (in_compat_syscall())
		how |= UEVENT_GET_COMPAT;
	event = uevent_get(text, how);
	kfree(text);
	return event;
}

/*
 * Programs of the older interfaces take events to stay until they are
 * deleted.  Those that may have that get it.
 */
static unsigned int how_by_page(void)
{
	return UEVENT_GET_FLAGS | (perfmon_capable() ? UEVENT_GET_PERSIST : 0);
}

static long reg_byte(struct data_file *df, struct utrace_user_reg_byte __user *arg)
{
	struct utrace_user_reg_byte reg;
	struct uevent *event;
	int byte, index;

	if (copy_from_user(&reg, arg, sizeof(reg)))
		return -EFAULT;
	event = get_event(reg.name_args, how_by_page());
	if (IS_ERR(event))
		return PTR_ERR(event);
	byte = uevent_give_byte(event);
	index = byte < 0 ? byte : add_event(df, event);
	uevent_put(event);
	if (index < 0)
		return index;
	return put_user(byte, &arg->status_index) ?:
	       put_user(index, &arg->write_index);
}

static long reg_bit(struct data_file *df, struct utrace_user_reg_bit __user *arg)
{
	struct utrace_user_reg_bit reg;
	struct uevent *event;
	int bit, index;

	if (copy_from_user(&reg, arg, sizeof(reg)))
		return -EFAULT;
	event = get_event(reg.name_args, how_by_page());
	if (IS_ERR(event))
		return PTR_ERR(event);
	bit = in_compat_syscall() ? uevent_give_pair(event) :
				    uevent_give_bit(event);
	index = bit < 0 ? bit : add_event(df, event);
	uevent_put(event);
	if (index < 0)
		return index;
	return put_user(bit, &arg->status_bit) ?:
	       put_user(index, &arg->write_index);
}

static int check_reg(const struct utrace_user_reg *reg)
{
	unsigned long addr = user_address(reg->enable_addr);

	if (reg->flags & ~(UTRACE_USER_EVENT_PERSIST |
			   UTRACE_USER_EVENT_MULTI_FORMAT))
		return -EINVAL;
	if (reg->enable_size != sizeof(u32) && reg->enable_size != sizeof(u64))
		return -EINVAL;
	if (reg->enable_bit >= 8 * reg->enable_size ||
	    !IS_ALIGNED(addr, reg->enable_size))
		return -EINVAL;
	return access_ok((void __user *)addr, reg->enable_size) ? 0 : -EFAULT;
}

static long reg_addr(struct data_file *df, struct utrace_user_reg __user *arg,
		     u32 size)
{
	struct utrace_user_reg reg;
	struct uevent *event;
	unsigned int how = 0;
	unsigned long addr;
	int ret, index;

	ret = copy_struct_from_user(&reg, sizeof(reg), arg, size);
	if (!ret)
		ret = check_reg(&reg);
	if (ret)
		return ret;
	if (reg.flags & UTRACE_USER_EVENT_PERSIST)
		how |= UEVENT_GET_PERSIST;
	if (reg.flags & UTRACE_USER_EVENT_MULTI_FORMAT)
		how |= UEVENT_GET_MULTI;
	event = get_event(reg.name_args, how);
	if (IS_ERR(event))
		return PTR_ERR(event);

	addr = user_address(reg.enable_addr);
	ret = uevent_enable(event, addr, reg.enable_size, reg.enable_bit);
	if (!ret) {
		index = add_event(df, event);
		ret = index < 0 ? index : put_user(index, &arg->write_index);
		if (ret)
			uevent_disable(addr, reg.enable_bit);
	}
	uevent_put(event);
	return ret;
}

static long ioctl_reg(struct data_file *df, void __user *arg)
{
	long ret;
	u32 size;

	if (get_user(size, (u32 __user *)arg))
		return -EFAULT;
	if (size > PAGE_SIZE)
		return -E2BIG;
	ret = mutex_lock_killable(&df->lock);
	if (ret)
		return ret;
	if (size == sizeof(struct utrace_user_reg_bit))
		ret = reg_bit(df, arg);
	else if (size == sizeof(struct utrace_user_reg_byte))
		ret = reg_byte(df, arg);
	else if (size >= sizeof(struct utrace_user_reg))
		ret = reg_addr(df, arg, size);
	else
		ret = -EINVAL;
	if (!ret && size >= sizeof(struct utrace_user_reg))
		WRITE_ONCE(df->by_page, false);
	mutex_unlock(&df->lock);
	return ret;
}

static long ioctl_unreg(void __user *arg)
{
	struct utrace_user_unreg unreg;
	u32 size;
	int ret;

	if (get_user(size, (u32 __user *)arg))
		return -EFAULT;
	if (size > PAGE_SIZE)
		return -E2BIG;
	if (size < sizeof(unreg))
		return -EINVAL;
	ret = copy_struct_from_user(&unreg, sizeof(unreg), arg, size);
	if (ret)
		return ret;
	if (unreg.__reserved || unreg.__reserved2)
		return -EINVAL;
	return uevent_disable(user_address(unreg.disable_addr),
			      unreg.disable_bit);
}

static long ioctl_del(void __user *arg)
{
	char *name = strndup_user(arg, UTRACE_UEVENT_TEXT_MAX_BYTES);
	long ret;

	if (IS_ERR(name))
		return PTR_ERR(name);
	ret = uevent_delete(name);
	kfree(name);
	return ret;
}

/* A 32-bit program's numbers carry the size of its pointers. */
static unsigned int native_number(unsigned int cmd)
{
	if (_IOC_SIZE(cmd) != sizeof(u32))
		return cmd;
	return (cmd & ~IOCSIZE_MASK) | sizeof(void *) << IOCSIZE_SHIFT;
}

static long do_ioctl(struct file *file, unsigned int cmd, void __user *arg)
{
	switch (native_number(cmd)) {
	case UTRACE_USER_EVENT_REG:
		return ioctl_reg(file->private_data, arg);
	case UTRACE_USER_EVENT_DEL:
		return ioctl_del(arg);
	case UTRACE_USER_EVENT_UNREG:
		return ioctl_unreg(arg);
	default:
		return -ENOTTY;
	}
}

static long data_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return do_ioctl(file, cmd, (void __user *)arg);
}

#ifdef CONFIG_COMPAT
static long data_compat_ioctl(struct file *file, unsigned int cmd,
			      unsigned long arg)
{
	return do_ioctl(file, cmd, compat_ptr(arg));
}
#endif

/* The file is open, and holds it. */
static struct uevent *find_event(struct data_file *df, unsigned int index)
{
	struct uevent *event = NULL;
	struct table *table;

	rcu_read_lock();
	table = rcu_dereference(df->table);
	if (table && index < table->nr)
		event = table->event[array_index_nospec(index, table->nr)];
	rcu_read_unlock();
	return event;
}

static ssize_t data_write_iter(struct kiocb *iocb, struct iov_iter *from)
{
	struct data_file *df = iocb->ki_filp->private_data;
	ssize_t count = iov_iter_count(from);
	struct uevent *event;
	int index, ret;

	if (iocb->ki_pos || !copy_from_iter_full(&index, sizeof(index), from))
		return -EFAULT;
	if (index < 0)
		return -EINVAL;
	event = find_event(df, index);
	if (!event)
		return -ENOENT;
	ret = uevent_write_iter(event, from);
	if (ret == -EBADF && READ_ONCE(df->by_page))
		ret = 0;
	return ret ?: count;
}

static int data_open(struct inode *inode, struct file *file)
{
	struct data_file *df = kzalloc(sizeof(*df), GFP_KERNEL_ACCOUNT);

	if (!df)
		return -ENOMEM;
	mutex_init(&df->lock);
	df->by_page = true;
	file->private_data = df;
	return 0;
}

static int data_release(struct inode *inode, struct file *file)
{
	struct data_file *df = file->private_data;
	struct table *table = rcu_access_pointer(df->table);
	unsigned int i;

	for (i = 0; table && i < table->nr; i++)
		uevent_put(table->event[i]);
	kfree(table);
	kfree(df);
	return 0;
}

static const struct file_operations data_fops = {
	.owner		= THIS_MODULE,
	.open		= data_open,
	.write_iter	= data_write_iter,
	.unlocked_ioctl	= data_ioctl,
#ifdef CONFIG_COMPAT
	.compat_ioctl	= data_compat_ioctl,
#endif
	.llseek		= noop_llseek,
	.release	= data_release,
};

static int __init user_events_init(void)
{
	int ret;

	BUILD_BUG_ON(sizeof(struct utrace_user_reg_byte) != 24);
	BUILD_BUG_ON(sizeof(struct utrace_user_reg_bit) != 20);
	BUILD_BUG_ON(sizeof(struct utrace_user_reg) != 28);
	BUILD_BUG_ON(sizeof(struct utrace_user_unreg) != 16);

	ret = tracing_init_dentry();
	if (!ret)
		ret = uevent_enabler_init();
	if (!ret)
		ret = uevent_status_init();
	if (!ret)
		ret = uevent_call_init();
	if (!ret && !tracefs_create_file("user_events_data", 0640, NULL, NULL,
					 &data_fops))
		ret = -ENODEV;
	if (ret)
		pr_err("no user events: error %d\n", ret);
	return 0;
}
fs_initcall_sync(user_events_init);
