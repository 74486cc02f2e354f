/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernels of Debian 12 (6.1) and 13 (6.12) have different, by the version that changed it. */
#ifndef FAKE_HCA_KERNELS_H
#define FAKE_HCA_KERNELS_H

#include <linux/version.h>
#include <rdma/ib_verbs.h>

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

#endif
