// SPDX-License-Identifier: GPL-2.0
/*
 * A toy subnet administrator at LID 1, the same for every adapter. It keeps no state: a group exists because somebody
 * asks for it, and its LID is a hash of its name. It answers ClassPortInfo, MCMemberRecord and PathRecord, one record
 * each; tables (RMPP) it leaves unanswered.
 */
#include <linux/jhash.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <rdma/ib_sa.h>

#include "fake_hca.h"

#define SA_EQ			(2 << 6)	/* selector: exactly */
#define SA_RATE_100G		16
#define SA_LIFE_TIME		0x12
#define SA_QKEY			0x0b1b
#define SA_NO_RECORDS		cpu_to_be16(0x0300)
#define SA_BAD_REQUEST		cpu_to_be16(0x0200)
#define SA_CAP2_SENDONLY	(1 << 12)

/* PathRecord and MCMemberRecord as they travel (IBA volume 1, 15.2.5.16 and 15.2.5.17). */
struct sa_path {
	__be64 service;
	union ib_gid dgid, sgid;
	__be16 dlid, slid;
	__be32 raw_flow_hops;
	u8 traffic_class;
	u8 reversible_paths;
	__be16 pkey;
	__be16 qos_sl;
	u8 mtu, rate, life_time, preference;
} __packed;

struct sa_member {
	union ib_gid mgid, port_gid;
	__be32 qkey;
	__be16 mlid;
	u8 mtu, traffic_class;
	__be16 pkey;
	u8 rate, life_time;
	__be32 sl_flow_hops;
	u8 scope_join;
	u8 proxy;
	u8 reserved[2];
} __packed;

static unsigned int mcast_mtu = IB_MTU_2048;
module_param(mcast_mtu, uint, 0644);
MODULE_PARM_DESC(mcast_mtu, "MTU of IPoIB groups as the wire has it: 4 is 2048 (default), 5 is 4096");

static __be16 sa_member_record(const struct fh_port *port, struct sa_member *rec)
{
	if (fh_pkey_index(port, be16_to_cpu(rec->pkey)) < 0)
		return SA_BAD_REQUEST;
	rec->qkey = cpu_to_be32(SA_QKEY);
	rec->mlid = cpu_to_be16(FH_MLID_BASE + jhash(&rec->mgid, sizeof(rec->mgid), 0) % 0x3000);
	rec->mtu = SA_EQ | mcast_mtu;
	rec->rate = SA_EQ | SA_RATE_100G;
	rec->life_time = SA_EQ | SA_LIFE_TIME;
	rec->traffic_class = 0;
	rec->sl_flow_hops = 0;
	return 0;
}

static __be16 sa_path_record(const struct fh_port *port, struct sa_path *rec)
{
	struct fh_dev *to = fh_find_gid(&rec->dgid);
	u16 pkey = be16_to_cpu(rec->pkey);

	if (!pkey)	/* not asked for: rdma_cm leaves it out now and then */
		pkey = IB_DEFAULT_PKEY_FULL;
	if (!to || to->port[0].state != IB_PORT_ACTIVE)
		return SA_NO_RECORDS;
	if (fh_pkey_index(&to->port[0], pkey) < 0 || fh_pkey_index(port, pkey) < 0)
		return SA_NO_RECORDS;
	rec->dlid = cpu_to_be16(to->port[0].lid);
	rec->slid = cpu_to_be16(port->lid);
	rec->pkey = cpu_to_be16(pkey);
	rec->raw_flow_hops = 0;
	rec->reversible_paths = 0x80 | 1;
	rec->qos_sl = 0;
	rec->mtu = SA_EQ | IB_MTU_4096;
	rec->rate = SA_EQ | SA_RATE_100G;
	rec->life_time = SA_EQ | SA_LIFE_TIME;
	rec->preference = 0;
	return 0;
}

static __be16 sa_class_port_info(struct ib_class_port_info *info)
{
	memset(info, 0, sizeof(*info));
	info->base_version = 1;
	info->class_version = IB_SA_CLASS_VERSION;
	info->cap_mask2_resp_time = cpu_to_be32(SA_CAP2_SENDONLY << 5 | 18);
	return 0;
}

/* Turns the request into its answer; false where a real manager would answer and this one cannot. */
static bool sa_answer(const struct fh_port *port, struct ib_sa_mad *mad)
{
	u16 attribute = be16_to_cpu(mad->mad_hdr.attr_id);
	u8 method = mad->mad_hdr.method;
	bool get = method == IB_MGMT_METHOD_GET;

	if (!get && method != IB_MGMT_METHOD_SET && method != IB_SA_METHOD_DELETE)
		return false;
	if (attribute == IB_SA_ATTR_MC_MEMBER_REC)
		mad->mad_hdr.status = sa_member_record(port, (struct sa_member *)mad->data);
	else if (attribute == IB_SA_ATTR_PATH_REC && get)
		mad->mad_hdr.status = sa_path_record(port, (struct sa_path *)mad->data);
	else if (attribute == IB_SA_ATTR_CLASS_PORTINFO && get)
		mad->mad_hdr.status = sa_class_port_info((struct ib_class_port_info *)mad->data);
	else
		return false;
	mad->mad_hdr.method = method == IB_SA_METHOD_DELETE ? IB_SA_METHOD_DELETE_RESP : IB_MGMT_METHOD_GET_RESP;
	return true;
}

/* Called with fh_lock held; the answer takes the same road as any packet. */
void fh_sa_receive(const struct fh_packet *packet)
{
	struct fh_dev *from = fh_find_lid(packet->slid);
	struct fh_packet *reply;
	struct ib_sa_mad *mad;

	if (!from->port[0].sm || packet->dst_qpn != 1 || packet->len < sizeof(*mad))
		return;
	reply = kzalloc(struct_size(reply, data, sizeof(*mad)), GFP_ATOMIC);
	if (!reply)
		return;
	mad = (struct ib_sa_mad *)reply->data;
	memcpy(mad, packet->data, sizeof(*mad));
	if (mad->mad_hdr.mgmt_class != IB_MGMT_CLASS_SUBN_ADM || !sa_answer(&from->port[0], mad)) {
		kfree(reply);
		return;
	}
	reply->src_qpn = 1;
	reply->dst_qpn = packet->src_qpn;
	reply->slid = FH_SM_LID;
	reply->dlid = packet->slid;
	reply->pkey = IB_DEFAULT_PKEY_FULL;
	reply->qkey = IB_QP1_QKEY;
	reply->len = sizeof(*mad);
	fh_fabric_send(reply);
}
