// SPDX-License-Identifier: GPL-2.0
/*
 * A network device whose driver has DCB (IEEE 802.1Qaz) as mlx5 has it: flow control by priority, one priority for each
 * DSCP, trust in DSCP while there is one. It carries nothing. Parameter dcb=1 makes "dcb0" for port 2 of the first
 * adapter, dcb_late=SECONDS after its RDMA device: drivers promise no order.
 * /sys/class/net/dcb0/dcb/: pfc_sets and app_sets count what was asked for, equal or not; bounces what it cost.
 */
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/workqueue.h>
#include <net/dcbnl.h>

#include "fake_hca.h"

#define FH_DSCPS	64
#define FH_PFC_MOST	8

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
	unsigned int pfc_sets, app_sets, bounces;
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

/* mlx5e_dcbnl_ieee_setpfc(): the link goes down and up when the priorities change. */
static int fh_setpfc(struct net_device *dev, struct ieee_pfc *pfc)
{
	struct fh_dcb *own = netdev_priv(dev);

	own->pfc_sets++;
	if (own->pfc != pfc->pfc_en)
		fh_bounce(dev);
	own->pfc = pfc->pfc_en;
	own->delay = pfc->delay;
	return 0;
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

static u8 fh_getdcbx(struct net_device *dev)
{
	return DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE;
}

static const struct dcbnl_rtnl_ops fh_dcb_ops = {
	.ieee_getpfc = fh_getpfc,
	.ieee_setpfc = fh_setpfc,
	.ieee_setapp = fh_setapp,
	.ieee_delapp = fh_delapp,
	.getdcbx = fh_getdcbx,
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
FH_COUNTER(bounces);

static struct attribute *fh_dcb_attrs[] = {
	&dev_attr_pfc_sets.attr,
	&dev_attr_app_sets.attr,
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
	netdev->netdev_ops = &fh_dcb_netdev_ops;
	netdev->dcbnl_ops = &fh_dcb_ops;
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
