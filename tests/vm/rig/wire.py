"""One Ethernet segment between two machines (header `wire: yes`): a second network card in each, plugged in after the wake-up.

Frames are datagrams in a pair of sockets that only the two emulators hold: no program of the host sees them, and no other run.
What is sent while the far machine does not run is lost, as on a cable to a host that is off. While it boots its card takes
nothing and the sender's queue waits for it, as for a switch that pauses.
"""
import socket

from . import qemu

SLOT = "0xa"
MAC = "52:54:00:00:00:{:02x}"  # QEMU gives every machine's first card the same


class End:
    """One end, for machine `number`, from 1."""

    def __init__(self, number, link):
        self.number, self.link = number, link

    def words(self):
        """Words of QEMU's command line; QEMU has to inherit `link`."""
        return ["-netdev", f"dgram,id=wire,local.type=fd,local.str={self.link.fileno()}"]

    def plug(self, directory):
        """For qemu.boot: the emulator has its copy of the socket by now. The card goes into its slot; rxe complains of one that tells no speed."""
        self.link.close()
        qemu.plug(directory, "virtio-net-pci", netdev="wire", mac=MAC.format(self.number), addr=SLOT, speed=10000, duplex="full")


def ends():
    """Both ends. A pair of sockets and not two names: to a named socket whose queue is full QEMU would try to send without a pause."""
    return [End(number, link) for number, link in enumerate(socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM), 1)]
