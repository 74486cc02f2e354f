// SPDX-License-Identifier: GPL-2.0
/*
 * Ports. Port 1 is InfiniBand: state, LID, subnet manager and P_Key table are ours to change at run time (knobs.c).
 * Port 2 is Ethernet (RoCE v1 and v2): it is whatever its network device is, and carries nothing.
 */
#include <linux/netdevice.h>
#include <rdma/ib_addr.h>

#include "fake_hca.h"

/* Physical states of a port, as ib_core prints them. */
enum { PHYS_POLLING = 2, PHYS_DISABLED = 3, PHYS_LINK_UP = 5 };

static u16 fh_free_lid(void)
{
	u16 lid = FH_FIRST_LID;

	while (fh_find_lid(lid))
		lid++;
	return lid;
}

/* Called with fh_lock held, before the device is in fh_devices. */
void fh_ports_init(struct fh_dev *dev)
{
	struct fh_port *ib = &dev->port[0];
	u32 i;

	ib->number = FH_PORT_IB;
	ib->state = IB_PORT_ACTIVE;
	ib->lid = fh_free_lid();
	ib->prefix = FH_SUBNET;
	ib->sm_lid = FH_SM_LID;
	ib->mtu = IB_MTU_4096;
	ib->timeout = 18;
	ib->caps = IB_PORT_CM_SUP | IB_PORT_CLIENT_REG_SUP;
	ib->sm = true;
	ib->pkeys[0] = IB_DEFAULT_PKEY_FULL;
	/* Enough for a bench; the rest of the table is free, so that a test can grant one more. */
	for (i = 1; i <= FH_GRANTED; i++)
		ib->pkeys[i] = 0x8000 | i;
	if (fh_smp)
		fh_smp_reset(ib);

	dev->port[1].number = FH_PORT_ROCE;
	dev->port[1].pkeys[0] = IB_DEFAULT_PKEY_FULL;
}

void fh_event(struct fh_dev *dev, u32 port, enum ib_event_type type)
{
	struct ib_event event = { .device = &dev->ib, .element.port_num = port, .event = type };

	ib_dispatch_event(&event);
}

void fh_port_set_state(struct fh_dev *dev, enum ib_port_state state)
{
	struct fh_port *port = &dev->port[0];
	bool was_active, is_active = state == IB_PORT_ACTIVE;

	spin_lock_irq(&fh_lock);
	was_active = port->state == IB_PORT_ACTIVE;
	port->state = state;
	spin_unlock_irq(&fh_lock);
	if (was_active != is_active)
		fh_event(dev, FH_PORT_IB, is_active ? IB_EVENT_PORT_ACTIVE : IB_EVENT_PORT_ERR);
}

/* A manager that comes back asks everybody to register anew, as opensm does. */
void fh_port_set_sm(struct fh_dev *dev, bool present)
{
	spin_lock_irq(&fh_lock);
	dev->port[0].sm = present;
	spin_unlock_irq(&fh_lock);
	fh_event(dev, FH_PORT_IB, IB_EVENT_SM_CHANGE);
	if (present)
		fh_event(dev, FH_PORT_IB, IB_EVENT_CLIENT_REREGISTER);
}

bool fh_pkeys_match(u16 a, u16 b)
{
	/* Two limited members do not hear each other; 0 is an empty entry. */
	return (a & 0x7fff) && (a & 0x7fff) == (b & 0x7fff) && ((a | b) & 0x8000);
}

int fh_pkey_index(const struct fh_port *port, u16 pkey)
{
	int i;

	for (i = 0; i < FH_PKEYS; i++)
		if (fh_pkeys_match(port->pkeys[i], pkey))
			return i;
	return -ENOENT;
}

int fh_port_set_pkey(struct fh_dev *dev, u32 index, u16 pkey)
{
	if (index >= FH_PKEYS)
		return -ERANGE;
	spin_lock_irq(&fh_lock);
	dev->port[0].pkeys[index] = pkey;
	spin_unlock_irq(&fh_lock);
	fh_event(dev, FH_PORT_IB, IB_EVENT_PKEY_CHANGE);
	return 0;
}

static int fh_replace_pkey(struct fh_dev *dev, u16 from, u16 to)
{
	int i;

	for (i = 0; i < FH_PKEYS; i++)
		if (dev->port[0].pkeys[i] == from)
			return fh_port_set_pkey(dev, i, to);
	return -ENOENT;
}

int fh_port_add_pkey(struct fh_dev *dev, u16 pkey)
{
	return fh_replace_pkey(dev, 0, pkey);
}

int fh_port_remove_pkey(struct fh_dev *dev, u16 pkey)
{
	return fh_replace_pkey(dev, pkey, 0);
}

