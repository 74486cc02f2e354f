// SPDX-License-Identifier: GPL-2.0
/*
 * A network device whose driver has DCB (IEEE 802.1Qaz) as mlx5 has it: flow control by priority, one priority for each
 * DSCP, trust in DSCP while there is one, traffic classes that begin as the vendor's, receive buffers, counters. It carries
 * nothing. Parameter dcb=1 makes "dcb0" for port 2 of the first adapter, dcb_late=SECONDS after its RDMA device: drivers
 * promise no order. /sys/class/net/dcb0/dcb/: pfc_sets, app_sets, ets_sets and buffer_sets count what was asked for, equal or
 * not; bounces what it cost.
 */
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/workqueue.h>
#include <net/dcbnl.h>

#include "fake_hca.h"

#define FH_DSCPS	64
#define FH_PFC_MOST	8
#define FH_BUFFER_CELL	128
#define FH_BUFFER_FIRST	(256 * 1024)
#define FH_BUFFER_TOTAL	(1024 * 1024)
/*
 * What a buffer with flow control has to take after the pause: calculate_xoff() of mlx5 for 7 m of cable, 40 Gb/s and MTU
 * 1500, and a packet of the largest MTU (update_xoff_threshold()).
 */
#define FH_UNDER_WAY	((301 + 15) * 40 + 272 * 15 + 9216 + FH_BUFFER_CELL)

static bool dcb;
module_param(dcb, bool, 0444);
MODULE_PARM_DESC(dcb, "make dcb0, a network device with DCB");

static uint dcb_late;
module_param(dcb_late, uint, 0444);
MODULE_PARM_DESC(dcb_late, "seconds from the RDMA device to dcb0");

struct fh_dcb {
	u8 pfc;
	u16 delay;
	u8 priority[FH_DSCPS];
	unsigned int entries;
	u8 tc_tsa[IEEE_8021QAZ_MAX_TCS];
	u8 tc_tx_bw[IEEE_8021QAZ_MAX_TCS];
	u8 prio_tc[IEEE_8021QAZ_MAX_TCS];
	u8 dcbx;
	u8 prio2buffer[IEEE_8021QAZ_MAX_TCS];
	u32 buffer_size[DCBX_MAX_BUFFERS];
	unsigned int pfc_sets, app_sets, ets_sets, buffer_sets, bounces;
};

static struct net_device *fh_dcb_dev;
static struct fh_dev *fh_dcb_owner;

static int fh_getpfc(struct net_device *dev, struct ieee_pfc *pfc)
{
	struct fh_dcb *own = netdev_priv(dev);

	pfc->pfc_cap = FH_PFC_MOST;
	pfc->pfc_en = own->pfc;
	pfc->delay = own->delay;
	return 0;
}

static void fh_bounce(struct net_device *dev)
{
	struct fh_dcb *own = netdev_priv(dev);

	own->bounces++;
	netif_carrier_off(dev);
	netif_carrier_on(dev);
}

static unsigned long fh_lossless(u8 pfc, const u8 *prio2buffer)
{
	unsigned long found = 0;
	int i;

	for (i = 0; i < IEEE_8021QAZ_MAX_TCS; i++)
		if (pfc & BIT(i))
			found |= BIT(prio2buffer[i]);
	return found;
}

static int fh_check_lossless(unsigned long which, const u32 *sizes, int of_empty)
{
	int i;

	for_each_set_bit(i, &which, DCBX_MAX_BUFFERS)
		if (!sizes[i])
			return of_empty;
		else if (sizes[i] < FH_UNDER_WAY)
			return -ENOMEM;
	return 0;
}

static int fh_check_flow(struct fh_dcb *own, u8 pfc)
{
	return fh_check_lossless(fh_lossless(pfc, own->prio2buffer), own->buffer_size, -ENOMEM);
}

/* mlx5e_dcbnl_ieee_setpfc(): the link goes down and up when the priorities change. */
static int fh_setpfc(struct net_device *dev, struct ieee_pfc *pfc)
{
	struct fh_dcb *own = netdev_priv(dev);

	own->pfc_sets++;
	if (own->pfc != pfc->pfc_en)
		fh_bounce(dev);
	own->pfc = pfc->pfc_en;
	own->delay = pfc->delay;
	/* Once buffers are set by hand they are the driver's, which judges them, with flow control set already. */
	return own->buffer_sets ? fh_check_flow(own, pfc->pfc_en) : 0;
}

