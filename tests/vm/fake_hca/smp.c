// SPDX-License-Identifier: GPL-2.0
/*
 * Subnet management packets. With smp=1 port 1 of each adapter waits in INIT and without a LID for a subnet manager in
 * user space (opensm), which reads and writes it with these packets; sa.c then keeps silent. One cable joins the first
 * two adapters, or with a trunk (trunk.c) the first one and that of another machine, so a directed route of one hop leads
 * to its other end. There are no keys (M_Key) and no traps.
 */
#include <linux/module.h>
#include <rdma/ib_smi.h>

#include "fake_hca.h"

#define SMP_BAD_ATTRIBUTE	cpu_to_be16(0x000c)
#define SMP_BAD_FIELD		cpu_to_be16(0x001c)
/* Mellanox's, which opensm asks an adapter of that name for: zeros are no FDR10. */
#define SMP_MLNX_PORT_INFO	cpu_to_be16(0xff90)
#define SMP_PKEYS		(IB_SMP_DATA_SIZE / sizeof(__be16))
#define SMP_GUIDS		8
/* Values of PortInfo that have no name in the kernel's headers. */
#define SMP_NO_STATE_CHANGE	0
#define SMP_POLLING		2
#define SMP_LINK_UP		5
#define SMP_SPEED_ALL		7	/* 2.5, 5 and 10 Gbit/s a lane */
#define SMP_SPEED_10		4
#define SMP_SPEED_EXT_ALL	3	/* 14 and 25 Gbit/s a lane */
#define SMP_SPEED_EXT_25	2
#define SMP_SPEED_EXT_ACTIVE	62	/* bytes behind what the kernel's structure has */
#define SMP_SPEED_EXT_ENABLED	63
#define SMP_REREGISTER		0x80
#define SMP_FIRST_MLID		0xc000

bool fh_smp;
module_param_named(smp, fh_smp, bool, 0444);
MODULE_PARM_DESC(smp, "port 1 waits in INIT for a subnet manager in user space");

/* In the order in which they are told. */
static const enum ib_event_type smp_events[] = {
	IB_EVENT_GID_CHANGE, IB_EVENT_LID_CHANGE, IB_EVENT_SM_CHANGE, IB_EVENT_PORT_ERR, IB_EVENT_PORT_ACTIVE,
	IB_EVENT_PKEY_CHANGE, IB_EVENT_CLIENT_REREGISTER,
};

/* What of PortInfo this adapter never changes, and what a manager finds where none has been. */
void fh_smp_reset(struct fh_port *port)
{
	struct ib_port_info *info = &port->kept.info;

	port->state = IB_PORT_INIT;
	port->lid = 0;
	port->sm_lid = 0;
	memset(port->pkeys + 1, 0, sizeof(port->pkeys) - sizeof(port->pkeys[0]));
	port->caps |= IB_PORT_EXTENDED_SPEEDS_SUP | IB_PORT_SYS_IMAGE_GUID_SUP;

	info->local_port_num = port->number;
	info->link_width_enabled = IB_WIDTH_1X | IB_WIDTH_4X;
	info->link_width_supported = IB_WIDTH_1X | IB_WIDTH_4X;
	info->link_width_active = IB_WIDTH_4X;
	info->linkspeed_portstate = SMP_SPEED_ALL << 4;
	info->linkspeedactive_enabled = SMP_SPEED_10 << 4 | SMP_SPEED_ALL;
	info->vlcap_inittype = 1 << 4;	/* VL0 alone, so there is nothing to arbitrate */
	info->inittypereply_mtucap = IB_MTU_4096;
	info->operationalvl_pei_peo_fpi_fpo = 1 << 4;
	info->guid_cap = FH_GIDS / SMP_GUIDS;
	info->resv_resptimevalue = 18;
}

