// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual functions, as mlx5's InfiniBand ports have them (drivers/infiniband/hw/mlx5/ib_virt.c and core/sriov.c): each begins with
 * GUID 0 and a link that is down; what the physical function was told of one is kept when their number goes through 0, until the
 * driver leaves; a virtual function goes by its GUIDs when its driver is bound.
 */
#include <linux/if_link.h>
#include <linux/pci.h>

#include "fake_hca.h"

static struct fh_vf *fh_vf_at(struct ib_device *ib, int vf)
{
	struct fh_dev *dev = to_fh(ib);

	if (!dev_is_pci(dev->parent) || vf < 0 || vf >= pci_num_vf(to_pci_dev(dev->parent)) || vf >= FH_MAX_VFS)
		return NULL;
	return &dev->vf[vf];
}

static struct fh_dev *fh_physical(struct pci_dev *pci)
{
	return pci_get_drvdata(pci_physfn(pci));
}

/* Of a virtual function: what it is to be, by its physical one. */
const struct fh_vf *fh_vf_of(struct pci_dev *pci)
{
	return &fh_physical(pci)->vf[pci_iov_vf_id(pci)];
}

static enum ib_port_state fh_vf_state(const struct fh_dev *physical, int link_state)
{
	if (link_state == IFLA_VF_LINK_STATE_AUTO)
		return physical->port[0].state;
	return link_state == IFLA_VF_LINK_STATE_ENABLE ? IB_PORT_ACTIVE : IB_PORT_DOWN;
}

/* Called before the device is registered. */
void fh_vf_init(struct fh_dev *dev)
{
	struct pci_dev *pci = dev_is_pci(dev->parent) ? to_pci_dev(dev->parent) : NULL;
	int i;

	for (i = 0; i < FH_MAX_VFS; i++)
		dev->vf[i].link_state = IFLA_VF_LINK_STATE_DISABLE;
	dev->virtual = pci && pci->is_virtfn;
	if (dev->virtual)
		dev->port[0].state = fh_vf_state(fh_physical(pci), fh_vf_of(pci)->link_state);
}

/* The kernel has refused a change from one number to another already: this is from 0, or to 0. */
int fh_vf_configure(struct pci_dev *pci, int count)
{
	int err;

	if (!count) {
		pci_disable_sriov(pci);
		return 0;
	}
	err = pci_enable_sriov(pci, count);
	return err ? err : count;
}

static struct fh_dev *fh_virtual_device(struct fh_dev *physical, int vf)
{
	struct fh_dev *dev;

	list_for_each_entry(dev, &fh_devices, node)
		if (dev->virtual && fh_physical(to_pci_dev(dev->parent)) == physical && pci_iov_vf_id(to_pci_dev(dev->parent)) == vf)
			return dev;
	return NULL;
}

int fh_set_vf_link_state(struct ib_device *ib, int number, fh_port_number port, int state)
{
	struct fh_vf *vf = fh_vf_at(ib, number);
	struct fh_dev *virtual;

	if (!vf || state < 0 || state >= __IFLA_VF_LINK_STATE_MAX)
		return -EINVAL;
	vf->link_state = state;
	mutex_lock(&fh_devices_mutex);
	virtual = fh_virtual_device(to_fh(ib), number);
	if (virtual)
		fh_port_set_state(virtual, fh_vf_state(to_fh(ib), state));
	mutex_unlock(&fh_devices_mutex);
	return 0;
}

int fh_get_vf_config(struct ib_device *ib, int number, fh_port_number port, struct ifla_vf_info *info)
{
	const struct fh_vf *vf = fh_vf_at(ib, number);

	if (!vf)
		return -EINVAL;
	memset(info, 0, sizeof(*info));
	info->linkstate = vf->link_state;
	return 0;
}

int fh_get_vf_stats(struct ib_device *ib, int number, fh_port_number port, struct ifla_vf_stats *stats)
{
	return fh_vf_at(ib, number) ? 0 : -EINVAL;
}

int fh_get_vf_guid(struct ib_device *ib, int number, fh_port_number port, struct ifla_vf_guid *node, struct ifla_vf_guid *guid)
{
	const struct fh_vf *vf = fh_vf_at(ib, number);

	if (!vf)
		return -EINVAL;
	node->guid = vf->node_guid;
	guid->guid = vf->port_guid;
	return 0;
}

int fh_set_vf_guid(struct ib_device *ib, int number, fh_port_number port, u64 guid, int type)
{
	struct fh_vf *vf = fh_vf_at(ib, number);

	if (!vf)
		return -EINVAL;
	if (type == IFLA_VF_IB_NODE_GUID)
		vf->node_guid = guid;
	else if (type == IFLA_VF_IB_PORT_GUID)
		vf->port_guid = guid;
	else
		return -EINVAL;
	return 0;
}
