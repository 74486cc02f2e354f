// SPDX-License-Identifier: GPL-2.0
/* Queue pairs: UD and the two management QPs for real, RC as far as SEND goes (what IPoIB connected mode uses). */
#include <linux/slab.h>
#include <linux/xarray.h>

#include "fake_hca.h"

/* Numbers are unique over all adapters, which is stricter than the wire wants and makes traces readable. */
#define FH_QPN_LIMIT	XA_LIMIT(0x48, 0xfffffe)

static DEFINE_XARRAY_FLAGS(fh_qps, XA_FLAGS_ALLOC | XA_FLAGS_LOCK_IRQ);
static u32 fh_next_qpn;

struct fh_qp *fh_find_qp(const struct fh_port *port, u32 qpn)
{
	struct fh_qp *qp = qpn < ARRAY_SIZE(port->special) ? port->special[qpn] : xa_load(&fh_qps, qpn);

	return qp && qp->port == port ? qp : NULL;
}

static int fh_number_qp(struct fh_qp *qp, const struct ib_qp_init_attr *init)
{
	struct fh_dev *dev = to_fh(qp->ib.device);
	u32 special = init->qp_type == IB_QPT_GSI;

	if (init->qp_type == IB_QPT_UD || init->qp_type == IB_QPT_RC || init->qp_type == IB_QPT_UC)
		return xa_alloc_cyclic_irq(&fh_qps, &qp->ib.qp_num, qp, FH_QPN_LIMIT, &fh_next_qpn, GFP_KERNEL);
	if (init->qp_type != IB_QPT_SMI && init->qp_type != IB_QPT_GSI)
		return -EOPNOTSUPP;

	qp->port = &dev->port[init->port_num - 1];
	qp->ib.qp_num = special;
	spin_lock_irq(&fh_lock);
	qp->port->special[special] = qp;
	spin_unlock_irq(&fh_lock);
	return 0;
}

int fh_create_qp(struct ib_qp *ib, struct ib_qp_init_attr *init, struct ib_udata *udata)
{
	struct fh_qp *qp = to_fh_qp(ib);
	int err = fh_fail(to_fh(ib->device), FH_CREATE_QP);

	if (err)
		return err;
	if (udata || init->srq)
		return -EOPNOTSUPP;
	if (init->cap.max_send_sge > FH_MAX_SGE || init->cap.max_recv_sge > FH_MAX_SGE)
		return -EINVAL;
	INIT_LIST_HEAD(&qp->receives);
	qp->attr.qp_state = IB_QPS_RESET;
	qp->cap = init->cap;
	qp->sig_type = init->sq_sig_type;
	err = fh_number_qp(qp, init);
	return err < 0 ? err : 0;
}

static void fh_drop_receives(struct fh_qp *qp)
{
	struct fh_recv *recv, *next;

	list_for_each_entry_safe(recv, next, &qp->receives, node)
		kfree(recv);
	INIT_LIST_HEAD(&qp->receives);
}

static void fh_flush(struct fh_qp *qp, struct ib_cq *cq, u64 wr_id, enum ib_wc_opcode opcode)
{
	struct ib_wc wc = { .wr_id = wr_id, .status = IB_WC_WR_FLUSH_ERR, .opcode = opcode, .qp = &qp->ib };

	fh_complete(to_fh_cq(cq), &wc);
}

static void fh_flush_receives(struct fh_qp *qp)
{
	struct fh_recv *recv;

	list_for_each_entry(recv, &qp->receives, node)
		fh_flush(qp, qp->ib.recv_cq, recv->wr_id, IB_WC_RECV);
	fh_drop_receives(qp);
}

int fh_destroy_qp(struct ib_qp *ib, struct ib_udata *udata)
{
	struct fh_qp *qp = to_fh_qp(ib);

	/* After this no packet finds the queue pair: delivery looks it up under the same lock. */
	spin_lock_irq(&fh_lock);
	if (qp->ib.qp_num < 2)
		qp->port->special[qp->ib.qp_num] = NULL;
	fh_mcast_forget(qp);
	qp->port = NULL;
	fh_drop_receives(qp);
	spin_unlock_irq(&fh_lock);
	if (qp->ib.qp_num >= 2)
		xa_erase_irq(&fh_qps, qp->ib.qp_num);
	return 0;
}