/* mlx5e_dcbnl_ieee_setapp(): DSCP alone; the old entry goes, the first one changes what is trusted. */
static int fh_setapp(struct net_device *dev, struct dcb_app *app)
{
	struct fh_dcb *own = netdev_priv(dev);
	struct dcb_app old = { .selector = IEEE_8021QAZ_APP_SEL_DSCP, .protocol = app->protocol };

	own->app_sets++;
	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP || app->protocol >= FH_DSCPS)
		return -EINVAL;
	if (!own->entries)
		fh_bounce(dev);
	old.priority = own->priority[app->protocol];
	own->priority[app->protocol] = app->priority;
	own->entries += !!dcb_ieee_delapp(dev, &old);
	return dcb_ieee_setapp(dev, app);
}

static int fh_delapp(struct net_device *dev, struct dcb_app *app)
{
	struct fh_dcb *own = netdev_priv(dev);
	int err;

	own->app_sets++;
	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP || app->protocol >= FH_DSCPS)
		return -EINVAL;
	if (!own->entries || app->priority != own->priority[app->protocol])
		return -ENOENT;
	err = dcb_ieee_delapp(dev, app);
	if (err)
		return err;
	own->priority[app->protocol] = 0;
	if (!--own->entries)
		fh_bounce(dev);
	return 0;
}

/* mlx5e_dcbnl_ieee_getets(): neither willing nor what is recommended is kept. */
static int fh_getets(struct net_device *dev, struct ieee_ets *ets)
{
	struct fh_dcb *own = netdev_priv(dev);

	ets->ets_cap = IEEE_8021QAZ_MAX_TCS;
	memcpy(ets->tc_tsa, own->tc_tsa, sizeof(ets->tc_tsa));
	memcpy(ets->tc_tx_bw, own->tc_tx_bw, sizeof(ets->tc_tx_bw));
	memcpy(ets->prio_tc, own->prio_tc, sizeof(ets->prio_tc));
	return 0;
}

/*
 * What mlx5e_dcbnl_ieee_getets() makes of mlx5e_build_tc_group() and mlx5e_build_tc_tx_bw(): what is not shared has 100
 * percent. Shared classes with 0 are a group of their own, which has 100 together, and read back as 0 only while another
 * class has less than 100.
 */
static void fh_read_back(struct fh_dcb *own, const struct ieee_ets *ets)
{
	int zeros = 0, last = 0, i;
	bool part = false;

	for (i = 0; i < IEEE_8021QAZ_MAX_TCS; i++) {
		own->tc_tx_bw[i] = ets->tc_tsa[i] == IEEE_8021QAZ_TSA_ETS ? ets->tc_tx_bw[i] : 100;
		part |= own->tc_tx_bw[i] && own->tc_tx_bw[i] < 100;
		if (own->tc_tx_bw[i])
			continue;
		zeros++;
		last = i;
	}
	if (part || !zeros)
		return;
	for (i = 0; i < IEEE_8021QAZ_MAX_TCS; i++)
		if (!own->tc_tx_bw[i])
			own->tc_tx_bw[i] = 100 / zeros + (i == last ? 100 % zeros : 0);
}

/* mlx5e_dbcnl_validate_ets(). The link stays up. */
static int fh_setets(struct net_device *dev, struct ieee_ets *ets)
{
	struct fh_dcb *own = netdev_priv(dev);
	bool shared = false;
	int sum = 0, i;

	own->ets_sets++;
	for (i = 0; i < IEEE_8021QAZ_MAX_TCS; i++) {
		if (ets->prio_tc[i] >= IEEE_8021QAZ_MAX_TCS)
			return -EINVAL;
		if (ets->tc_tsa[i] != IEEE_8021QAZ_TSA_ETS)
			continue;
		shared = true;
		sum += ets->tc_tx_bw[i];
	}
	if (shared && sum != 100)
		return -EINVAL;
	fh_read_back(own, ets);
	memcpy(own->tc_tsa, ets->tc_tsa, sizeof(own->tc_tsa));
	memcpy(own->prio_tc, ets->prio_tc, sizeof(own->prio_tc));
	return 0;
}

