// SPDX-License-Identifier: GPL-2.0
/*
 * Performance management: what /sys/class/infiniband/X/ports/1/counters is read from. Subnet management is in smp.c; other
 * MADs are not for us.
 */
#include <rdma/ib_pma.h>

#include "fake_hca.h"

#define PMA_EXT_WIDTH	cpu_to_be16(0x0200)

static void pma_counters(const struct fh_port *port, struct ib_pma_portcounters *out)
{
	out->port_select = port->number;
	out->port_xmit_discards = cpu_to_be16(min_t(u64, port->dropped, 0xffff));
	/* data counts are in words of four bytes */
	out->port_xmit_data = cpu_to_be32(port->sent.bytes / 4);
	out->port_rcv_data = cpu_to_be32(port->received.bytes / 4);
	out->port_xmit_packets = cpu_to_be32(port->sent.packets);
	out->port_rcv_packets = cpu_to_be32(port->received.packets);
}

static void pma_counters_ext(const struct fh_port *port, struct ib_pma_portcounters_ext *out)
{
	out->port_select = port->number;
	out->port_xmit_data = cpu_to_be64(port->sent.bytes / 4);
	out->port_rcv_data = cpu_to_be64(port->received.bytes / 4);
	out->port_xmit_packets = cpu_to_be64(port->sent.packets);
	out->port_rcv_packets = cpu_to_be64(port->received.packets);
}

int fh_process_mad(struct ib_device *ib, int flags, fh_port_number port, const struct ib_wc *wc, const struct ib_grh *grh,
		   const struct ib_mad *in, struct ib_mad *out, size_t *out_size, u16 *out_pkey_index)
{
	const struct fh_port *p = &to_fh(ib)->port[port - 1];
	struct ib_class_port_info *info = (void *)out->data + 40;
	const struct ib_mad_hdr *request = &in->mad_hdr;

	if (fh_is_smp(request))
		return fh_smp_process(to_fh(ib), in, out);
	/* For anything else "success" with no reply tells ib_mad to look for an agent of its own. */
	if (request->mgmt_class != IB_MGMT_CLASS_PERF_MGMT || request->method != IB_MGMT_METHOD_GET)
		return IB_MAD_RESULT_SUCCESS;
	memset(out, 0, sizeof(*out));
	out->mad_hdr = *request;
	out->mad_hdr.method = IB_MGMT_METHOD_GET_RESP;
	switch (request->attr_id) {
	case IB_PMA_CLASS_PORT_INFO:
		info->base_version = 1;
		info->class_version = 1;
		info->capability_mask = PMA_EXT_WIDTH;
		break;
	case IB_PMA_PORT_COUNTERS:
		pma_counters(p, (void *)out->data + 40);
		break;
	case IB_PMA_PORT_COUNTERS_EXT:
		pma_counters_ext(p, (void *)out->data + 40);
		break;
	default:
		out->mad_hdr.status = cpu_to_be16(0x000c);	/* unsupported attribute */
	}
	return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY;
}
