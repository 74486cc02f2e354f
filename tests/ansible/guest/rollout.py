"""Beside two machines: rollout brings one after the other, and the first that fails leaves the second untouched."""
import machines
from machines import note, on


def spec(**more):
    return {"version": 1, "network": {"backend": "none"}, "modules": {"load": ["ib_ipoib"]}, "ipoib": [
        {"name": "store0", "match": {"port_guid": "f452:1403:007b:cba1"}, "mode": "datagram", "ipv4": {"method": "manual", "addresses": ["192.0.2.1/24"]}, **more}]}


def host(number, wanted):
    return machines.machine(number, rdmastate_spec=wanted, rdmastate_become=False, rdmastate_directory="/root/specs", rdmastate_confirm_within="10min")


def untouched(number):
    return on(number, "ls -A /etc/rdmastate /var/lib/rdmastate /root/specs 2>/dev/null; grep -c ^ib_ipoib /proc/modules || true") == "/etc/rdmastate:\n0"


def main():
    note("the first host has a wrong spec: the second one is not begun")
    control = machines.Control({"node1": host(0, spec(mtu=65520)), "node2": host(1, spec())})
    failed = control.play("rdmastate.core.rollout").expect(2)
    assert "mtu" in failed.of("Apply the spec", "node1")["msg"], failed.out[-2000:]
    assert "node2" not in failed.stats and untouched(1), (failed.stats, on(1, "ls -A /etc/rdmastate /root/specs"))
    note("mended, both are brought to it, one after the other")
    control = machines.Control({"node1": host(0, spec()), "node2": host(1, spec())})
    done = control.play("rdmastate.core.rollout").expect(0)
    order = [where for task, where, result in done.tasks if task.endswith("Compare the host with its spec")]
    assert order == ["node1", "node2"], order
    for number in (0, 1):
        assert on(number, "ip -o -4 addr show dev store0 | awk '{print $4}'") == "192.0.2.1/24"


if __name__ == "__main__":
    main()
