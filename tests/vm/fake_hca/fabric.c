// SPDX-License-Identifier: GPL-2.0
/*
 * The fabric: one switch between the InfiniBand ports of all adapters, those of another machine too (trunk.c). A sender leaves its packet on a list; a work
 * item carries the packets over, so that a receiver's handlers never run inside a sender's locks.
 */
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "fake_hca.h"

DEFINE_SPINLOCK(fh_lock);

static struct workqueue_struct *fh_wires;
static DEFINE_SPINLOCK(fh_wire_lock);
static LIST_HEAD(fh_in_flight);

/* A port has as many LIDs as its mask (LMC) leaves open; 0 is that of a port that has none. */
struct fh_dev *fh_find_lid(u16 lid)
{
	struct fh_dev *dev;

	list_for_each_entry(dev, &fh_devices, node)
		if (lid && dev->port[0].lid >> dev->port[0].lmc == lid >> dev->port[0].lmc)
			return dev;
	return NULL;
}

struct fh_dev *fh_find_gid(const union ib_gid *gid)
{
	struct fh_dev *dev;
	union ib_gid own;

	list_for_each_entry(dev, &fh_devices, node) {
		own = fh_gid(dev);
		if (!memcmp(&own, gid, sizeof(own)))
			return dev;
	}
	return NULL;
}

static u16 fh_qp_pkey_index(const struct fh_qp *qp, const struct fh_packet *packet)
{
	int index = qp->ib.qp_num < 2 ? fh_pkey_index(qp->port, packet->pkey) : qp->attr.pkey_index;

	return index < 0 ? 0 : index;
}

bool fh_accepts(const struct fh_qp *qp, const struct fh_packet *packet)
{
	if (qp->attr.qp_state != IB_QPS_RTR && qp->attr.qp_state != IB_QPS_RTS)
		return false;
	if (qp->ib.qp_num == 0)
		return true;
	if (!fh_pkeys_match(qp->port->pkeys[fh_qp_pkey_index(qp, packet)], packet->pkey))
		return false;
	return packet->connected || qp->attr.qkey == packet->qkey;
}

static bool fh_scatter(const struct fh_recv *recv, u32 *offset, const void *from, u32 len)
{
	u32 start = *offset, base = 0, room;
	int i;

	*offset += len;
	for (i = 0; i < recv->num_sge && len; i++) {
		const struct ib_sge *sge = &recv->sge[i];

		if (start < base + sge->length) {
			room = min(len, base + sge->length - start);
			memcpy((u8 *)(uintptr_t)sge->addr + (start - base), from, room);
			from += room;
			start += room;
			len -= room;
		}
		base += sge->length;
	}
	return len == 0;
}

static void fh_fill_grh(struct ib_grh *grh, const struct fh_packet *packet)
{
	grh->version_tclass_flow = cpu_to_be32(6 << 28);
	grh->paylen = cpu_to_be16(packet->len);
	grh->next_hdr = 0x1b;
	grh->hop_limit = 1;
	grh->sgid = packet->sgid;
	grh->dgid = packet->dgid;
}

/* Called with fh_lock held. A receiver without a buffer loses the packet, like a real UD queue pair. */
void fh_deliver(struct fh_qp *qp, const struct fh_packet *packet)
{
	struct fh_recv *recv = list_first_entry_or_null(&qp->receives, struct fh_recv, node);
	struct ib_grh grh = {};
	struct ib_wc wc = { .opcode = IB_WC_RECV, .qp = &qp->ib };
	bool fits = true;
	u32 offset = 0;

	if (!recv) {
		qp->port->dropped++;
		return;
	}
	list_del(&recv->node);
	if (!packet->connected) {
		if (packet->has_grh)
			fh_fill_grh(&grh, packet);
		fits = fh_scatter(recv, &offset, &grh, sizeof(grh));
	}
	fits = fits && fh_scatter(recv, &offset, packet->data, packet->len);

	wc.wr_id = recv->wr_id;
	wc.status = fits ? IB_WC_SUCCESS : IB_WC_LOC_LEN_ERR;
	wc.byte_len = offset;
	wc.src_qp = packet->src_qpn;
	wc.slid = packet->slid;
	wc.sl = packet->sl;
	wc.pkey_index = fh_qp_pkey_index(qp, packet);
	wc.port_num = qp->port->number;
	wc.wc_flags = (packet->has_grh ? IB_WC_GRH : 0) | (packet->has_imm ? IB_WC_WITH_IMM : 0);
	wc.ex.imm_data = packet->imm;
	kfree(recv);
	qp->port->received.packets++;
	qp->port->received.bytes += packet->len;
	fh_complete(to_fh_cq(qp->ib.recv_cq), &wc);
}