static __be16 smp_get_node_info(const struct fh_dev *dev, void *data)
{
	struct ib_node_info *info = data;

	info->base_version = 1;
	info->class_version = 1;
	info->node_type = RDMA_NODE_IB_CA;
	info->num_ports = dev->ib.phys_port_cnt;
	info->sys_guid = cpu_to_be64(dev->guid + 3);
	info->node_guid = cpu_to_be64(dev->guid);
	info->port_guid = cpu_to_be64(dev->port_guid);
	info->partition_cap = cpu_to_be16(FH_PKEYS);
	info->device_id = cpu_to_be16(FH_PART);
	info->revision = cpu_to_be32(1);
	info->local_port_num = FH_PORT_IB;
	info->vendor_id[0] = FH_VENDOR >> 16 & 0xff;
	info->vendor_id[1] = FH_VENDOR >> 8 & 0xff;
	info->vendor_id[2] = FH_VENDOR & 0xff;
	return 0;
}

static __be16 smp_get_guid_info(const struct fh_dev *dev, u32 block, void *data)
{
	__be64 *guids = data;

	if (block >= FH_GIDS / SMP_GUIDS)
		return SMP_BAD_FIELD;
	if (!block)
		guids[0] = cpu_to_be64(dev->port_guid);
	return 0;
}

static void smp_get_port_info(const struct fh_port *port, u8 *data)
{
	struct ib_port_info *info = (struct ib_port_info *)data;
	bool linked = port->state >= IB_PORT_INIT;

	*info = port->kept.info;
	info->gid_prefix = cpu_to_be64(port->prefix);
	info->lid = cpu_to_be16(port->lid);
	info->sm_lid = cpu_to_be16(port->sm_lid);
	info->cap_mask = cpu_to_be32(port->caps);
	info->linkspeed_portstate |= port->state;
	info->portphysstate_linkdown = (linked ? SMP_LINK_UP : SMP_POLLING) << 4 | SMP_POLLING;
	info->mkeyprot_resv_lmc = port->lmc;
	info->neighbormtu_mastersmsl = port->mtu << 4 | port->sm_sl;
	info->clientrereg_resv_subnetto = port->timeout;
	data[SMP_SPEED_EXT_ACTIVE] = SMP_SPEED_EXT_25 << 4 | SMP_SPEED_EXT_ALL;
	data[SMP_SPEED_EXT_ENABLED] = SMP_SPEED_EXT_ALL;
}

/* DOWN makes the link train anew; ARMED and ACTIVE have to be taken one after the other. */
static bool smp_may_become(enum ib_port_state now, u8 next)
{
	switch (next) {
	case SMP_NO_STATE_CHANGE:
	case IB_PORT_DOWN:
		return true;
	case IB_PORT_ARMED:
		return now == IB_PORT_INIT || now == IB_PORT_ARMED;
	case IB_PORT_ACTIVE:
		return now == IB_PORT_ARMED || now == IB_PORT_ACTIVE;
	}
	return false;
}

static void smp_set_state(struct fh_port *port, u8 next, u32 *events)
{
	bool was_active = port->state == IB_PORT_ACTIVE;

	if (next == SMP_NO_STATE_CHANGE)
		return;
	port->state = next == IB_PORT_DOWN ? IB_PORT_INIT : next;
	if (was_active != (port->state == IB_PORT_ACTIVE))
		*events |= BIT(was_active ? IB_EVENT_PORT_ERR : IB_EVENT_PORT_ACTIVE);
}