/* mlx5e_ets_init(): the vendor's algorithm, and priority 1 below priority 0. */
static void fh_ets_init(struct fh_dcb *own)
{
	int i;

	for (i = 0; i < IEEE_8021QAZ_MAX_TCS; i++) {
		own->tc_tsa[i] = IEEE_8021QAZ_TSA_VENDOR;
		own->tc_tx_bw[i] = 100;
		own->prio_tc[i] = i;
	}
	own->prio_tc[0] = 1;
	own->prio_tc[1] = 0;
	own->buffer_size[0] = FH_BUFFER_FIRST;
	own->dcbx = DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE;
}

static int fh_getbuffer(struct net_device *dev, struct dcbnl_buffer *buffer)
{
	struct fh_dcb *own = netdev_priv(dev);

	memcpy(buffer->prio2buffer, own->prio2buffer, sizeof(buffer->prio2buffer));
	memcpy(buffer->buffer_size, own->buffer_size, sizeof(buffer->buffer_size));
	buffer->total_size = FH_BUFFER_TOTAL;
	return 0;
}

/*
 * mlx5e_port_manual_buffer_config(): where other buffers get flow control, they are judged by the sizes that are there; then
 * all by the new sizes.
 */
static int fh_check_buffers(struct fh_dcb *own, struct dcbnl_buffer *buffer)
{
	unsigned long after = fh_lossless(own->pfc, buffer->prio2buffer);
	u64 sum = 0;
	int err = 0, i;

	if (after != fh_lossless(own->pfc, own->prio2buffer))
		err = fh_check_lossless(after, own->buffer_size, -ENOMEM);
	if (!err)
		err = fh_check_lossless(after, buffer->buffer_size, -EINVAL);
	for (i = 0; i < DCBX_MAX_BUFFERS; i++)
		sum += buffer->buffer_size[i];
	return err ?: sum > FH_BUFFER_TOTAL ? -EINVAL : 0;
}

static int fh_setbuffer(struct net_device *dev, struct dcbnl_buffer *buffer)
{
	struct fh_dcb *own = netdev_priv(dev);
	int err = fh_check_buffers(own, buffer);
	int i;

	own->buffer_sets++;
	if (err)
		return err;
	memcpy(own->prio2buffer, buffer->prio2buffer, sizeof(own->prio2buffer));
	for (i = 0; i < DCBX_MAX_BUFFERS; i++)
		own->buffer_size[i] = rounddown(buffer->buffer_size[i], FH_BUFFER_CELL);
	return 0;
}

static u8 fh_getdcbx(struct net_device *dev)
{
	struct fh_dcb *own = netdev_priv(dev);

	return own->dcbx;
}

/* mlx5, ice and i40e do not let themselves be made lld-managed: here a scenario makes the firmware the owner. */
static u8 fh_setdcbx(struct net_device *dev, u8 mode)
{
	struct fh_dcb *own = netdev_priv(dev);

	own->dcbx = mode;
	return 0;
}

static const struct dcbnl_rtnl_ops fh_dcb_ops = {
	.ieee_getets = fh_getets,
	.ieee_setets = fh_setets,
	.ieee_getpfc = fh_getpfc,
	.ieee_setpfc = fh_setpfc,
	.ieee_setapp = fh_setapp,
	.ieee_delapp = fh_delapp,
	.dcbnl_getbuffer = fh_getbuffer,
	.dcbnl_setbuffer = fh_setbuffer,
	.getdcbx = fh_getdcbx,
	.setdcbx = fh_setdcbx,
};

/*
 * mlx5's names (en_stats.c): the pauses of priorities with flow control alone, behind others. What is counted never moves:
 * FH_DISCARDS, and FH_PAUSES plus the priority's number.
 */
#define FH_DISCARDS	5
#define FH_PAUSES	100

static int fh_counters(struct net_device *dev, int set)
{
	struct fh_dcb *own = netdev_priv(dev);

	return set == ETH_SS_STATS ? 2 + hweight8(own->pfc) : -EOPNOTSUPP;
}