/* Port 1 of an adapter whose ports have types (mlx4.c) may be Ethernet too; it then has no network device. */
static bool fh_is_ib(const struct fh_dev *dev, u32 port)
{
	return port == FH_PORT_IB && !dev->ethernet;
}

static void fh_query_ib_port(const struct fh_port *port, struct ib_port_attr *attr)
{
	bool linked = port->state >= IB_PORT_INIT;
	/* A port that nobody has configured yet has no addresses; one that waits for a manager has what that one gave it. */
	bool managed = port->state >= IB_PORT_ARMED || fh_smp;

	attr->subnet_prefix = port->prefix;
	attr->state = port->state;
	attr->phys_state = linked ? PHYS_LINK_UP : PHYS_POLLING;
	attr->lid = managed ? port->lid : 0;
	attr->sm_lid = managed && port->sm ? port->sm_lid : 0;
	attr->sm_sl = port->sm_sl;
	attr->lmc = port->lmc;
	attr->max_mtu = IB_MTU_4096;
	attr->active_mtu = port->mtu;
	attr->pkey_tbl_len = FH_PKEYS;
	attr->port_cap_flags = port->caps;
	attr->active_width = IB_WIDTH_4X;
	attr->active_speed = IB_SPEED_EDR;
	attr->subnet_timeout = port->timeout;
}

static void fh_query_roce_port(struct net_device *netdev, struct ib_port_attr *attr)
{
	bool up = netdev && netif_running(netdev) && netif_carrier_ok(netdev);

	attr->state = up ? IB_PORT_ACTIVE : IB_PORT_DOWN;
	attr->phys_state = up ? PHYS_LINK_UP : PHYS_DISABLED;
	attr->max_mtu = IB_MTU_4096;
	attr->active_mtu = netdev ? iboe_get_mtu(netdev->mtu) : IB_MTU_256;
	attr->ip_gids = true;
	attr->pkey_tbl_len = 1;
	attr->active_width = IB_WIDTH_4X;
	attr->active_speed = IB_SPEED_EDR;
}

int fh_query_port(struct ib_device *ib, fh_port_number port, struct ib_port_attr *attr)
{
	struct fh_dev *dev = to_fh(ib);
	int err = fh_fail(dev, FH_QUERY_PORT);

	if (err)
		return err;
	attr->gid_tbl_len = FH_GIDS;
	attr->max_msg_sz = 1U << 31;
	attr->max_vl_num = 1;
	if (fh_is_ib(dev, port))
		fh_query_ib_port(&dev->port[0], attr);
	else
		fh_query_roce_port(port == FH_PORT_ROCE ? dev->netdev : NULL, attr);
	return 0;
}

/* A subnet manager that opens /dev/infiniband/issmN makes ib_core set IsSM here, and clear it when that is closed. */
int fh_modify_port(struct ib_device *ib, fh_port_number number, int mask, struct ib_port_modify *change)
{
	struct fh_port *port = &to_fh(ib)->port[number - 1];

	spin_lock_irq(&fh_lock);
	port->caps = (port->caps | change->set_port_cap_mask) & ~change->clr_port_cap_mask;
	spin_unlock_irq(&fh_lock);
	return 0;
}

int fh_query_pkey(struct ib_device *ib, fh_port_number port, u16 index, u16 *pkey)
{
	struct fh_dev *dev = to_fh(ib);
	int err = fh_fail(dev, FH_QUERY_PKEY);

	if (err)
		return err;
	if (index >= FH_PKEYS)
		return -EINVAL;
	*pkey = dev->port[port - 1].pkeys[index];
	return 0;
}

int fh_query_gid(struct ib_device *ib, fh_port_number port, int index, union ib_gid *gid)
{
	memset(gid, 0, sizeof(*gid));
	if (fh_is_ib(to_fh(ib), port) && index == 0)
		*gid = fh_gid(to_fh(ib));
	return 0;
}

int fh_port_immutable(struct ib_device *ib, fh_port_number port, struct ib_port_immutable *fixed)
{
	fixed->gid_tbl_len = FH_GIDS;
	fixed->max_mad_size = IB_MGMT_MAD_SIZE;
	if (fh_is_ib(to_fh(ib), port)) {
		fixed->pkey_tbl_len = FH_PKEYS;
		fixed->core_cap_flags = RDMA_CORE_PORT_IBA_IB;
	} else {
		fixed->pkey_tbl_len = 1;
		fixed->core_cap_flags = RDMA_CORE_PORT_IBA_ROCE | RDMA_CORE_PORT_IBA_ROCE_UDP_ENCAP;
	}
	return 0;
}

enum rdma_link_layer fh_link_layer(struct ib_device *ib, fh_port_number port)
{
	return fh_is_ib(to_fh(ib), port) ? IB_LINK_LAYER_INFINIBAND : IB_LINK_LAYER_ETHERNET;
}