static __be16 smp_set_port_info(struct fh_port *port, const struct ib_port_info *want, u32 *events)
{
	u16 lid = be16_to_cpu(want->lid), sm_lid = be16_to_cpu(want->sm_lid);
	u8 next = want->linkspeed_portstate & 0xf, sm_sl = want->neighbormtu_mastersmsl & 0xf;
	u8 lmc = want->mkeyprot_resv_lmc & 7;
	u64 prefix = be64_to_cpu(want->gid_prefix);

	if (!lid || lid >= SMP_FIRST_MLID || !sm_lid || sm_lid >= SMP_FIRST_MLID || !smp_may_become(port->state, next))
		return SMP_BAD_FIELD;
	if (prefix != port->prefix)
		*events |= BIT(IB_EVENT_GID_CHANGE);
	if (lid != port->lid || lmc != port->lmc)
		*events |= BIT(IB_EVENT_LID_CHANGE);
	if (sm_lid != port->sm_lid || sm_sl != port->sm_sl)
		*events |= BIT(IB_EVENT_SM_CHANGE);
	if (want->clientrereg_resv_subnetto & SMP_REREGISTER)
		*events |= BIT(IB_EVENT_CLIENT_REREGISTER);
	port->prefix = prefix;
	port->lid = lid;
	port->lmc = lmc;
	port->sm_lid = sm_lid;
	port->sm_sl = sm_sl;
	port->timeout = want->clientrereg_resv_subnetto & 0x1f;
	if (want->neighbormtu_mastersmsl >> 4)
		port->mtu = min_t(u8, want->neighbormtu_mastersmsl >> 4, IB_MTU_4096);
	port->kept.info.mkey = want->mkey;
	port->kept.info.mkey_lease_period = want->mkey_lease_period;
	port->kept.info.vl_high_limit = want->vl_high_limit;
	port->kept.info.vlstallcnt_hoqlife = want->vlstallcnt_hoqlife;
	port->kept.info.localphyerrors_overrunerrors = want->localphyerrors_overrunerrors;
	smp_set_state(port, next, events);
	return 0;
}

/* Another port than the first is Ethernet, and no subnet manager's business; 0 is the one that was asked. */
static __be16 smp_port_info(struct fh_port *port, bool set, u32 number, void *data, u32 *events)
{
	__be16 status = 0;

	number &= 0xff;	/* above it are flags of the asker */
	if (number && number != FH_PORT_IB)
		return SMP_BAD_FIELD;
	if (set)
		status = smp_set_port_info(port, data, events);
	smp_get_port_info(port, data);
	return status;
}

static __be16 smp_pkey_table(struct fh_port *port, bool set, u32 block, void *data, u32 *events)
{
	__be16 *wire = data;
	u16 *pkeys;
	int i;

	block &= 0xffff;
	if (block >= FH_PKEYS / SMP_PKEYS)
		return SMP_BAD_FIELD;
	pkeys = port->pkeys + block * SMP_PKEYS;
	for (i = 0; i < SMP_PKEYS; i++) {
		if (set && pkeys[i] != be16_to_cpu(wire[i])) {
			pkeys[i] = be16_to_cpu(wire[i]);
			*events |= BIT(IB_EVENT_PKEY_CHANGE);
		}
		wire[i] = cpu_to_be16(pkeys[i]);
	}
	return 0;
}

/* Tables that a manager may write and that nothing here goes by. */
static void smp_keep(u8 *table, bool set, void *data)
{
	if (set)
		memcpy(table, data, IB_SMP_DATA_SIZE);
	else
		memcpy(data, table, IB_SMP_DATA_SIZE);
}

static __be16 smp_vl_arbitration(struct fh_port *port, bool set, u32 modifier, void *data)
{
	u32 part = modifier >> 16;

	if (part < 1 || part > FH_VLARB_PARTS)
		return SMP_BAD_FIELD;
	smp_keep(port->kept.vlarb[part - 1], set, data);
	return 0;
}

