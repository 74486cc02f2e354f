# SPDX-License-Identifier: Apache-2.0
"""The deb: what is in it, lintian, and installing, removing and purging it on a Debian 11 that nobody has booted."""
import re

from inside import good, in_layer
from published import PACKAGES, TOP, deb, said, unexplained

OVERRIDES = TOP / "agent/install/package/deb/lintian-overrides"
FILES = """/etc/rdmastate/
/usr/bin/rdmastate
/usr/lib/systemd/system/multi-user.target.wants/rdmastate.service
/usr/lib/systemd/system/rdmastate-apply.service
/usr/lib/systemd/system/rdmastate-event@.service
/usr/lib/systemd/system/rdmastate-ready.service
/usr/lib/systemd/system/rdmastate-ready.target
/usr/lib/systemd/system/rdmastate.service
/usr/lib/udev/rules.d/60-rdmastate.rules
/usr/share/bash-completion/completions/rdmastate
/usr/share/doc/rdmastate/README.md
/usr/share/doc/rdmastate/changelog.Debian.gz
/usr/share/doc/rdmastate/changelog.gz
/usr/share/doc/rdmastate/copyright
/usr/share/doc/rdmastate/examples/minimal.yaml
/usr/share/doc/rdmastate/examples/rhel-guide.yaml
/usr/share/fish/vendor_completions.d/rdmastate.fish
/usr/share/lintian/overrides/rdmastate
/usr/share/man/man5/rdmastate.yaml.5.gz
/usr/share/man/man8/rdmastate.8.gz
/usr/share/rdmastate/rdmastate.schema.json
/usr/share/zsh/vendor-completions/_rdmastate""".splitlines()


def test_the_files_and_no_others(_box):
    lines = [line.split(None, 5) for line in said("dpkg-deb", "-c", deb()).splitlines()]
    assert all(owner == "root/root" for _, owner, *_ in lines)
    names = [words[5].split(" -> ")[0].removeprefix(".") for words in lines if words[0][0] != "d" or words[5] == "./etc/rdmastate/"]
    assert sorted(names) == FILES, set(names) ^ set(FILES)
    odd = [words for words in lines if words[0] not in ("drwxr-xr-x", "-rw-r--r--", "lrwxrwxrwx") and not words[5].startswith("./usr/bin/")]
    assert not odd, odd


def test_lintian_has_nothing_to_say(_box):
    assert said("lintian", "--allow-root", "--fail-on", "error,warning,info", "--info", deb()).strip() == ""


def test_each_override_has_its_reason(_box):
    overrides = [line for line in OVERRIDES.read_text().splitlines() if line and not line.startswith("#")]
    assert overrides and not unexplained(OVERRIDES, overrides), unexplained(OVERRIDES, overrides)


def test_what_it_says_of_itself(_box):
    control = said("dpkg-deb", "-f", deb())
    assert "Depends: libc6 (>= 2.28), libkmod2, libsystemd0" in control, control
    assert re.search(r"^Version: \d+\.\d+\.\d+-1$", control, re.M) and "Section: admin" in control, control


SPEC = """printf 'version: 1\\nmodules: {load: [ib_ipoib]}\\nsoft_devices: [{name: rxe0, type: rxe, netdev: eth0}]\\n' > /etc/rdmastate/host.yaml
rdmastate apply /etc/rdmastate/host.yaml --root /
mkdir -p /etc/systemd/system/multi-user.target.wants
ln -sf /usr/lib/systemd/system/rdmastate-apply.service /etc/systemd/system/multi-user.target.wants/rdmastate-apply.service
"""
INSTALL = "set -e\ndpkg -i /mnt/*.deb\n"
DANGLING = "find /etc -xtype l -name '*rdmastate*'"


def test_installed_removed_and_installed_again(_box):
    told = good(INSTALL + "dpkg --verify rdmastate\n" + SPEC + "dpkg -r rdmastate\n" + DANGLING + """
echo == what stays; cat /etc/modules-load.d/rdmastate.conf; ls /etc/rdmastate
dpkg -i /mnt/*.deb; rdmastate plan /etc/rdmastate/host.yaml --root /""", PACKAGES)
    before, after = told.split("== what stays")
    for line in ("not there after the next boot, unless another program makes it: soft_device rxe0",
                 "removed /etc/systemd/system/multi-user.target.wants/rdmastate.service",
                 "removed /etc/systemd/system/multi-user.target.wants/rdmastate-apply.service"):
        assert line in before + after, f"{line}\n{told}"
    assert "\nib_ipoib\n" in after and "boot.json\nhost.yaml\nledger.json" in after, after
    assert not [line for line in before.splitlines() if line.startswith("/etc/")], before


def test_purge_says_what_it_takes(_box):
    told = good(INSTALL + SPEC + "dpkg -P rdmastate\nls -d /etc/rdmastate /var/lib/rdmastate 2>&1 || true\n" + DANGLING +
                "\ncat /etc/modules-load.d/rdmastate.conf", PACKAGES)
    for path in ("/etc/rdmastate/host.yaml", "/etc/rdmastate/ledger.json", "/etc/rdmastate/boot.json"):
        assert f"rdmastate: purge takes {path}" in told, told
    assert told.count("No such file or directory") == 2 and "\nib_ipoib\n" in told, told


def test_it_does_not_go_while_a_run_is_open(_box):
    done = in_layer(INSTALL + SPEC + """
printf 'begun\\n' > /tmp/open; run=$(ls -d /var/lib/rdmastate/runs/* | tail -1); sed -i '/^finished$/d' "$run/progress"
dpkg -r rdmastate""", PACKAGES)
    assert done.returncode != 0 and "was interrupted: `rdmastate rollback` takes it back" in done.stdout + done.stderr, done
