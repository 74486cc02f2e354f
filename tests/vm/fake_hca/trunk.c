// SPDX-License-Identifier: GPL-2.0
/*
 * A cable to another machine: with trunk=NETDEV it leads from the first adapter, over that Ethernet card, to the first
 * adapter of the machine at the other end of the Ethernet segment. A packet travels in pieces that fit into frames, one
 * packet after the other; the segment keeps their order, so a piece that is not the next one is of a packet that lost
 * some, and that packet is dropped. The card stays as long as this module.
 */
#include <linux/if_ether.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <net/net_namespace.h>

#include "fake_hca.h"

#define TRUNK_PROTOCOL	ETH_P_802_EX1	/* for experiments on a segment of one's own (IEEE 802) */
#define TRUNK_PIECE	1400
#define TRUNK_MOST	(1 << 20)

/* In front of each piece: how long the whole is, and where in it the piece belongs. */
struct trunk_piece {
	__be32 total, offset;
};

static char *trunk;
module_param(trunk, charp, 0444);
MODULE_PARM_DESC(trunk, "Ethernet card that leads to the first adapter of another machine; needs smp=1");

static struct net_device *trunk_card;
/* What is being put together, guarded by the lock: the kernel may hand over frames on any processor. */
static DEFINE_SPINLOCK(trunk_lock);
static struct fh_packet *trunk_arriving;
static u32 trunk_total, trunk_have;

bool fh_has_trunk(void)
{
	return trunk_card;
}

/* What of a packet travels: its head and the data behind it. */
static u8 *trunk_bytes(const struct fh_packet *packet)
{
	return (u8 *)packet + offsetof(struct fh_packet, head);
}

static void trunk_send_piece(const u8 *bytes, u32 total, u32 offset)
{
	u32 length = min_t(u32, TRUNK_PIECE, total - offset);
	struct trunk_piece piece = { cpu_to_be32(total), cpu_to_be32(offset) };
	struct sk_buff *skb = alloc_skb(LL_RESERVED_SPACE(trunk_card) + sizeof(piece) + length +
					trunk_card->needed_tailroom, GFP_ATOMIC);

	if (!skb)
		return;
	skb_reserve(skb, LL_RESERVED_SPACE(trunk_card));
	skb_reset_network_header(skb);
	skb_put_data(skb, &piece, sizeof(piece));
	skb_put_data(skb, bytes + offset, length);
	skb->dev = trunk_card;
	skb->protocol = htons(TRUNK_PROTOCOL);
	if (dev_hard_header(skb, trunk_card, TRUNK_PROTOCOL, trunk_card->broadcast, NULL, skb->len) < 0)
		kfree_skb(skb);
	else
		dev_queue_xmit(skb);
}

/* Not with fh_lock held: a card's transmission may not begin with interrupts off. */
void fh_trunk_send(const struct fh_packet *packet)
{
	u32 total = sizeof(packet->head) + packet->len, offset;

	for (offset = 0; offset < total; offset += TRUNK_PIECE)
		trunk_send_piece(trunk_bytes(packet), total, offset);
}

static void trunk_drop(void)
{
	kfree(trunk_arriving);
	trunk_arriving = NULL;
}

static void trunk_begin(u32 total)
{
	trunk_drop();
	trunk_total = total;
	trunk_have = 0;
	if (total >= sizeof(trunk_arriving->head) && total <= TRUNK_MOST)
		trunk_arriving = kzalloc(offsetof(struct fh_packet, head) + total, GFP_ATOMIC);
}

static void trunk_end(u32 total)
{
	struct fh_packet *packet = trunk_arriving;

	trunk_arriving = NULL;
	if (packet->len != total - sizeof(packet->head)) {
		kfree(packet);
		return;
	}
	packet->remote = true;
	fh_fabric_send(packet);
}

static void trunk_take(const struct sk_buff *skb, u32 total, u32 offset)
{
	u32 length;

	if (!offset)
		trunk_begin(total);
	if (!trunk_arriving)
		return;
	length = min_t(u32, TRUNK_PIECE, total - offset);	/* what is behind it fills a short frame up */
	if (total != trunk_total || offset != trunk_have || offset >= total ||
	    skb_copy_bits(skb, sizeof(struct trunk_piece), trunk_bytes(trunk_arriving) + offset, length)) {
		trunk_drop();
		return;
	}
	trunk_have += length;
	if (trunk_have == total)
		trunk_end(total);
}

static int trunk_receive(struct sk_buff *skb, struct net_device *card, struct packet_type *type,
			 struct net_device *first)
{
	struct trunk_piece piece;

	if (!skb_copy_bits(skb, 0, &piece, sizeof(piece))) {
		spin_lock_bh(&trunk_lock);
		trunk_take(skb, be32_to_cpu(piece.total), be32_to_cpu(piece.offset));
		spin_unlock_bh(&trunk_lock);
	}
	consume_skb(skb);
	return NET_RX_SUCCESS;
}

static struct packet_type trunk_type = {
	.type = htons(TRUNK_PROTOCOL),
	.func = trunk_receive,
};

int fh_trunk_init(void)
{
	if (!trunk)
		return 0;
	if (!fh_smp)
		return -EINVAL;	/* each machine's own administrator (sa.c) would have LID 1 */
	trunk_card = dev_get_by_name(&init_net, trunk);
	if (!trunk_card)
		return -ENODEV;
	trunk_type.dev = trunk_card;
	dev_add_pack(&trunk_type);
	return 0;
}

void fh_trunk_exit(void)
{
	if (!trunk_card)
		return;
	dev_remove_pack(&trunk_type);
	dev_put(trunk_card);
	trunk_card = NULL;
	trunk_drop();
}
