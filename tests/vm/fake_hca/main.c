// SPDX-License-Identifier: GPL-2.0
/*
 * How fake adapters come into being: one for every QEMU "pci-testdev", so that udev, persistent names, unbind and bind
 * are the real thing, "virtual=N" more on platform devices, and one for each function of QEMU's "nvme", which can have
 * virtual ones (vf.c).
 */
#include <linux/err.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/platform_device.h>

#include "fake_hca.h"

#define FH_MAX_VIRTUAL	16
/* -device pci-testdev: Red Hat's vendor id, the device id of QEMU's test device. */
#define FH_PCI_VENDOR	0x1b36
#define FH_PCI_DEVICE	0x0005
/* -device nvme: the one device of QEMU 7.2 with virtual functions that needs nothing from its driver. */
#define FH_PCI_NVME	0x0010
#define FH_NVME_ADAPTER	4

static unsigned long long guid_base = 0xf4521403007bcba0ULL;
module_param_named(guid, guid_base, ullong, 0444);
MODULE_PARM_DESC(guid, "node GUID of the first adapter; the others follow in steps of 0x10");

static unsigned int virtual;
module_param(virtual, uint, 0444);
MODULE_PARM_DESC(virtual, "adapters to make on platform devices, besides those on the PCI bus");

static bool enhanced;
module_param(enhanced, bool, 0444);
MODULE_PARM_DESC(enhanced, "all adapters begin as Enhanced IPoIB: no connected mode");

static struct platform_device *virtual_devices[FH_MAX_VIRTUAL];

static int fh_probe_as(struct device *parent, const struct fh_vf *guids, bool ethernet)
{
	struct fh_dev *dev = fh_device_create(parent, guids, enhanced, ethernet);

	if (IS_ERR(dev))
		return PTR_ERR(dev);
	dev_set_drvdata(parent, dev);
	return 0;
}

static int fh_probe(struct device *parent, unsigned int n, bool ethernet)
{
	u64 guid = guid_base + 0x10ULL * n;
	const struct fh_vf guids = { .node_guid = guid, .port_guid = guid + FH_PORT_IB };
	int err = fh_probe_as(parent, &guids, ethernet);

	if (!err && !n)
		fh_dcb_create(dev_get_drvdata(parent));
	return err;
}

static void fh_remove(struct device *parent)
{
	struct fh_dev *dev = dev_get_drvdata(parent);

	fh_dcb_destroy(dev);
	dev_set_drvdata(parent, NULL);
	fh_device_destroy(dev);
}

/* Slots 8 to 15 are adapters 0 to 7, so the GUID follows the slot and not the order of discovery. */
static int fh_pci_probe(struct pci_dev *pci, const struct pci_device_id *id)
{
	if (pci->is_virtfn)
		return fh_probe_as(&pci->dev, fh_vf_of(pci), false);
	if (pci->device == FH_PCI_NVME)
		return fh_probe(&pci->dev, FH_NVME_ADAPTER, false);
	fh_types_reset(PCI_SLOT(pci->devfn) & 7);
	return fh_probe(&pci->dev, PCI_SLOT(pci->devfn) & 7, false);
}

int fh_make_again(struct pci_dev *pci, bool ethernet)
{
	fh_remove(&pci->dev);
	return fh_probe(&pci->dev, PCI_SLOT(pci->devfn) & 7, ethernet);
}

static void fh_pci_remove(struct pci_dev *pci)
{
	if (pci->is_physfn)
		pci_disable_sriov(pci);
	fh_remove(&pci->dev);
}

static const struct pci_device_id fh_pci_ids[] = {
	{ PCI_DEVICE(FH_PCI_VENDOR, FH_PCI_DEVICE) },
	{ PCI_DEVICE(FH_PCI_VENDOR, FH_PCI_NVME) },
	{ }
};
MODULE_DEVICE_TABLE(pci, fh_pci_ids);

static struct pci_driver fh_pci_driver = {
	.name = FH_NAME,
	.id_table = fh_pci_ids,
	.probe = fh_pci_probe,
	.remove = fh_pci_remove,
	.sriov_configure = fh_vf_configure,
	FH_PCI_GROUPS(fh_knob_groups),
};

static int fh_virtual_probe(struct platform_device *pdev)
{
	return fh_probe(&pdev->dev, 8 + pdev->id, false);
}

static fh_removed fh_virtual_remove(struct platform_device *pdev)
{
	fh_remove(&pdev->dev);
	return FH_REMOVED;
}

static struct platform_driver fh_virtual_driver = {
	.driver = { .name = FH_NAME, .dev_groups = fh_knob_groups },
	.probe = fh_virtual_probe,
	.remove = fh_virtual_remove,
};

static void fh_remove_virtual(void)
{
	int i;

	for (i = 0; i < FH_MAX_VIRTUAL; i++)
		if (!IS_ERR_OR_NULL(virtual_devices[i]))
			platform_device_unregister(virtual_devices[i]);
}

static int fh_add_virtual(void)
{
	unsigned int i;

	if (virtual > FH_MAX_VIRTUAL)
		return -EINVAL;
	for (i = 0; i < virtual; i++) {
		virtual_devices[i] = platform_device_register_simple(FH_NAME, i, NULL, 0);
		if (IS_ERR(virtual_devices[i]))
			return PTR_ERR(virtual_devices[i]);
	}
	return 0;
}

static int __init fh_init(void)
{
	int err = fh_fabric_init();

	if (err)
		return err;
	err = fh_knobs_init();
	if (err)
		goto no_knobs;
	err = platform_driver_register(&fh_virtual_driver);
	if (err)
		goto no_platform;
	err = pci_register_driver(&fh_pci_driver);
	if (err)
		goto no_pci;
	err = fh_add_virtual();
	if (!err)
		return 0;
	fh_remove_virtual();
	pci_unregister_driver(&fh_pci_driver);
no_pci:
	platform_driver_unregister(&fh_virtual_driver);
no_platform:
	fh_knobs_exit();
no_knobs:
	fh_fabric_exit();
	return err;
}

static void __exit fh_exit(void)
{
	fh_remove_virtual();
	pci_unregister_driver(&fh_pci_driver);
	platform_driver_unregister(&fh_virtual_driver);
	fh_knobs_exit();
	fh_fabric_exit();
}

module_init(fh_init);
module_exit(fh_exit);
MODULE_DESCRIPTION("fake InfiniBand adapter for the tests of rdmastate");
MODULE_AUTHOR("the rdmastate developers");
MODULE_LICENSE("GPL");
