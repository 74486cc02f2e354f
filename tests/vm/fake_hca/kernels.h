/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernels of Debian 11 (5.10), 12 (6.1), 13 (6.12) and sid (7.2) have different, by the version that changed it. */
#ifndef FAKE_HCA_KERNELS_H
#define FAKE_HCA_KERNELS_H

#include <linux/version.h>
#include <rdma/ib_verbs.h>

/* How a port's number is passed. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 13, 0)
typedef u32 fh_port_number;
#else
typedef u8 fh_port_number;
#endif

/* Initializers of a PCI driver and of a device's operations: where sysfs groups stand. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 14, 0)
#define FH_PCI_GROUPS(groups)	.dev_groups = (groups)
#define FH_DEVICE_GROUP(group)	.device_group = &(group),
static inline void fh_set_device_group(struct ib_device *ib, const struct attribute_group *group) {}
#else
#define FH_PCI_GROUPS(groups)	.driver.dev_groups = (groups)
#define FH_DEVICE_GROUP(group)
static inline void fh_set_device_group(struct ib_device *ib, const struct attribute_group *group)
{
	rdma_set_device_sysfs_group(ib, group);
}
#endif

/* Who allocates a queue pair and frees it; older.c has the driver that does. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 15, 0)
#define FH_QP_OPS	.create_qp = fh_create_qp, .destroy_qp = fh_destroy_qp, INIT_RDMA_OBJ_SIZE(ib_qp, fh_qp, ib),
#else
#define FH_QP_OPS	.create_qp = fh_new_qp, .destroy_qp = fh_free_qp,
struct ib_qp *fh_new_qp(struct ib_pd *pd, struct ib_qp_init_attr *init, struct ib_udata *udata);
int fh_free_qp(struct ib_qp *qp, struct ib_udata *udata);
#endif

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 0, 0)
#define FH_CAPABILITIES(is_virtual)	.kernel_cap_flags = IBK_LOCAL_DMA_LKEY | ((is_virtual) ? IBK_VIRTUAL_FUNCTION : 0)
#else
#define FH_CAPABILITIES(is_virtual)	.device_cap_flags = IB_DEVICE_LOCAL_DMA_LKEY | ((is_virtual) ? IB_DEVICE_VIRTUAL_FUNCTION : 0)
#endif

/* The number of a virtual function. No scenario has any on an older kernel. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 18, 0)
#define pci_iov_vf_id(pci)	0
#endif

/* Who asks for a completion queue; NULL is the kernel itself. Remove of a platform driver returns nothing any more. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
typedef struct uverbs_attr_bundle fh_cq_caller;
typedef void fh_removed;
#define FH_REMOVED
#else
typedef struct ib_udata fh_cq_caller;
typedef int fh_removed;
#define FH_REMOVED	0
#endif

/* A parameter more of reg_user_mr(). */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
#define FH_MR_HANDLE	struct ib_dmah *handle,
#else
#define FH_MR_HANDLE
#endif

#endif
