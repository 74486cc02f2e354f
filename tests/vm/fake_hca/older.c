// SPDX-License-Identifier: GPL-2.0
/* Before Linux 5.15 a driver allocates queue pairs itself. */
#include <linux/slab.h>

#include "fake_hca.h"

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 15, 0)
struct ib_qp *fh_new_qp(struct ib_pd *pd, struct ib_qp_init_attr *init, struct ib_udata *udata)
{
	struct fh_qp *qp = kzalloc(sizeof(*qp), GFP_KERNEL);
	int err;

	if (!qp)
		return ERR_PTR(-ENOMEM);
	qp->ib.device = pd->device;
	err = fh_create_qp(&qp->ib, init, udata);
	if (!err)
		return &qp->ib;
	kfree(qp);
	return ERR_PTR(err);
}

int fh_free_qp(struct ib_qp *ib, struct ib_udata *udata)
{
	int err = fh_destroy_qp(ib, udata);

	if (!err)
		kfree(to_fh_qp(ib));
	return err;
}
#endif
