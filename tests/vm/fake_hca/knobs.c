// SPDX-License-Identifier: GPL-2.0
/*
 * What a test can turn: /sys/class/infiniband/NAME/device/fake/
 *   state     active | armed | init | down (port 1)
 *   sm        1 | 0
 *   pkeys     "+0x8105" grants, "-0x8002" takes away, "7 0x8007" writes entry 7
 *   netdev    network device of port 2, settable while it has none
 *   enhanced  1 before ib_ipoib makes its interfaces: they then have no connected mode
 *   fail      "OPERATION COUNT ERRNO" (fail.c)
 * They belong to the parent device, so they are gone while the driver is unbound and back at their defaults afterwards.
 */
#include <linux/device.h>
#include <linux/if_arp.h>
#include <linux/netdevice.h>
#include <net/net_namespace.h>

#include "fake_hca.h"

static const char *const fh_states[] = {
	[IB_PORT_NOP] = "nop",
	[IB_PORT_DOWN] = "down",
	[IB_PORT_INIT] = "init",
	[IB_PORT_ARMED] = "armed",
	[IB_PORT_ACTIVE] = "active",
};

static ssize_t state_show(struct device *parent, struct device_attribute *attr, char *page)
{
	struct fh_dev *dev = dev_get_drvdata(parent);

	return sysfs_emit(page, "%s\n", fh_states[dev->port[0].state]);
}

static ssize_t state_store(struct device *parent, struct device_attribute *attr, const char *text, size_t len)
{
	int state = sysfs_match_string(fh_states, text);

	if (state < IB_PORT_DOWN)
		return -EINVAL;
	fh_port_set_state(dev_get_drvdata(parent), state);
	return len;
}
static DEVICE_ATTR_RW(state);

static ssize_t sm_show(struct device *parent, struct device_attribute *attr, char *page)
{
	struct fh_dev *dev = dev_get_drvdata(parent);

	return sysfs_emit(page, "%d\n", dev->port[0].sm);
}

static ssize_t sm_store(struct device *parent, struct device_attribute *attr, const char *text, size_t len)
{
	bool present;
	int err = kstrtobool(text, &present);

	if (err)
		return err;
	fh_port_set_sm(dev_get_drvdata(parent), present);
	return len;
}
static DEVICE_ATTR_RW(sm);

static ssize_t pkeys_store(struct device *parent, struct device_attribute *attr, const char *text, size_t len)
{
	struct fh_dev *dev = dev_get_drvdata(parent);
	int index, pkey, err;

	if (sscanf(text, "+%i", &pkey) == 1)
		err = fh_port_add_pkey(dev, pkey);
	else if (sscanf(text, "-%i", &pkey) == 1)
		err = fh_port_remove_pkey(dev, pkey);
	else if (sscanf(text, "%d %i", &index, &pkey) == 2)
		err = fh_port_set_pkey(dev, index, pkey);
	else
		err = -EINVAL;
	return err ? err : len;
}
static DEVICE_ATTR_WO(pkeys);

static ssize_t enhanced_show(struct device *parent, struct device_attribute *attr, char *page)
{
	struct fh_dev *dev = dev_get_drvdata(parent);

	return sysfs_emit(page, "%d\n", dev->enhanced);
}

static ssize_t enhanced_store(struct device *parent, struct device_attribute *attr, const char *text, size_t len)
{
	struct fh_dev *dev = dev_get_drvdata(parent);
	int err = kstrtobool(text, &dev->enhanced);

	return err ? err : len;
}
static DEVICE_ATTR_RW(enhanced);

static ssize_t netdev_show(struct device *parent, struct device_attribute *attr, char *page)
{
	struct fh_dev *dev = dev_get_drvdata(parent);
	ssize_t len;

	mutex_lock(&fh_devices_mutex);
	len = sysfs_emit(page, "%s\n", dev->netdev ? dev->netdev->name : "none");
	mutex_unlock(&fh_devices_mutex);
	return len;
}

/* Only once: ib_core has no way to take a living device's GIDs away again. */
int fh_set_netdev(struct fh_dev *dev, struct net_device *netdev)
{
	int err;

	mutex_lock(&fh_devices_mutex);
	err = dev->netdev ? -EBUSY : ib_device_set_netdev(&dev->ib, netdev, FH_PORT_ROCE);
	if (!err)
		dev->netdev = netdev;
	mutex_unlock(&fh_devices_mutex);
	if (err)
		return err;
	rdma_roce_rescan_device(&dev->ib);
	fh_event(dev, FH_PORT_ROCE, IB_EVENT_PORT_ACTIVE);
	return 0;
}

