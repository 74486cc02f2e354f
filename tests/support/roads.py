# SPDX-License-Identifier: Apache-2.0
"""What the files of examples/roads have an installer run: its shell commands, taken out of each file's own format."""
import json
import re
from xml.etree import ElementTree

import yaml

from support.harness import TOP

ROADS = TOP / "examples/roads"
IGNITION = "/usr/lib/dracut/modules.d/30ignition/ignition"  # of package ignition
IGNITION_STAGES = ("fetch", "disks", "mount", "files", "umount")


def ignition_words(stage, root, cache):
    """The options with which Ignition does one of its stages to the system at `root`, with the file that IGNITION_CONFIG_FILE names."""
    return ("--platform", "file", "--root", root, "--stage", stage, "--config-cache", cache, "--log-to-stdout")


def autoinstall():
    """What Ubuntu's installer runs in its own system, one after the other; the new one is at /target."""
    given = yaml.safe_load((ROADS / "autoinstall/user-data").read_text())["autoinstall"]
    assert given["packages"] == ["rdmastate"] and given["version"] == 1
    return given["late-commands"]


def preseed():
    """The same of Debian's: one line of a shell."""
    text = (ROADS / "preseed/preseed.cfg").read_text().replace("\\\n", " ")
    assert re.search(r"^d-i pkgsel/include string rdmastate$", text, re.M)
    return re.search(r"^d-i preseed/late_command string (.*)$", text, re.M)[1]


def _post(name):
    text = (ROADS / "kickstart" / name).read_text()
    [(options, script)] = re.findall(r"^%post(.*)\n((?:.*\n)*?)%end$", text, re.M)
    assert "--erroronfail" in options and "%packages\nrdmastate\n%end" in text
    return "--nochroot" in options, script


def kickstart():
    """What Anaconda runs in the new system."""
    outside, script = _post("host.ks")
    assert not outside
    return script


def kickstart_from_outside():
    """What it runs in its own system; the new one is at /mnt/sysimage."""
    outside, script = _post("nochroot.ks")
    assert outside
    return script


def autoyast():
    """What SUSE's installer runs in the new system."""
    xml = re.search(r"^```xml\n(<scripts>.*?)^```$", (ROADS / "README.md").read_text(), re.M | re.S)[1]
    script = ElementTree.fromstring(xml.replace("config:", "")).find("chroot-scripts/script")
    assert script.findtext("chrooted") == "true"
    return script.findtext("source")


def agama():
    """The same of its successor."""
    text = re.search(r"^```json\n(.*?)^```$", (ROADS / "README.md").read_text(), re.M | re.S)[1]
    [post] = json.loads(text)["scripts"]["post"]
    assert post["chroot"] is True
    return post["content"]
