"""One Ethernet segment between two machines (header `wire: yes`): a second network card in each, plugged in after the wake-up.

Frames are datagrams between two sockets in the run's own directories; no program of the host sees them, and no other run. What
is sent while the far machine does not run is lost, as on a cable to a host that is off. While it boots its card takes nothing and
the sender's queue waits for it, as for a switch that pauses.
"""
from . import qemu

SLOT = "0xa"
MAC = "52:54:00:00:00:{:02x}"  # QEMU gives every machine's first card the same


def ends_of(mine, theirs):
    """Words of QEMU's command line, in the directories of the two machines."""
    return ["-netdev", f"dgram,id=wire,local.type=unix,local.path={mine}/wire,remote.type=unix,remote.path={theirs}/wire"]


def plug_card(number):
    """For qemu.boot: puts the card of machine `number` (from 1) into its slot. rxe complains of a card that tells no speed."""
    return lambda directory: qemu.plug(directory, "virtio-net-pci", netdev="wire", mac=MAC.format(number), addr=SLOT, speed=10000, duplex="full")
