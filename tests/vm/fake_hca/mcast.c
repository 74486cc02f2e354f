// SPDX-License-Identifier: GPL-2.0
/* Multicast: a list of (group, queue pair). Membership in the subnet manager's sense is not kept: attaching is joining. */
#include <linux/slab.h>

#include "fake_hca.h"

#define FH_BUCKETS 256

struct fh_member {
	struct hlist_node node;
	union ib_gid group;
	struct fh_qp *qp;
};

static struct hlist_head fh_groups[FH_BUCKETS];

/* The low bits of an IPoIB group carry the address, the middle ones the P_Key: mix both. */
static struct hlist_head *fh_bucket(const union ib_gid *group)
{
	return &fh_groups[(group->raw[15] ^ group->raw[14] ^ group->raw[5] ^ group->raw[4]) % FH_BUCKETS];
}

static struct fh_member *fh_find_member(const union ib_gid *group, const struct fh_qp *qp)
{
	struct fh_member *member;

	hlist_for_each_entry(member, fh_bucket(group), node)
		if (member->qp == qp && !memcmp(&member->group, group, sizeof(*group)))
			return member;
	return NULL;
}

int fh_attach_mcast(struct ib_qp *ib, union ib_gid *group, u16 lid)
{
	struct fh_member *member;
	int err = fh_fail(to_fh(ib->device), FH_ATTACH_MCAST);

	if (err)
		return err;
	member = kzalloc(sizeof(*member), GFP_KERNEL);
	if (!member)
		return -ENOMEM;
	member->group = *group;
	member->qp = to_fh_qp(ib);
	spin_lock_irq(&fh_lock);
	if (!fh_find_member(group, member->qp)) {
		hlist_add_head(&member->node, fh_bucket(group));
		member = NULL;
	}
	spin_unlock_irq(&fh_lock);
	kfree(member);	/* attaching twice is no error */
	return 0;
}

int fh_detach_mcast(struct ib_qp *ib, union ib_gid *group, u16 lid)
{
	struct fh_member *member;

	spin_lock_irq(&fh_lock);
	member = fh_find_member(group, to_fh_qp(ib));
	if (member)
		hlist_del(&member->node);
	spin_unlock_irq(&fh_lock);
	kfree(member);
	return member ? 0 : -EINVAL;
}

/* Called with fh_lock held, for a queue pair that goes away still attached. */
void fh_mcast_forget(struct fh_qp *qp)
{
	struct fh_member *member;
	struct hlist_node *next;
	int i;

	if (!atomic_read(&qp->ib.usecnt))
		return;
	for (i = 0; i < FH_BUCKETS; i++)
		hlist_for_each_entry_safe(member, next, &fh_groups[i], node)
			if (member->qp == qp) {
				hlist_del(&member->node);
				kfree(member);
			}
}

/* Called with fh_lock held. The sender does not hear itself; queue pairs of another machine have numbers of their own. */
void fh_mcast_deliver(const struct fh_packet *packet)
{
	struct fh_member *member;

	hlist_for_each_entry(member, fh_bucket(&packet->dgid), node) {
		struct fh_qp *qp = member->qp;

		if (memcmp(&member->group, &packet->dgid, sizeof(packet->dgid)))
			continue;
		if (!qp->port || qp->port->state != IB_PORT_ACTIVE)
			continue;
		if (!packet->remote && qp->ib.qp_num == packet->src_qpn)
			continue;
		if (fh_accepts(qp, packet))
			fh_deliver(qp, packet);
	}
}
