# SPDX-License-Identifier: Apache-2.0
"""The rpm: what is in it, rpmlint, and its scriptlets in a root. That it runs on RHEL itself is seen by nobody here."""
import tomllib

from inside import OUTSIDE, good
from published import PACKAGES, SPEC, TOP, rpm, said, source_rpm, unexplained

RPMLINT = TOP / "agent/install/package/rpm/rpmlint.toml"


def test_the_files_are_where_rhel_and_suse_look(_box):
    names = said("rpm", "-qpl", rpm()).split()
    for path in ("/usr/share/zsh/site-functions/_rdmastate", "/usr/share/licenses/rdmastate/LICENSE", "/usr/share/man/man8/rdmastate.8.gz",
                 "/usr/lib/systemd/system/rdmastate-apply.service", "/usr/lib/udev/rules.d/60-rdmastate.rules", "/etc/rdmastate"):
        assert path in names, (path, names)
    foreign = [name for name in names if "rdmastate" not in name]
    assert not foreign, f"directories of others: {foreign}"


def test_what_it_needs(_box):
    needs = said("rpm", "-qp", "--requires", rpm()).split("\n")
    assert "libc.so.6(GLIBC_2.28)(64bit)" in needs and "libkmod.so.2()(64bit)" in needs and "libsystemd.so.0()(64bit)" in needs, needs
    assert said("rpm", "-qp", "--suggests", rpm()).strip() == "libibverbs.so.1()(64bit)"
    newer = [one for one in needs if "GLIBC_2." in one and int(one.split("GLIBC_2.")[1].split(")")[0].split(".")[0]) > 28]
    assert not newer, newer


def test_rpmlint_has_nothing_to_say(_box):
    for what in (rpm(), SPEC):
        told = said("rpmlint", "-c", RPMLINT, what)
        assert "0 errors, 0 warnings" in told, told


def test_each_filter_of_rpmlint_has_its_reason(_box):
    filters = tomllib.loads(RPMLINT.read_text())["Filters"]
    bare = unexplained(RPMLINT, [f'"{one}"' for one in filters])
    assert filters and not bare, bare


def test_files_and_scriptlets_in_a_root(_box):
    told = good("""set -e
rpm --root "$1" --initdb
rpm --root "$1" -i --nodeps "$1"/mnt/*.rpm
rpm --root "$1" -V --nodeps rdmastate
printf 'version: 1\\nsoft_devices: [{name: rxe0, type: rxe, netdev: eth0}]\\n' > "$1/etc/rdmastate/host.yaml"
chroot "$1" rdmastate apply /etc/rdmastate/host.yaml --root /
rpm --root "$1" -e rdmastate
find "$1/etc" -xtype l -name '*rdmastate*'
ls "$1/etc/rdmastate" "$1/usr/bin" | grep -E 'rdmastate|json|yaml'""", PACKAGES, OUTSIDE)
    assert "not there after the next boot, unless another program makes it: soft_device rxe0" in told, told
    assert "removed /etc/systemd/system/multi-user.target.wants/rdmastate.service" in told, told
    assert "boot.json\nhost.yaml\nledger.json\n" in told and "\nrdmastate\n" not in told, told


def test_the_source_rpm(box):
    source, version = source_rpm(box.dir), said("rpmspec", "-q", "--qf", "%{version}", SPEC)
    assert said("rpm", "-qpl", source).split() == [f"rdmastate-{version}.tar.gz", "rdmastate.spec"]
    told = said("rpmlint", "-c", RPMLINT, source)
    assert "0 errors, 0 warnings" in told, told
    assert version == said("rpm", "-qp", "--qf", "%{version}", rpm()), "the spec has another version than CMakeLists.txt"
