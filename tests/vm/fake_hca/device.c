// SPDX-License-Identifier: GPL-2.0
/* The adapter as ib_core sees it: its limits, its operations, and the objects that need no thought (PD, AH, MR). */
#include <linux/module.h>
#include <linux/slab.h>
#include <rdma/uverbs_ioctl.h>

#include "fake_hca.h"

LIST_HEAD(fh_devices);
DEFINE_MUTEX(fh_devices_mutex);

/* The HFI1 provider of rdma-core reads this word as its interface version when a program opens the device. */
#define FH_HFI1_ABI	2

struct fh_ucontext {
	struct ib_ucontext ib;
};

struct fh_pd {
	struct ib_pd ib;
};

static int fh_query_device(struct ib_device *ib, struct ib_device_attr *attr, struct ib_udata *udata)
{
	struct fh_dev *dev = to_fh(ib);

	*attr = (struct ib_device_attr) {
		.fw_ver = (2ULL << 32) | (42 << 16) | 5000,
		.sys_image_guid = cpu_to_be64(dev->guid + 3),
		.max_mr_size = ~0ULL,
		.page_size_cap = PAGE_SIZE,
		.vendor_id = FH_VENDOR,
		.vendor_part_id = FH_PART,
		/* ib_ipoib gives an interface of a virtual function no say over virtual functions. */
		FH_CAPABILITIES(dev->virtual),
		.max_qp = 1 << 17,
		.max_qp_wr = 1 << 14,
		.max_send_sge = FH_MAX_SGE,
		.max_recv_sge = FH_MAX_SGE,
		.max_sge_rd = FH_MAX_SGE,
		.max_cq = 1 << 16,
		.max_cqe = 1 << 22,
		.max_mr = 1 << 16,
		.max_pd = 1 << 16,
		.max_mcast_grp = 1 << 16,
		.max_mcast_qp_attach = 1 << 16,
		.max_total_mcast_qp_attach = INT_MAX,
		.max_ah = INT_MAX,
		.max_pkeys = FH_PKEYS,
		.local_ca_ack_delay = 15,
	};
	return 0;
}

static int fh_modify_device(struct ib_device *ib, int mask, struct ib_device_modify *change)
{
	if (mask & ~IB_DEVICE_MODIFY_NODE_DESC)
		return -EOPNOTSUPP;
	if (mask & IB_DEVICE_MODIFY_NODE_DESC)
		memcpy(ib->node_desc, change->node_desc, IB_DEVICE_NODE_DESC_MAX);
	return 0;
}

static void fh_firmware(struct ib_device *ib, char *text)
{
	strscpy(text, "2.42.5000", IB_FW_VERSION_NAME_MAX);
}

static int fh_alloc_ucontext(struct ib_ucontext *context, struct ib_udata *udata)
{
	u32 version = FH_HFI1_ABI;

	if (udata->outlen < sizeof(version))
		return 0;
	return ib_copy_to_udata(udata, &version, sizeof(version));
}

static void fh_dealloc_ucontext(struct ib_ucontext *context)
{
}

static int fh_alloc_pd(struct ib_pd *pd, struct ib_udata *udata)
{
	return 0;
}

static int fh_dealloc_pd(struct ib_pd *pd, struct ib_udata *udata)
{
	return 0;
}

static int fh_create_ah(struct ib_ah *ah, struct rdma_ah_init_attr *init, struct ib_udata *udata)
{
	container_of(ah, struct fh_ah, ib)->attr = *init->ah_attr;
	return 0;
}

static int fh_query_ah(struct ib_ah *ah, struct rdma_ah_attr *attr)
{
	*attr = container_of(ah, struct fh_ah, ib)->attr;
	return 0;
}

static int fh_destroy_ah(struct ib_ah *ah, u32 flags)
{
	return 0;
}

/* Memory registration exists for kernel users that insist on it; nothing here does remote DMA. */
static struct ib_mr *fh_get_dma_mr(struct ib_pd *pd, int access)
{
	struct ib_mr *mr = kzalloc(sizeof(*mr), GFP_KERNEL);

	return mr ? mr : ERR_PTR(-ENOMEM);
}

static struct ib_mr *fh_reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 address, int access,
				    FH_MR_HANDLE struct ib_udata *udata)
{
	return ERR_PTR(-EOPNOTSUPP);
}

static int fh_dereg_mr(struct ib_mr *mr, struct ib_udata *udata)
{
	kfree(mr);
	return 0;
}

/* Being there is what makes port 2 have a GID table managed by ib_core. */
static int fh_add_gid(const struct ib_gid_attr *attr, void **context)
{
	return 0;
}

static int fh_del_gid(const struct ib_gid_attr *attr, void **context)
{
	return 0;
}

/* Next to the GUIDs in /sys/class/infiniband/NAME, where ibstat and inventories look for them. */
static ssize_t hca_type_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "MT4099\n");
}
static DEVICE_ATTR_RO(hca_type);

static ssize_t board_id_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "FAKE_0000000001\n");
}
static DEVICE_ATTR_RO(board_id);

static ssize_t hw_rev_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "1\n");
}
static DEVICE_ATTR_RO(hw_rev);

