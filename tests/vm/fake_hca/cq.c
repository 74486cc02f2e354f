// SPDX-License-Identifier: GPL-2.0
/* Completion queues are lists: an idle one costs nothing, however deep its owner asked for it. */
#include <linux/slab.h>

#include "fake_hca.h"

struct fh_cqe {
	struct list_head node;
	struct ib_wc wc;
};

int fh_create_cq(struct ib_cq *ib, const struct ib_cq_init_attr *attr, fh_cq_caller *caller)
{
	struct fh_cq *cq = to_fh_cq(ib);
	int err = fh_fail(to_fh(ib->device), FH_CREATE_CQ);

	if (err)
		return err;
	if (caller)	/* programs would want the ring mapped into their memory */
		return -EOPNOTSUPP;
	spin_lock_init(&cq->lock);
	INIT_LIST_HEAD(&cq->done);
	cq->ib.cqe = attr->cqe;
	return 0;
}

int fh_destroy_cq(struct ib_cq *ib, struct ib_udata *udata)
{
	struct fh_cq *cq = to_fh_cq(ib);
	struct fh_cqe *entry, *next;

	list_for_each_entry_safe(entry, next, &cq->done, node)
		kfree(entry);
	return 0;
}

int fh_poll_cq(struct ib_cq *ib, int count, struct ib_wc *wc)
{
	struct fh_cq *cq = to_fh_cq(ib);
	struct fh_cqe *entry;
	unsigned long flags;
	int done;

	spin_lock_irqsave(&cq->lock, flags);
	for (done = 0; done < count; done++) {
		entry = list_first_entry_or_null(&cq->done, struct fh_cqe, node);
		if (!entry)
			break;
		wc[done] = entry->wc;
		list_del(&entry->node);
		kfree(entry);
	}
	spin_unlock_irqrestore(&cq->lock, flags);
	return done;
}

int fh_arm_cq(struct ib_cq *ib, enum ib_cq_notify_flags flags)
{
	struct fh_cq *cq = to_fh_cq(ib);
	unsigned long irq;
	bool missed;

	spin_lock_irqsave(&cq->lock, irq);
	cq->armed = true;
	missed = !list_empty(&cq->done);
	spin_unlock_irqrestore(&cq->lock, irq);
	return (flags & IB_CQ_REPORT_MISSED_EVENTS) && missed;
}

/* Handlers of kernel users only schedule work, so calling one with fh_lock held is safe. */
void fh_complete(struct fh_cq *cq, const struct ib_wc *wc)
{
	struct fh_cqe *entry = kmalloc(sizeof(*entry), GFP_ATOMIC);
	unsigned long flags;
	bool notify;

	if (WARN_ON_ONCE(!entry))
		return;
	entry->wc = *wc;
	spin_lock_irqsave(&cq->lock, flags);
	list_add_tail(&entry->node, &cq->done);
	notify = cq->armed;
	cq->armed = false;
	spin_unlock_irqrestore(&cq->lock, flags);
	if (notify)
		cq->ib.comp_handler(&cq->ib, cq->ib.cq_context);
}
