# SPDX-License-Identifier: Apache-2.0
"""How power.py reads a log of writes, without a guest: python3 -m unittest discover -s tests/crash -p '*_test.py'"""
import pathlib
import random
import struct
import tempfile
import unittest

import power
import power_log


def logged(*entries):
    """A log as QEMU writes it: (sector, data, flags) each; read back."""
    body = struct.pack("<QQQI", power_log.MAGIC, power_log.VERSION, len(entries), 512).ljust(512, b"\0")
    for sector, data, flags in entries:
        body += struct.pack("<QQQQ", sector, len(data) // 512, flags, 0).ljust(512, b"\0") + data
    with tempfile.NamedTemporaryFile() as file:
        file.write(body)
        file.flush()
        return power_log.read_log(pathlib.Path(file.name))


def block(letter):
    return letter.encode() * 512


def mark(text):
    return power.MARK_SECTOR, f"@@mark {text}\n".encode().ljust(512, b"\0"), 0


FLUSH = (0, b"", power_log.FLUSH)


class Log(unittest.TestCase):
    def test_writes_in_their_order(self):
        disk = bytearray(2048)
        for entry in logged((1, block("a"), 0), (1, block("b"), 0), (2, block("c"), 0)):
            entry.write_to(disk)
        self.assertEqual(bytes(512) + block("b") + block("c") + bytes(512), bytes(disk))

    def test_what_was_overwritten_is_told(self):
        disk = bytearray(block("x"))
        self.assertEqual(block("x"), logged((0, block("a"), 0))[0].write_to(disk))

    def test_something_else_is_no_log(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(bytes(512))
            file.flush()
            self.assertRaises(power_log.BadLog, power_log.read_log, file.name)

    def test_partitions(self):
        table = bytearray(512)
        struct.pack_into("<II", table, 446 + 8, 8, 16)
        self.assertEqual([(4096, 12288)], power_log.partitions(table))


class Points(unittest.TestCase):
    def found(self, *entries):
        """What stands in sector 1 at each point, as a letter, and on the disk after the window."""
        entries = logged(mark("x begins"), *entries, mark("x ends"), FLUSH)
        window, = power.windows(entries)
        disk = bytearray(16 * 512)
        return [chr(content[512]) for _, content in power.points(entries, window, disk, random.Random(1))], disk

    def test_one_at_each_flush(self):
        points, _ = self.found(FLUSH, (1, block("a"), 0), FLUSH, (1, block("b"), 0), FLUSH)
        self.assertEqual(["\0", "a", "b"], points)

    def test_what_no_flush_settled_is_no_point_and_still_comes(self):
        points, disk = self.found(FLUSH, (1, block("a"), 0))
        self.assertEqual(["\0"], points)
        self.assertEqual(block("a"), disk[512:1024])

    def test_some_of_the_writes_between_two(self):
        entries = logged(mark("x begins"), FLUSH, *((at, block("a"), 0) for at in range(1, 7)), FLUSH, mark("x ends"), FLUSH)
        disk, counts = bytearray(16 * 512), []
        for _, content in power.points(entries, power.windows(entries)[0], disk, random.Random(1)):
            counts.append(bytes(content[512:7 * 512]).count(b"a") // 512)
        self.assertEqual((0, 6), (counts[0], counts[-1]))
        self.assertTrue(counts[1:-1] and all(0 < count < 6 for count in counts[1:-1]), counts)


if __name__ == "__main__":
    unittest.main()