static struct attribute *fh_inventory[] = {
	&dev_attr_hca_type.attr,
	&dev_attr_board_id.attr,
	&dev_attr_hw_rev.attr,
	NULL
};

static const struct attribute_group fh_inventory_group = { .attrs = fh_inventory };

static const struct ib_device_ops fh_ops = {
	.owner = THIS_MODULE,
	/* Never RXE or SIW: their drivers look devices up by this id and would take ours for theirs. */
	.driver_id = RDMA_DRIVER_HFI1,
	.uverbs_abi_ver = 1,
	FH_DEVICE_GROUP(fh_inventory_group)

	.query_device = fh_query_device,
	.modify_device = fh_modify_device,
	.get_dev_fw_str = fh_firmware,
	.query_port = fh_query_port,
	.modify_port = fh_modify_port,
	.query_pkey = fh_query_pkey,
	.query_gid = fh_query_gid,
	.add_gid = fh_add_gid,
	.del_gid = fh_del_gid,
	.get_port_immutable = fh_port_immutable,
	.get_link_layer = fh_link_layer,
	.process_mad = fh_process_mad,
	.alloc_ucontext = fh_alloc_ucontext,
	.dealloc_ucontext = fh_dealloc_ucontext,
	.alloc_pd = fh_alloc_pd,
	.dealloc_pd = fh_dealloc_pd,
	.create_ah = fh_create_ah,
	.query_ah = fh_query_ah,
	.destroy_ah = fh_destroy_ah,
	.get_dma_mr = fh_get_dma_mr,
	.reg_user_mr = fh_reg_user_mr,
	.dereg_mr = fh_dereg_mr,
	.create_cq = fh_create_cq,
	.destroy_cq = fh_destroy_cq,
	.poll_cq = fh_poll_cq,
	.req_notify_cq = fh_arm_cq,
	FH_QP_OPS
	.modify_qp = fh_modify_qp,
	.query_qp = fh_query_qp,
	.post_send = fh_post_send,
	.post_recv = fh_post_recv,
	.attach_mcast = fh_attach_mcast,
	.detach_mcast = fh_detach_mcast,
	.set_vf_link_state = fh_set_vf_link_state,
	.get_vf_config = fh_get_vf_config,
	.get_vf_stats = fh_get_vf_stats,
	.get_vf_guid = fh_get_vf_guid,
	.set_vf_guid = fh_set_vf_guid,

	INIT_RDMA_OBJ_SIZE(ib_ah, fh_ah, ib),
	INIT_RDMA_OBJ_SIZE(ib_cq, fh_cq, ib),
	INIT_RDMA_OBJ_SIZE(ib_pd, fh_pd, ib),
	INIT_RDMA_OBJ_SIZE(ib_ucontext, fh_ucontext, ib),
};

/* On the fabric before it is registered: ib_core's clients send packets while they are being added. */
static void fh_join_fabric(struct fh_dev *dev)
{
	mutex_lock(&fh_devices_mutex);
	spin_lock_irq(&fh_lock);
	fh_ports_init(dev);
	fh_vf_init(dev);
	list_add_tail(&dev->node, &fh_devices);
	spin_unlock_irq(&fh_lock);
	mutex_unlock(&fh_devices_mutex);
}

static void fh_leave_fabric(struct fh_dev *dev)
{
	mutex_lock(&fh_devices_mutex);
	spin_lock_irq(&fh_lock);
	list_del(&dev->node);
	spin_unlock_irq(&fh_lock);
	mutex_unlock(&fh_devices_mutex);
	fh_fabric_drain();
}

struct fh_dev *fh_device_create(struct device *parent, const struct fh_vf *guids, bool enhanced, bool ethernet)
{
	struct fh_dev *dev = ib_alloc_device(fh_dev, ib);
	int err;

	if (!dev)
		return ERR_PTR(-ENOMEM);
	dev->parent = parent;
	dev->guid = guids->node_guid;
	dev->port_guid = guids->port_guid;
	dev->enhanced = enhanced;
	dev->ethernet = ethernet;
	dev->ib.node_type = RDMA_NODE_IB_CA;
	dev->ib.node_guid = cpu_to_be64(dev->guid);
	dev->ib.phys_port_cnt = ARRAY_SIZE(dev->port);
	dev->ib.num_comp_vectors = 1;
	dev->ib.dev.parent = parent;
	strscpy(dev->ib.node_desc, "fake HCA", sizeof(dev->ib.node_desc));
	ib_set_device_ops(&dev->ib, &fh_ops);
	fh_set_device_group(&dev->ib, &fh_inventory_group);

	fh_join_fabric(dev);
	/* No DMA device: ib_core then puts kernel addresses into scatter lists. */
	err = ib_register_device(&dev->ib, "fake%d", NULL);
	if (err) {
		fh_leave_fabric(dev);
		ib_dealloc_device(&dev->ib);
		return ERR_PTR(err);
	}
	return dev;
}

void fh_device_destroy(struct fh_dev *dev)
{
	ib_unregister_device(&dev->ib);
	fh_leave_fabric(dev);
	ib_dealloc_device(&dev->ib);
}
