# SPDX-License-Identifier: Apache-2.0
"""What a disk was told: the log of QEMU's driver blklogwrites, in the format of the kernel's dm-log-writes.

One sector with the superblock, then each entry in a sector of its own (sector, number of sectors, flags, unused), and
behind it the sectors it wrote, unless it is a discard (Documentation/admin-guide/device-mapper/log-writes.rst).
"""
import struct

MAGIC, VERSION = 0x6a736677736872, 1
FLUSH, FUA, DISCARD = 1, 2, 4
UNIT = 512      # in which a disk's sectors are counted


class BadLog(Exception):
    pass


class Entry:
    """offset and data of one write; or a flush; a discard has a size and no data."""

    def __init__(self, offset, size, flags, data):
        self.offset, self.size, self.flags, self.data = offset, size, flags, data

    @property
    def settles(self):
        """Whether the disk promised here that all before is durable."""
        return bool(self.flags & (FLUSH | FUA))

    def write_to(self, disk):
        """Returns what was there. What was discarded reads as zeros, as in the file below the guest's disk."""
        there = slice(self.offset, self.offset + self.size)
        was = bytes(disk[there])
        disk[there] = self.data if self.data is not None else bytes(self.size)
        return was


def read_log(path):
    """The entries up to the last flush: only there the superblock counts them."""
    with open(path, "rb") as log:
        magic, version, count, unit = struct.unpack("<QQQI", log.read(28))
        if (magic, version) != (MAGIC, VERSION):
            raise BadLog(f"{path} is no log of writes")
        log.seek(unit)
        return [_read_entry(log, unit) for _ in range(count)]


def _read_entry(log, unit):
    sector, sectors, flags, _ = struct.unpack("<QQQQ", log.read(unit)[:32])
    size = sectors * unit
    data = None if flags & DISCARD else log.read(size)
    if data is not None and len(data) != size:
        raise BadLog("the log ends within an entry")
    return Entry(sector * unit, size, flags, data)


def partitions(disk):
    """The (start, end) of each primary partition, by the disk's first sector."""
    found = []
    for at in range(446, 510, 16):
        start, sectors = struct.unpack_from("<II", disk, at + 8)
        if sectors:
            found.append((start * UNIT, (start + sectors) * UNIT))
    return found
