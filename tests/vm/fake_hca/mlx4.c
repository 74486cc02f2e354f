// SPDX-License-Identifier: GPL-2.0
/*
 * With mlx4=1: ports that are what they are told, as mlx4_core has them (set_port_type() in
 * drivers/net/ethernet/mellanox/mlx4/main.c). mlx4_port1 and mlx4_port2 in the PCI function's directory take "ib", "eth" and
 * "auto", each with its newline. Port 1 can be both, and is InfiniBand at first; port 2 can be Ethernet alone. A change
 * takes the RDMA device with all its interfaces away and makes it anew.
 */
#include <linux/module.h>
#include <linux/pci.h>

#include "fake_hca.h"

#define FH_ADAPTERS	8

/* As enum mlx4_port_type: a bit each, and AUTO is both. */
enum { FH_IB = 1, FH_ETH = 2, FH_AUTO = 3 };

static bool mlx4;
module_param(mlx4, bool, 0444);
MODULE_PARM_DESC(mlx4, "the types of ports can be chosen, as mlx4's can");

static const u8 fh_supported[2] = { FH_AUTO, FH_ETH };
static struct {
	u8 told[2];
	bool ethernet;		/* what port 1 is */
} fh_types[FH_ADAPTERS];

static const char *fh_type_name(unsigned int type)
{
	return type == FH_IB ? "ib" : type == FH_ETH ? "eth" : "auto";
}

void fh_types_reset(unsigned int adapter)
{
	fh_types[adapter].told[0] = FH_IB;
	fh_types[adapter].told[1] = FH_ETH;
	fh_types[adapter].ethernet = false;
}

static unsigned int fh_adapter(struct device *parent)
{
	return PCI_SLOT(to_pci_dev(parent)->devfn) & 7;
}

static ssize_t fh_type_show(struct device *parent, char *page, unsigned int port)
{
	unsigned int adapter = fh_adapter(parent);
	u8 told = fh_types[adapter].told[port];
	bool ethernet = port || fh_types[adapter].ethernet;

	if (told == FH_AUTO)
		return sysfs_emit(page, "auto (%s)\n", ethernet ? "eth" : "ib");
	return sysfs_emit(page, "%s\n", fh_type_name(told));
}

static ssize_t fh_type_store(struct device *parent, const char *text, size_t len, unsigned int port)
{
	unsigned int adapter = fh_adapter(parent);
	bool ethernet;
	u8 type;
	int err;

	if (!strcmp(text, "ib\n"))
		type = FH_IB;
	else if (!strcmp(text, "eth\n"))
		type = FH_ETH;
	else if (!strcmp(text, "auto\n"))
		type = FH_AUTO;
	else
		return -EINVAL;
	if ((type & fh_supported[port]) != type)
		return -EOPNOTSUPP;
	fh_types[adapter].told[port] = type;
	ethernet = type == FH_ETH;
	if (port || type == FH_AUTO || ethernet == fh_types[adapter].ethernet)
		return len;
	fh_types[adapter].ethernet = ethernet;
	err = fh_make_again(to_pci_dev(parent), ethernet);
	return err ? err : len;
}

static ssize_t mlx4_port1_show(struct device *parent, struct device_attribute *attr, char *page)
{
	return fh_type_show(parent, page, 0);
}

static ssize_t mlx4_port1_store(struct device *parent, struct device_attribute *attr, const char *text, size_t len)
{
	return fh_type_store(parent, text, len, 0);
}
static DEVICE_ATTR_RW(mlx4_port1);

static ssize_t mlx4_port2_show(struct device *parent, struct device_attribute *attr, char *page)
{
	return fh_type_show(parent, page, 1);
}

static ssize_t mlx4_port2_store(struct device *parent, struct device_attribute *attr, const char *text, size_t len)
{
	return fh_type_store(parent, text, len, 1);
}
static DEVICE_ATTR_RW(mlx4_port2);

static struct attribute *fh_types_attrs[] = {
	&dev_attr_mlx4_port1.attr,
	&dev_attr_mlx4_port2.attr,
	NULL
};

static umode_t fh_types_visible(struct kobject *parent, struct attribute *attr, int n)
{
	struct device *device = kobj_to_dev(parent);

	return mlx4 && dev_is_pci(device) && pci_is_root_bus(to_pci_dev(device)->bus) ? attr->mode : 0;
}

const struct attribute_group fh_types_group = {
	.attrs = fh_types_attrs,
	.is_visible = fh_types_visible,
};
