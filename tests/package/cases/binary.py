# SPDX-License-Identifier: Apache-2.0
"""The binary that is published: what it asks of the C library, that it has no path of ours, and that it runs where that is old."""
import re

from inside import CONTAINER, good
from published import TOP, deb, said

NEWEST = (2, 28)  # of RHEL 8
LIBRARIES = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2"}  # all of that C library


def program(box):
    said("dpkg-deb", "-x", deb(), box.dir / "tree")
    return box.dir / "tree/usr/bin/rdmastate"


def test_symbols_are_at_most_those_of_rhel_8(box):
    table = said("objdump", "-T", program(box))
    versions = {tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_([0-9.]+)", table)}
    assert versions and max(versions) <= NEWEST, sorted(versions)[-3:]
    assert "GLIBCXX" not in table, "a shared C++ library is asked for"
    needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", said("readelf", "-d", program(box))))
    assert needed <= LIBRARIES, needed - LIBRARIES


def test_it_is_hardened_and_stripped_and_knows_no_path_of_ours(box):
    headers = said("readelf", "-lWd", program(box))
    assert "GNU_RELRO" in headers and "BIND_NOW" in headers
    assert ".symtab" not in said("readelf", "-SW", program(box))
    bytes_of = program(box).read_bytes()
    assert str(TOP).encode() not in bytes_of and b"/headers/fmt" not in bytes_of


def test_it_runs_on_debian_11(box):
    program(box)
    (box.dir / "spec.yaml").write_text("version: 1\nmodules: {load: [ib_ipoib]}\n")
    (box.dir / "host.json").write_text((TOP / "examples/hosts/minimal.json").read_text())
    told = good("""set -e
program=/mnt/tree/usr/bin/rdmastate
$program --version
$program check /mnt/spec.yaml
$program plan /mnt/spec.yaml --host /mnt/host.json
$program apply /mnt/spec.yaml --root / && cat /etc/modules-load.d/rdmastate.conf
$program show --root / | head -3
code=0; $program apply /mnt/spec.yaml || code=$?; [ $code = 6 ]""", box.dir)
    assert "/mnt/spec.yaml: good" in told and "\nib_ipoib\n" in told and "write --root /" in told, told


def test_exceptions_and_the_lazy_libraries_work_there(box):
    program(box)
    told = good("""code=0; /mnt/tree/usr/bin/rdmastate check /nowhere.yaml || code=$?; [ $code = 1 ]
cd /; unshare -m true; /mnt/tree/usr/bin/rdmastate packages /mnt/spec.yaml --for debian""", _with_spec(box))
    assert "no such file" in told.lower() and "libkmod" not in told, told


def test_a_system_without_kernel_modules_has_none(box):
    """libkmod 28 answers ENOSYS there."""
    program(box)
    told = good("code=0; /mnt/tree/usr/bin/rdmastate plan /mnt/spec.yaml || code=$?; ls /lib/modules 2>&1; echo ended with $code", _with_spec(box), CONTAINER)
    assert "has no module ib_ipoib" in told and "ended with 0" in told, told


def _with_spec(box):
    (box.dir / "spec.yaml").write_text("version: 1\nmodules: {load: [ib_ipoib]}\n")
    return box.dir
