/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A host channel adapter that exists only in memory: enough of one for ib_core, ib_mad, ib_sa, ib_cm, rdma_cm and the
 * unmodified ib_ipoib to work over it. All adapters of this module hang on one imaginary fabric (fabric.c) with one
 * subnet manager (sa.c), or are managed from user space (smp.c).
 *
 * Locking: fh_lock, one spinlock for the whole fabric, guards port state, P_Key tables, queue pairs and multicast
 * attachments. A completion queue has its own lock, taken inside fh_lock. fh_devices and fh_devices_mutex are for
 * process context only.
 */
#ifndef FAKE_HCA_H
#define FAKE_HCA_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_smi.h>
#include <rdma/ib_verbs.h>

#include "kernels.h"

#define FH_NAME		"fake_hca"
#define FH_PKEYS	1024
#define FH_GRANTED	1000	/* 0x8001 to 0x83e8 */
#define FH_GIDS		16
#define FH_MAX_SGE	32
#define FH_PORT_IB	1
#define FH_PORT_ROCE	2
#define FH_SM_LID	1
#define FH_FIRST_LID	2
#define FH_MLID_BASE	0xc000
#define FH_SUBNET	0xfe80000000000000ULL
#define FH_VENDOR	0x02c9
#define FH_PART		4099
#define FH_VLARB_PARTS	4
#define FH_MAX_VFS	127

/* Operations that the "fail" knob can break; the names are in fail.c. */
enum fh_op {
	FH_CREATE_CQ,
	FH_CREATE_QP,
	FH_MODIFY_QP,
	FH_QUERY_PORT,
	FH_QUERY_PKEY,
	FH_ATTACH_MCAST,
	FH_OPS
};

struct fh_fault {
	atomic_t left;		/* calls still to fail */
	int error;		/* positive errno */
};

struct fh_traffic {
	u64 packets;
	u64 bytes;
};

/* What a subnet manager writes, or reads, and nothing here goes by (smp.c). */
struct fh_kept {
	struct ib_port_info info;
	u8 sl2vl[IB_SMP_DATA_SIZE];
	u8 vlarb[FH_VLARB_PARTS][IB_SMP_DATA_SIZE];
};

struct fh_qp;

/* What an adapter keeps of a virtual function, also while there is none. */
struct fh_vf {
	u64 node_guid, port_guid;
	int link_state;			/* IFLA_VF_LINK_STATE_ */
};

struct fh_port {
	u32 number;
	enum ib_port_state state;
	u64 prefix;			/* of the subnet */
	u16 lid, sm_lid;
	u8 lmc, sm_sl, mtu, timeout;	/* as the wire has them */
	u32 caps;			/* PortInfo's CapabilityMask */
	bool sm;			/* a subnet manager can be reached */
	u16 pkeys[FH_PKEYS];
	struct fh_qp *special[2];	/* QP0 and QP1 */
	struct fh_traffic sent, received;
	u64 dropped;
	struct fh_kept kept;
};

struct fh_dev {
	struct ib_device ib;
	struct list_head node;		/* in fh_devices */
	struct device *parent;		/* PCI or platform: ib_ipoib needs one */
	u64 guid;
	u64 port_guid;			/* of port 1 */
	bool virtual;			/* a virtual function */
	struct fh_vf vf[FH_MAX_VFS];	/* of a physical one */
	bool enhanced;			/* look like Enhanced IPoIB */
	bool ethernet;			/* port 1 is, too */
	struct net_device *netdev;	/* of port 2; a reference is held by ib_core */
	struct fh_port port[2];
	struct fh_fault fault[FH_OPS];
};

struct fh_cq {
	struct ib_cq ib;
	spinlock_t lock;
	struct list_head done;		/* struct fh_cqe */
	bool armed;
};

struct fh_recv {
	struct list_head node;
	u64 wr_id;
	int num_sge;
	struct ib_sge sge[];
};

