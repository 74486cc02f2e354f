"""Beside one machine: a spec that waits for a boot; the role says so, reboots when it is asked to, and has nothing to do afterwards; it fails
where something still waits after the boot."""
import machines
from machines import note, on

QUEUE, LARGER = 256, 512  # entries; ib_ipoib takes them when it is loaded, and it is loaded already
FIRST, SECOND = "192.0.2.1/24", "192.0.2.7/24"
PACKAGE = {"rdmastate_package": "/root/rdmastate.deb"}
ASKED = {"rdmastate_reboot": True, "rdmastate_allow_pending": False}
WAITS = "module ib_ipoib takes send_queue_size only when it is loaded"
# As the initrd of an older day, or a vendor's script: the module is there, without what modprobe.d says, before anybody else loads it.
EARLY = """[Unit]
DefaultDependencies=no
Before=systemd-modules-load.service systemd-udev-trigger.service
[Service]
Type=oneshot
ExecStart=/usr/sbin/modprobe -C /dev/null ib_ipoib
[Install]
WantedBy=sysinit.target
"""


def boot():
    return on(0, "cat /proc/sys/kernel/random/boot_id")


def queue():
    return int(on(0, "cat /sys/module/ib_ipoib/parameters/send_queue_size"))


def spec(*addresses, size=QUEUE):
    return {"version": 1, "network": {"backend": "none"}, "modules": {"load": ["ib_ipoib"], "options": {"ib_ipoib": {"send_queue_size": size}}}, "ipoib": [
        {"name": "store0", "match": {"port_guid": "f452:1403:007b:cba1"}, "mode": "datagram", "ipv4": {"method": "manual", "addresses": list(addresses)}}]}


def role(control, wanted, code=0, **more):
    return control.play([{"hosts": "node1", "gather_facts": False, "roles": [{"role": "rdmastate.core.host", "vars": {
        "rdmastate_spec": wanted, "rdmastate_confirm_within": "10min", "rdmastate_reboot_timeout": 900, **more}}]}]).expect(code)


def confirmed(done, run):
    return done.of("Apply the spec")["run_id"] == done.of("Confirm that very run")["run_id"] == run


def says_so(control):
    note("the role installs a package from its file; not asked to reboot, it confirms the run, and says what waits")
    here = boot()
    done = role(control, spec(FIRST), **PACKAGE)
    assert done.of("Install the agent from a file for dpkg")["changed"] and on(0, "dpkg-query -W -f '${Status}' rdmastate-play") == "install ok installed"
    assert confirmed(done, "000001"), done.out[-3000:]
    assert done.of("Compare the host with its spec")["drift"]["reboot_required"]
    assert WAITS in str(done.of("Say what waits for a reboot")["msg"]), done.of("Say what waits for a reboot")
    assert boot() == here and queue() != QUEUE


def reboots(control):
    note("asked, it confirms the run, reboots the host, comes back over a new connection, and the host is as the spec says")
    here = boot()
    done = role(control, spec(FIRST, SECOND), **ASKED)
    assert confirmed(done, "000002") and done.of("Reboot")["rebooted"] and boot() != here and queue() == QUEUE, done.out[-3000:]
    before, after = [result["drift"] for task, _, result in done.tasks if task.endswith("Compare the host with its spec")]
    assert before["reboot_required"] and after["in_sync"] and not after["reboot_required"] and after["pending"] == [], after
    assert on(0, "ip -o -4 addr show dev store0 | awk '{print $4}'").split() == [FIRST, SECOND]
    assert on(0, "rdmastate history | awk 'NR == 2' | sed 's/.*  //'") == "confirmed"


def is_silent(control):
    note("asked again, it changes nothing and does not reboot")
    here = boot()
    done = role(control, spec(FIRST, SECOND), **ASKED, **PACKAGE)
    assert done.stats["node1"]["changed"] == 0 and done.of("Reboot")["skipped"] and boot() == here, done.stats


def still_waits(control):
    note("where something waits for a reboot after the reboot too, the role says what, and fails")
    on(0, f"cat >/etc/systemd/system/early.service <<'UNIT'\n{EARLY}UNIT\nsystemctl -q enable early.service")
    here = boot()
    failed = role(control, spec(FIRST, SECOND, size=LARGER), code=2, rdmastate_reboot=True)
    assert confirmed(failed, "000003") and failed.of("Reboot")["rebooted"] and boot() != here, failed.out[-3000:]
    said = failed.of("Be sure that nothing waits for another one")["msg"]
    assert said.startswith("The host was rebooted, and this waits for a reboot all the same:\n") and WAITS in said, said
    assert queue() not in (QUEUE, LARGER) and failed.stats["node1"]["failures"] == 1, (queue(), failed.stats)
    assert on(0, "rdmastate history | awk 'NR == 2' | sed 's/.*  //'") == "confirmed"


def main():
    control = machines.Control({"node1": machines.machine()})
    for part in (says_so, reboots, is_silent, still_waits):
        part(control)


if __name__ == "__main__":
    main()