/* Called with fh_lock held. */
static __be16 smp_attribute(struct fh_dev *dev, struct ib_smp *smp, u32 *events)
{
	struct fh_port *port = &dev->port[0];
	bool set = smp->method == IB_MGMT_METHOD_SET;
	u32 modifier = be32_to_cpu(smp->attr_mod);

	if (!set)
		memset(smp->data, 0, sizeof(smp->data));
	switch (smp->attr_id) {
	case IB_SMP_ATTR_NODE_INFO:
		return set ? SMP_BAD_ATTRIBUTE : smp_get_node_info(dev, smp->data);
	case IB_SMP_ATTR_NODE_DESC:
		if (set)
			return SMP_BAD_ATTRIBUTE;
		memcpy(smp->data, dev->ib.node_desc, IB_DEVICE_NODE_DESC_MAX);
		return 0;
	case IB_SMP_ATTR_GUID_INFO:	/* a manager's GUIDs are confirmed and not kept: nobody has asked for one */
		return set ? 0 : smp_get_guid_info(dev, modifier, smp->data);
	case IB_SMP_ATTR_PORT_INFO:
		return smp_port_info(port, set, modifier, smp->data, events);
	case IB_SMP_ATTR_PKEY_TABLE:
		return smp_pkey_table(port, set, modifier, smp->data, events);
	case IB_SMP_ATTR_SL_TO_VL_TABLE:
		smp_keep(port->kept.sl2vl, set, smp->data);
		return 0;
	case SMP_MLNX_PORT_INFO:
		return 0;
	case IB_SMP_ATTR_VL_ARB_TABLE:
		return smp_vl_arbitration(port, set, modifier, smp->data);
	}
	return SMP_BAD_ATTRIBUTE;
}

static bool smp_directed(const struct ib_mad_hdr *header)
{
	return header->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE;
}

bool fh_is_smp(const struct ib_mad_hdr *header)
{
	return fh_smp && (smp_directed(header) || header->mgmt_class == IB_MGMT_CLASS_SUBN_LID_ROUTED);
}

int fh_smp_process(struct fh_dev *dev, const struct ib_mad *in, struct ib_mad *out)
{
	struct ib_smp *smp = (struct ib_smp *)out;
	unsigned long flags;
	u32 events = 0;
	int i;

	*out = *in;
	/* SMInfo is what a manager says of itself, and answers are for whoever has asked: ib_mad knows the program. */
	if ((smp->method != IB_MGMT_METHOD_GET && smp->method != IB_MGMT_METHOD_SET) || smp->attr_id == IB_SMP_ATTR_SM_INFO)
		return IB_MAD_RESULT_SUCCESS;
	spin_lock_irqsave(&fh_lock, flags);
	smp->status = smp_attribute(dev, smp, &events);
	spin_unlock_irqrestore(&fh_lock, flags);
	smp->method = IB_MGMT_METHOD_GET_RESP;
	if (smp_directed(&out->mad_hdr))
		smp->status |= IB_SMP_DIRECTION;
	for (i = 0; i < ARRAY_SIZE(smp_events); i++)
		if (events & BIT(smp_events[i]))
			fh_event(dev, FH_PORT_IB, smp_events[i]);
	return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY;
}

/* The cable has the first two adapters at its ends. */
static struct fh_dev *smp_other_end(const struct fh_dev *dev)	/* NULL: another machine's */
{
	struct fh_dev *end[2] = {}, *other;
	int found = 0;

	list_for_each_entry(other, &fh_devices, node) {
		end[found++] = other;
		if (found == ARRAY_SIZE(end))
			break;
	}
	if (fh_has_trunk())
		return dev ? NULL : end[0];
	return dev == end[0] ? end[1] : dev == end[1] ? end[0] : NULL;
}

/* The second adapter's cable leads nowhere where the first one's is the trunk. */
static bool smp_has_cable(const struct fh_packet *packet)
{
	return !packet->from || packet->from == list_first_entry(&fh_devices, struct fh_dev, node);
}

/*
 * Called with fh_lock held, for what QP0 sent: it arrives at a port that nobody has configured, too. False: its way
 * leads to another machine, if it leads anywhere.
 */
bool fh_smp_deliver(const struct fh_packet *packet)
{
	bool directed;
	struct fh_dev *to;
	struct fh_qp *qp;

	if (packet->dst_qpn || packet->len < sizeof(struct ib_smp))
		return true;
	directed = smp_directed((const void *)packet->data);
	to = directed ? smp_other_end(packet->from) : fh_find_lid(packet->dlid);
	if (!to)
		return directed && !smp_has_cable(packet);
	if (to->port[0].state < IB_PORT_INIT)
		return true;
	qp = fh_find_qp(&to->port[0], 0);
	if (qp && fh_accepts(qp, packet))
		fh_deliver(qp, packet);
	return true;
}