struct fh_qp {
	struct ib_qp ib;
	struct fh_port *port;		/* NULL until the INIT transition names it */
	struct ib_qp_attr attr;
	struct ib_qp_cap cap;
	enum ib_sig_type sig_type;
	struct list_head receives;	/* struct fh_recv, oldest first */
};

struct fh_ah {
	struct ib_ah ib;
	struct rdma_ah_attr attr;
};

/* One message on its way: the payload was copied out of the sender's buffers. */
struct fh_packet {
	struct list_head node;
	struct fh_dev *from;		/* only compared, never followed; NULL: remote, or the administrator of sa.c */
	bool remote;			/* from another machine, over the trunk */
	struct_group(head,		/* with the data behind it what travels (trunk.c) */
		u32 src_qpn, dst_qpn;
		u16 slid, dlid;
		u16 pkey;
		u32 qkey;
		u8 sl;
		bool connected;		/* RC: no Q_Key, no GRH in the buffer */
		bool has_grh, has_imm;
		__be32 imm;
		union ib_gid sgid, dgid;
		u32 len;
	);
	u8 data[];
};

extern spinlock_t fh_lock;
extern struct list_head fh_devices;
extern struct mutex fh_devices_mutex;
extern const struct attribute_group *fh_knob_groups[];

static inline struct fh_dev *to_fh(struct ib_device *ib)
{
	return container_of(ib, struct fh_dev, ib);
}

static inline struct fh_qp *to_fh_qp(struct ib_qp *ib)
{
	return container_of(ib, struct fh_qp, ib);
}

static inline struct fh_cq *to_fh_cq(struct ib_cq *ib)
{
	return container_of(ib, struct fh_cq, ib);
}

static inline union ib_gid fh_gid(const struct fh_dev *dev)
{
	union ib_gid gid = { .global = {
		.subnet_prefix = cpu_to_be64(dev->port[0].prefix),
		.interface_id = cpu_to_be64(dev->port_guid),
	} };

	return gid;
}

/* device.c */
struct fh_dev *fh_device_create(struct device *parent, const struct fh_vf *guids, bool enhanced, bool ethernet);
void fh_device_destroy(struct fh_dev *dev);

/* port.c */
void fh_ports_init(struct fh_dev *dev);
void fh_port_set_state(struct fh_dev *dev, enum ib_port_state state);
void fh_port_set_sm(struct fh_dev *dev, bool present);
int fh_port_set_pkey(struct fh_dev *dev, u32 index, u16 pkey);
int fh_port_add_pkey(struct fh_dev *dev, u16 pkey);
int fh_port_remove_pkey(struct fh_dev *dev, u16 pkey);
void fh_event(struct fh_dev *dev, u32 port, enum ib_event_type type);
int fh_pkey_index(const struct fh_port *port, u16 pkey);
bool fh_pkeys_match(u16 a, u16 b);
int fh_query_port(struct ib_device *ib, fh_port_number port, struct ib_port_attr *attr);
int fh_query_pkey(struct ib_device *ib, fh_port_number port, u16 index, u16 *pkey);
int fh_query_gid(struct ib_device *ib, fh_port_number port, int index, union ib_gid *gid);
int fh_modify_port(struct ib_device *ib, fh_port_number port, int mask, struct ib_port_modify *change);
int fh_port_immutable(struct ib_device *ib, fh_port_number port, struct ib_port_immutable *fixed);
enum rdma_link_layer fh_link_layer(struct ib_device *ib, fh_port_number port);

/* cq.c */
int fh_create_cq(struct ib_cq *cq, const struct ib_cq_init_attr *attr, fh_cq_caller *caller);
int fh_destroy_cq(struct ib_cq *cq, struct ib_udata *udata);
int fh_poll_cq(struct ib_cq *cq, int count, struct ib_wc *wc);
int fh_arm_cq(struct ib_cq *cq, enum ib_cq_notify_flags flags);
void fh_complete(struct fh_cq *cq, const struct ib_wc *wc);