static void fh_store_attr(struct fh_qp *qp, const struct ib_qp_attr *from, int mask)
{
	struct ib_qp_attr *to = &qp->attr;

#define FH_KEEP(flag, field) do { if (mask & (flag)) to->field = from->field; } while (0)
	FH_KEEP(IB_QP_PKEY_INDEX, pkey_index);
	FH_KEEP(IB_QP_PORT, port_num);
	FH_KEEP(IB_QP_QKEY, qkey);
	FH_KEEP(IB_QP_AV, ah_attr);
	FH_KEEP(IB_QP_PATH_MTU, path_mtu);
	FH_KEEP(IB_QP_TIMEOUT, timeout);
	FH_KEEP(IB_QP_RETRY_CNT, retry_cnt);
	FH_KEEP(IB_QP_RNR_RETRY, rnr_retry);
	FH_KEEP(IB_QP_RQ_PSN, rq_psn);
	FH_KEEP(IB_QP_SQ_PSN, sq_psn);
	FH_KEEP(IB_QP_MAX_QP_RD_ATOMIC, max_rd_atomic);
	FH_KEEP(IB_QP_MAX_DEST_RD_ATOMIC, max_dest_rd_atomic);
	FH_KEEP(IB_QP_MIN_RNR_TIMER, min_rnr_timer);
	FH_KEEP(IB_QP_DEST_QPN, dest_qp_num);
	FH_KEEP(IB_QP_ACCESS_FLAGS, qp_access_flags);
#undef FH_KEEP
	if (mask & IB_QP_PORT)
		qp->port = &to_fh(qp->ib.device)->port[from->port_num - 1];
}

int fh_modify_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask, struct ib_udata *udata)
{
	struct fh_qp *qp = to_fh_qp(ib);
	enum ib_qp_state next = mask & IB_QP_STATE ? attr->qp_state : qp->attr.qp_state;
	int err = fh_fail(to_fh(ib->device), FH_MODIFY_QP);

	if (err)
		return err;
	if (!ib_modify_qp_is_ok(qp->attr.qp_state, next, ib->qp_type, mask))
		return -EINVAL;
	if (mask & IB_QP_PORT && !rdma_is_port_valid(ib->device, attr->port_num))
		return -EINVAL;
	if (mask & IB_QP_PKEY_INDEX && attr->pkey_index >= FH_PKEYS)
		return -EINVAL;

	spin_lock_irq(&fh_lock);
	fh_store_attr(qp, attr, mask);
	qp->attr.qp_state = next;
	if (next == IB_QPS_RESET)
		fh_drop_receives(qp);
	if (next == IB_QPS_ERR)
		fh_flush_receives(qp);
	spin_unlock_irq(&fh_lock);
	return 0;
}

int fh_query_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask, struct ib_qp_init_attr *init)
{
	struct fh_qp *qp = to_fh_qp(ib);

	*attr = qp->attr;
	attr->cur_qp_state = qp->attr.qp_state;
	attr->cap = qp->cap;
	*init = (struct ib_qp_init_attr) {
		.send_cq = ib->send_cq,
		.recv_cq = ib->recv_cq,
		.cap = qp->cap,
		.sq_sig_type = qp->sig_type,
		.qp_type = ib->qp_type,
	};
	return 0;
}

int fh_post_recv(struct ib_qp *ib, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad)
{
	struct fh_qp *qp = to_fh_qp(ib);
	struct fh_recv *recv;
	unsigned long flags;

	for (; wr; wr = wr->next) {
		recv = kmalloc(struct_size(recv, sge, wr->num_sge), GFP_ATOMIC);
		if (!recv || qp->attr.qp_state == IB_QPS_RESET) {
			kfree(recv);
			*bad = wr;
			return recv ? -EINVAL : -ENOMEM;
		}
		recv->wr_id = wr->wr_id;
		recv->num_sge = wr->num_sge;
		memcpy(recv->sge, wr->sg_list, wr->num_sge * sizeof(*recv->sge));
		spin_lock_irqsave(&fh_lock, flags);
		list_add_tail(&recv->node, &qp->receives);
		if (qp->attr.qp_state == IB_QPS_ERR)
			fh_flush_receives(qp);
		spin_unlock_irqrestore(&fh_lock, flags);
	}
	return 0;
}

static u32 fh_send_length(const struct ib_send_wr *wr)
{
	u32 length = 0;
	int i;

	for (i = 0; i < wr->num_sge; i++)
		length += wr->sg_list[i].length;
	return length;
}

