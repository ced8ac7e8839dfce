// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions: a tracefs instance that lives as long as an open file.
 *
 * Whoever opens utrace/session gets a new instance and reads its name from
 * the file.  When the file is closed, however its owner ended, the events of
 * the instance are disabled at once, and the instance is removed as soon as
 * nobody has a file of it open any more.  A killed tracer leaves nothing.
 *
 * An ioctl on the file enables user events by their names, those to come
 * included; the instance is enough for all others.
 */
#define pr_fmt(fmt) "utrace: " fmt

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <linux/trace_events.h>
#include <linux/tracefs.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>
#include <uapi/linux/utrace.h>
#include "limits.h"
#include "tracefs.h"
#include "user_events_watch.h"
#include "compat.h"
#include "../trace/trace.h"

/* How long to wait before another try to remove an instance in use. */
#define RETRY_DELAY	(HZ / 20)

/**
 * struct session - an instance and the file that keeps it
 * @tr: the instance; the session has a reference until @remove is scheduled
 * @watch: user events that are to be enabled in it
 * @remove: removes the instance, then frees the session
 * @name: of the instance, never used twice
 */
struct session {
	struct trace_array	*tr;
	struct uevent_watch	watch;
	struct delayed_work	remove;
	char			name[48];
};

static atomic_t last_session;

/*
 * Every try looks the instance up by its name, because without a reference
 * somebody else may have removed it.
 */
static void remove_session(struct work_struct *work)
{
	struct session *session = container_of(to_delayed_work(work),
					       struct session, remove);
	struct trace_array *tr = trace_array_find_get(session->name);

	if (tr) {
		trace_array_put(tr);
		if (trace_array_destroy(tr) == -EBUSY) {
			schedule_delayed_work(&session->remove, RETRY_DELAY);
			return;
		}
	}
	kfree(session);
}

static struct trace_array *new_instance(const char *name)
{
	struct trace_array *tr = trace_array_find_get(name);

	if (tr) {
		trace_array_put(tr);
		return ERR_PTR(-EEXIST);
	}
	return utrace_trace_array_get(name) ?: ERR_PTR(-ENOMEM);
}

static int session_open(struct inode *inode, struct file *file)
{
	struct session *session;
	int ret;

	ret = tracing_check_open_get_tr(NULL);
	if (ret)
		return ret;
	if (file->f_mode & FMODE_WRITE)
		return -EINVAL;
	session = kzalloc(sizeof(*session), GFP_KERNEL);
	if (!session)
		return -ENOMEM;
	snprintf(session->name, sizeof(session->name), "utrace-%d-%u",
		 task_tgid_nr(current), atomic_inc_return(&last_session));
	INIT_DELAYED_WORK(&session->remove, remove_session);
	session->tr = new_instance(session->name);
	if (IS_ERR(session->tr)) {
		ret = PTR_ERR(session->tr);
		kfree(session);
		return ret;
	}
	uevent_watch_begin(&session->watch, session->tr);
	file->private_data = session;
	return 0;
}

static ssize_t session_read(struct file *file, char __user *to, size_t size,
			    loff_t *pos)
{
	struct session *session = file->private_data;
	char line[sizeof(session->name) + 1];
	int len = snprintf(line, sizeof(line), "%s\n", session->name);

	return simple_read_from_buffer(to, size, pos, line, len);
}

static long add_user_events(struct session *session, const char __user *arg)
{
	char *pattern = strndup_user(arg, UTRACE_UEVENT_NAME_MAX_BYTES + 1);
	int ret;

	if (IS_ERR(pattern))
		return PTR_ERR(pattern);
	ret = uevent_watch_add(&session->watch, pattern);
	kfree(pattern);
	return ret;
}

static long describe_event(struct utrace_session_event __user *arg)
{
	struct utrace_session_event event;
	u32 room, size;
	char *text;
	int len;

	if (copy_from_user(&event, arg, sizeof(event)))
		return -EFAULT;
	len = uevent_describe(event.type, &text);
	if (len < 0)
		return len;
	size = len + 1;
	room = min(event.size, size);
	event.size = size;
	if (copy_to_user(u64_to_user_ptr(event.text), text, room) ||
	    copy_to_user(arg, &event, sizeof(event)))
		len = -EFAULT;
	kfree(text);
	if (len < 0)
		return len;
	return room < size ? -ENOSPC : 0;
}

static long session_ioctl(struct file *file, unsigned int cmd,
			  unsigned long arg)
{
	struct session *session = file->private_data;

	switch (cmd) {
	case UTRACE_SESSION_USER_EVENTS:
		return add_user_events(session, (const char __user *)arg);
	case UTRACE_SESSION_DESCRIBE:
		return describe_event((struct utrace_session_event __user *)arg);
	default:
		return -ENOTTY;
	}
}

static int session_release(struct inode *inode, struct file *file)
{
	struct session *session = file->private_data;

	uevent_watch_end(&session->watch);
	trace_array_set_clr_event(session->tr, NULL, NULL, false);
	trace_array_put(session->tr);
	schedule_delayed_work(&session->remove, 0);
	return 0;
}

static const struct file_operations session_fops = {
	.owner		= THIS_MODULE,
	.open		= session_open,
	.read		= session_read,
	.llseek		= default_llseek,
	.unlocked_ioctl	= session_ioctl,
	.compat_ioctl	= compat_ptr_ioctl,
	.release	= session_release,
};

static int __init session_init(void)
{
	struct dentry *dir = utrace_tracefs_dir();

	if (dir && !tracefs_create_file("session", 0400, dir, NULL,
					&session_fops))
		pr_err("no utrace/session in tracefs\n");
	return 0;
}
late_initcall(session_init);