/* qp.c */
int fh_create_qp(struct ib_qp *qp, struct ib_qp_init_attr *init, struct ib_udata *udata);
int fh_modify_qp(struct ib_qp *qp, struct ib_qp_attr *attr, int mask, struct ib_udata *udata);
int fh_query_qp(struct ib_qp *qp, struct ib_qp_attr *attr, int mask, struct ib_qp_init_attr *init);
int fh_destroy_qp(struct ib_qp *qp, struct ib_udata *udata);
int fh_post_send(struct ib_qp *qp, const struct ib_send_wr *wr, const struct ib_send_wr **bad);
int fh_post_recv(struct ib_qp *qp, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad);
struct fh_qp *fh_find_qp(const struct fh_port *port, u32 qpn);

/* fabric.c */
int fh_fabric_init(void);
void fh_fabric_exit(void);
void fh_fabric_send(struct fh_packet *packet);
void fh_fabric_drain(void);
struct fh_dev *fh_find_lid(u16 lid);
struct fh_dev *fh_find_gid(const union ib_gid *gid);
bool fh_accepts(const struct fh_qp *qp, const struct fh_packet *packet);
void fh_deliver(struct fh_qp *qp, const struct fh_packet *packet);

/* mcast.c */
int fh_attach_mcast(struct ib_qp *qp, union ib_gid *gid, u16 lid);
int fh_detach_mcast(struct ib_qp *qp, union ib_gid *gid, u16 lid);
void fh_mcast_deliver(const struct fh_packet *packet);
void fh_mcast_forget(struct fh_qp *qp);

/* sa.c */
void fh_sa_receive(const struct fh_packet *packet);

/* smp.c */
extern bool fh_smp;
void fh_smp_reset(struct fh_port *port);
bool fh_is_smp(const struct ib_mad_hdr *header);
int fh_smp_process(struct fh_dev *dev, const struct ib_mad *in, struct ib_mad *out);
bool fh_smp_deliver(const struct fh_packet *packet);

/* trunk.c */
int fh_trunk_init(void);
void fh_trunk_exit(void);
bool fh_has_trunk(void);
void fh_trunk_send(const struct fh_packet *packet);

/* pma.c */
int fh_process_mad(struct ib_device *ib, int flags, fh_port_number port, const struct ib_wc *wc, const struct ib_grh *grh,
		   const struct ib_mad *in, struct ib_mad *out, size_t *out_size, u16 *out_pkey_index);

/* fail.c */
int fh_fail(struct fh_dev *dev, enum fh_op op);
int fh_fail_set(struct fh_dev *dev, const char *text);
ssize_t fh_fail_show(struct fh_dev *dev, char *page);

/* dcb.c */
void fh_dcb_create(struct fh_dev *dev);
void fh_dcb_destroy(struct fh_dev *dev);

/* main.c: the adapter anew, as it comes from the driver */
struct pci_dev;
int fh_make_again(struct pci_dev *pci, bool ethernet);

/* vf.c */
void fh_vf_init(struct fh_dev *dev);
int fh_vf_configure(struct pci_dev *pci, int count);
const struct fh_vf *fh_vf_of(struct pci_dev *pci);
int fh_set_vf_link_state(struct ib_device *ib, int vf, fh_port_number port, int state);
int fh_get_vf_config(struct ib_device *ib, int vf, fh_port_number port, struct ifla_vf_info *info);
int fh_get_vf_stats(struct ib_device *ib, int vf, fh_port_number port, struct ifla_vf_stats *stats);
int fh_get_vf_guid(struct ib_device *ib, int vf, fh_port_number port, struct ifla_vf_guid *node, struct ifla_vf_guid *guid);
int fh_set_vf_guid(struct ib_device *ib, int vf, fh_port_number port, u64 guid, int type);

/* mlx4.c */
extern const struct attribute_group fh_types_group;
void fh_types_reset(unsigned int adapter);

/* knobs.c */
int fh_set_netdev(struct fh_dev *dev, struct net_device *netdev);
int fh_knobs_init(void);
void fh_knobs_exit(void);

#endif