static void fh_gather(struct fh_packet *packet, const struct ib_send_wr *wr)
{
	u8 *to = packet->data;
	int i;

	for (i = 0; i < wr->num_sge; i++) {
		memcpy(to, (void *)(uintptr_t)wr->sg_list[i].addr, wr->sg_list[i].length);
		to += wr->sg_list[i].length;
	}
}

static void fh_address(struct fh_packet *packet, const struct rdma_ah_attr *to)
{
	packet->dlid = rdma_ah_get_dlid(to);
	packet->sl = rdma_ah_get_sl(to);
	packet->has_grh = rdma_ah_get_ah_flags(to) & IB_AH_GRH;
	if (packet->has_grh)
		packet->dgid = to->grh.dgid;
}

static void fh_address_datagram(struct fh_packet *packet, const struct fh_qp *qp, const struct ib_send_wr *wr)
{
	const struct ib_ud_wr *ud = ud_wr(wr);
	u16 index = qp->ib.qp_num == 1 ? ud->pkey_index : qp->attr.pkey_index;

	fh_address(packet, &container_of(ud->ah, struct fh_ah, ib)->attr);
	packet->dst_qpn = ud->remote_qpn;
	packet->pkey = index < FH_PKEYS ? qp->port->pkeys[index] : 0;
	/* A Q_Key with the top bit set means "use the one of the queue pair". */
	packet->qkey = ud->remote_qkey & 0x80000000 ? qp->attr.qkey : ud->remote_qkey;
}

static void fh_address_connected(struct fh_packet *packet, const struct fh_qp *qp)
{
	fh_address(packet, &qp->attr.ah_attr);
	packet->connected = true;
	packet->dst_qpn = qp->attr.dest_qp_num;
	packet->pkey = qp->port->pkeys[qp->attr.pkey_index];
}

static struct fh_packet *fh_packet_from(const struct fh_qp *qp, const struct ib_send_wr *wr)
{
	u32 length = fh_send_length(wr);
	struct fh_packet *packet = kzalloc(struct_size(packet, data, length), GFP_ATOMIC);

	if (!packet)
		return NULL;
	packet->from = to_fh(qp->ib.device);
	packet->src_qpn = qp->ib.qp_num;
	packet->slid = qp->port->lid;
	packet->sgid = fh_gid(packet->from);
	packet->has_imm = wr->opcode == IB_WR_SEND_WITH_IMM;
	packet->imm = wr->ex.imm_data;
	packet->len = length;
	fh_gather(packet, wr);
	if (qp->ib.qp_type == IB_QPT_RC || qp->ib.qp_type == IB_QPT_UC)
		fh_address_connected(packet, qp);
	else
		fh_address_datagram(packet, qp, wr);
	return packet;
}

static int fh_send_one(struct fh_qp *qp, const struct ib_send_wr *wr)
{
	struct ib_wc wc = { .wr_id = wr->wr_id, .opcode = IB_WC_SEND, .qp = &qp->ib };
	struct fh_packet *packet;

	if (qp->attr.qp_state == IB_QPS_ERR) {
		fh_flush(qp, qp->ib.send_cq, wr->wr_id, IB_WC_SEND);
		return 0;
	}
	if (qp->attr.qp_state != IB_QPS_RTS || !qp->port)
		return -EINVAL;
	if (wr->opcode == IB_WR_SEND || wr->opcode == IB_WR_SEND_WITH_IMM) {
		packet = fh_packet_from(qp, wr);
		if (!packet)
			return -ENOMEM;
		fh_fabric_send(packet);
	} else {
		wc.status = IB_WC_LOC_QP_OP_ERR;	/* RDMA and atomics are not for us */
	}
	if (wc.status || qp->sig_type == IB_SIGNAL_ALL_WR || wr->send_flags & IB_SEND_SIGNALED)
		fh_complete(to_fh_cq(qp->ib.send_cq), &wc);
	return 0;
}

/* The data is copied at once, so a send is complete as soon as it was posted. */
int fh_post_send(struct ib_qp *ib, const struct ib_send_wr *wr, const struct ib_send_wr **bad)
{
	int err;

	for (; wr; wr = wr->next) {
		err = fh_send_one(to_fh_qp(ib), wr);
		if (err) {
			*bad = wr;
			return err;
		}
	}
	return 0;
}