/* False: no port of this machine has that LID. */
static bool fh_unicast(const struct fh_packet *packet)
{
	struct fh_dev *to = fh_find_lid(packet->dlid);
	struct fh_qp *qp;

	if (!to)
		return false;
	if (to->port[0].state != IB_PORT_ACTIVE)
		return true;
	qp = fh_find_qp(&to->port[0], packet->dst_qpn);
	if (qp && fh_accepts(qp, packet))
		fh_deliver(qp, packet);
	else
		to->port[0].dropped++;
	return true;
}

/* Subnet management comes before there are LIDs, and makes ports active. */
static bool fh_is_management(const struct fh_packet *packet)
{
	return fh_smp && packet->src_qpn == 0;
}

/* The sender may be gone by now: look for it among those that are there and never follow packet->from. */
static bool fh_sender_ok(const struct fh_packet *packet)
{
	enum ib_port_state least = fh_is_management(packet) ? IB_PORT_INIT : IB_PORT_ACTIVE;
	struct fh_dev *from;

	list_for_each_entry(from, &fh_devices, node)
		if (from == packet->from && from->port[0].state >= least) {
			from->port[0].sent.packets++;
			from->port[0].sent.bytes += packet->len;
			return true;
		}
	return false;
}

/* To whom it is for on this machine. True: it has to go to the other one, too. */
static bool fh_deliver_here(const struct fh_packet *packet)
{
	bool to_sm = packet->dlid == FH_SM_LID && !fh_smp;

	if (!packet->from && !packet->remote)	/* the subnet administrator's answer */
		return !fh_unicast(packet);
	if (fh_is_management(packet))
		return !fh_smp_deliver(packet);
	if (packet->dlid >= FH_MLID_BASE) {
		fh_mcast_deliver(packet);
		return true;
	}
	if (!to_sm)
		return !fh_unicast(packet);
	fh_sa_receive(packet);
	return false;
}

static void fh_switch(const struct fh_packet *packet)
{
	bool leaves = false;

	spin_lock_irq(&fh_lock);
	if (!packet->from || fh_sender_ok(packet))
		leaves = fh_deliver_here(packet);
	spin_unlock_irq(&fh_lock);
	if (leaves && packet->from && fh_has_trunk())
		fh_trunk_send(packet);
}

static struct fh_packet *fh_next_packet(void)
{
	struct fh_packet *packet;

	spin_lock_irq(&fh_wire_lock);
	packet = list_first_entry_or_null(&fh_in_flight, struct fh_packet, node);
	if (packet)
		list_del(&packet->node);
	spin_unlock_irq(&fh_wire_lock);
	return packet;
}

static void fh_carry(struct work_struct *work)
{
	struct fh_packet *packet;

	while ((packet = fh_next_packet())) {
		/* Receivers raise the network softirq: let it run as soon as a packet is over. */
		local_bh_disable();
		fh_switch(packet);
		local_bh_enable();
		kfree(packet);
		cond_resched();
	}
}
static DECLARE_WORK(fh_carry_work, fh_carry);

void fh_fabric_send(struct fh_packet *packet)
{
	unsigned long flags;

	spin_lock_irqsave(&fh_wire_lock, flags);
	list_add_tail(&packet->node, &fh_in_flight);
	spin_unlock_irqrestore(&fh_wire_lock, flags);
	queue_work(fh_wires, &fh_carry_work);
}

void fh_fabric_drain(void)
{
	flush_work(&fh_carry_work);
}

int fh_fabric_init(void)
{
	int err;

	fh_wires = alloc_ordered_workqueue("fake_hca", WQ_MEM_RECLAIM);
	if (!fh_wires)
		return -ENOMEM;
	err = fh_trunk_init();
	if (err)
		destroy_workqueue(fh_wires);
	return err;
}

void fh_fabric_exit(void)
{
	fh_trunk_exit();
	destroy_workqueue(fh_wires);
}