static ssize_t netdev_store(struct device *parent, struct device_attribute *attr, const char *text, size_t len)
{
	struct fh_dev *dev = dev_get_drvdata(parent);
	struct net_device *netdev;
	char name[IFNAMSIZ];
	int err;

	if (sscanf(text, "%15s", name) != 1)
		return -EINVAL;
	netdev = dev_get_by_name(&init_net, name);
	if (!netdev)
		return -ENODEV;
	err = fh_set_netdev(dev, netdev);
	dev_put(netdev);
	return err ? err : len;
}
static DEVICE_ATTR_RW(netdev);

static ssize_t fail_show(struct device *parent, struct device_attribute *attr, char *page)
{
	return fh_fail_show(dev_get_drvdata(parent), page);
}

static ssize_t fail_store(struct device *parent, struct device_attribute *attr, const char *text, size_t len)
{
	int err = fh_fail_set(dev_get_drvdata(parent), text);

	return err ? err : len;
}
static DEVICE_ATTR_RW(fail);

static struct attribute *fh_knobs[] = {
	&dev_attr_state.attr,
	&dev_attr_sm.attr,
	&dev_attr_pkeys.attr,
	&dev_attr_netdev.attr,
	&dev_attr_enhanced.attr,
	&dev_attr_fail.attr,
	NULL
};

static const struct attribute_group fh_knob_group = {
	.name = "fake",
	.attrs = fh_knobs,
};

const struct attribute_group *fh_knob_groups[] = { &fh_knob_group, &fh_types_group, NULL };

/* The adapter under an IPoIB interface: a child has no device parent, only a link to the parent interface. */
static bool fh_is_on(struct fh_dev *dev, struct net_device *netdev)
{
	int lower = dev_get_iflink(netdev);

	if (lower != netdev->ifindex)
		netdev = __dev_get_by_index(dev_net(netdev), lower);
	return netdev && netdev->dev.parent == dev->parent;
}

/*
 * ib_ipoib takes byte 0, bit 7 of its own address as "connected mode works", and sets it before it registers the
 * interface. Cleared here, connected mode is refused from then on: what Enhanced IPoIB looks like from outside.
 */
static void fh_hide_connected_mode(struct fh_dev *dev, struct net_device *netdev)
{
	u8 flags = netdev->dev_addr[0] & 0x7f;

	if (dev->enhanced && netdev->type == ARPHRD_INFINIBAND && fh_is_on(dev, netdev))
		dev_addr_mod(netdev, 0, &flags, 1);
}

static void fh_roce_event(struct fh_dev *dev, struct net_device *netdev, unsigned long event)
{
	if (dev->netdev != netdev)
		return;
	if (event == NETDEV_UNREGISTER) {
		dev->netdev = NULL;
		ib_device_set_netdev(&dev->ib, NULL, FH_PORT_ROCE);
		fh_event(dev, FH_PORT_ROCE, IB_EVENT_PORT_ERR);
	} else if (event == NETDEV_UP) {
		fh_event(dev, FH_PORT_ROCE, IB_EVENT_PORT_ACTIVE);
	} else if (event == NETDEV_DOWN) {
		fh_event(dev, FH_PORT_ROCE, IB_EVENT_PORT_ERR);
	}
}

static int fh_netdev_event(struct notifier_block *block, unsigned long event, void *info)
{
	struct net_device *netdev = netdev_notifier_info_to_dev(info);
	struct fh_dev *dev;

	mutex_lock(&fh_devices_mutex);
	list_for_each_entry(dev, &fh_devices, node) {
		if (event == NETDEV_REGISTER)
			fh_hide_connected_mode(dev, netdev);
		fh_roce_event(dev, netdev, event);
	}
	mutex_unlock(&fh_devices_mutex);
	return NOTIFY_DONE;
}

static struct notifier_block fh_netdev_notifier = { .notifier_call = fh_netdev_event };

int fh_knobs_init(void)
{
	return register_netdevice_notifier(&fh_netdev_notifier);
}

void fh_knobs_exit(void)
{
	unregister_netdevice_notifier(&fh_netdev_notifier);
}
