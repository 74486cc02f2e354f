// SPDX-License-Identifier: GPL-2.0
/* Faults on demand: "create_qp 2 12" makes the next two create_qp calls of this adapter fail with errno 12. */
#include <linux/kernel.h>
#include <linux/sysfs.h>

#include "fake_hca.h"

static const char *const fh_op_names[FH_OPS] = {
	[FH_CREATE_CQ] = "create_cq",
	[FH_CREATE_QP] = "create_qp",
	[FH_MODIFY_QP] = "modify_qp",
	[FH_QUERY_PORT] = "query_port",
	[FH_QUERY_PKEY] = "query_pkey",
	[FH_ATTACH_MCAST] = "attach_mcast",
};

/* A negative errno if this call is to fail. */
int fh_fail(struct fh_dev *dev, enum fh_op op)
{
	struct fh_fault *fault = &dev->fault[op];

	if (atomic_dec_if_positive(&fault->left) < 0)
		return 0;
	return -fault->error;
}

int fh_fail_set(struct fh_dev *dev, const char *text)
{
	char name[16];
	int count, error, op;

	if (sscanf(text, "%15s %d %d", name, &count, &error) != 3)
		return -EINVAL;
	if (count < 0 || error < 1 || error > MAX_ERRNO)
		return -ERANGE;
	op = match_string(fh_op_names, FH_OPS, name);
	if (op < 0)
		return -EINVAL;
	dev->fault[op].error = error;
	atomic_set(&dev->fault[op].left, count);
	return 0;
}

ssize_t fh_fail_show(struct fh_dev *dev, char *page)
{
	ssize_t len = 0;
	int op;

	for (op = 0; op < FH_OPS; op++)
		len += sysfs_emit_at(page, len, "%s %d %d\n", fh_op_names[op], atomic_read(&dev->fault[op].left),
				     dev->fault[op].error);
	return len;
}