static void fh_counter_names(struct net_device *dev, u32 set, u8 *data)
{
	struct fh_dcb *own = netdev_priv(dev);
	unsigned long pfc = own->pfc;
	int priority;

	strscpy(data, "rx_packets_phy", ETH_GSTRING_LEN);
	strscpy(data + ETH_GSTRING_LEN, "rx_discards_phy", ETH_GSTRING_LEN);
	data += 2 * ETH_GSTRING_LEN;
	for_each_set_bit(priority, &pfc, IEEE_8021QAZ_MAX_TCS) {
		snprintf(data, ETH_GSTRING_LEN, "tx_prio%d_pause", priority);
		data += ETH_GSTRING_LEN;
	}
}

static void fh_counter_values(struct net_device *dev, struct ethtool_stats *stats, u64 *data)
{
	struct fh_dcb *own = netdev_priv(dev);
	unsigned long pfc = own->pfc;
	int priority;

	*data++ = 0;
	*data++ = FH_DISCARDS;
	for_each_set_bit(priority, &pfc, IEEE_8021QAZ_MAX_TCS)
		*data++ = FH_PAUSES + priority;
}

static const struct ethtool_ops fh_dcb_ethtool_ops = {
	.get_sset_count = fh_counters,
	.get_strings = fh_counter_names,
	.get_ethtool_stats = fh_counter_values,
};

static netdev_tx_t fh_drop(struct sk_buff *skb, struct net_device *dev)
{
	dev_kfree_skb(skb);
	return NETDEV_TX_OK;
}

static const struct net_device_ops fh_dcb_netdev_ops = { .ndo_start_xmit = fh_drop };

#define FH_COUNTER(name)									\
static ssize_t name##_show(struct device *dev, struct device_attribute *attr, char *page)	\
{												\
	struct fh_dcb *own = netdev_priv(to_net_dev(dev));					\
												\
	return sysfs_emit(page, "%u\n", own->name);						\
}												\
static DEVICE_ATTR_RO(name)

FH_COUNTER(pfc_sets);
FH_COUNTER(app_sets);
FH_COUNTER(ets_sets);
FH_COUNTER(buffer_sets);
FH_COUNTER(bounces);

static struct attribute *fh_dcb_attrs[] = {
	&dev_attr_pfc_sets.attr,
	&dev_attr_app_sets.attr,
	&dev_attr_ets_sets.attr,
	&dev_attr_buffer_sets.attr,
	&dev_attr_bounces.attr,
	NULL
};

static const struct attribute_group fh_dcb_group = { .name = "dcb", .attrs = fh_dcb_attrs };

static int fh_dcb_add(struct fh_dev *dev)
{
	struct net_device *netdev = alloc_netdev(sizeof(struct fh_dcb), "dcb%d", NET_NAME_USER, ether_setup);
	int err;

	if (!netdev)
		return -ENOMEM;
	fh_ets_init(netdev_priv(netdev));
	netdev->netdev_ops = &fh_dcb_netdev_ops;
	netdev->dcbnl_ops = &fh_dcb_ops;
	netdev->ethtool_ops = &fh_dcb_ethtool_ops;
	netdev->sysfs_groups[0] = &fh_dcb_group;
	SET_NETDEV_DEV(netdev, dev->parent);
	eth_hw_addr_random(netdev);
	err = register_netdev(netdev);
	if (err) {
		free_netdev(netdev);
		return err;
	}
	fh_dcb_dev = netdev;
	return fh_set_netdev(dev, netdev);
}

static void fh_dcb_come(struct work_struct *work)
{
	int err = fh_dcb_add(fh_dcb_owner);

	if (err)
		dev_err(fh_dcb_owner->parent, "no network device with DCB: %d\n", err);
}
static DECLARE_DELAYED_WORK(fh_dcb_work, fh_dcb_come);

void fh_dcb_create(struct fh_dev *dev)
{
	if (!dcb)
		return;
	fh_dcb_owner = dev;
	schedule_delayed_work(&fh_dcb_work, dcb_late * HZ);
	if (!dcb_late)
		flush_delayed_work(&fh_dcb_work);
}

void fh_dcb_destroy(struct fh_dev *dev)
{
	if (dev != fh_dcb_owner)
		return;
	cancel_delayed_work_sync(&fh_dcb_work);
	fh_dcb_owner = NULL;
	if (!fh_dcb_dev)
		return;
	unregister_netdev(fh_dcb_dev);
	free_netdev(fh_dcb_dev);
	fh_dcb_dev = NULL;
}
