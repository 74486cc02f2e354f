"""Beside two machines: rollout brings one after the other, and the first that fails leaves the second untouched; then what README.md shows, as it stands."""
import re
import shlex

import machines
import stage
from machines import note, on

NODES = "node1.example.com", "node2.example.com"
README = (stage.SOURCE / "README.md").read_text()


def block(chapter, form):
    """The first block of that form in a chapter of the collection's README."""
    return re.search(rf"^```{form}\n(.*?)^```$", README.split(f"## {chapter}\n")[1], re.M | re.S)[1]


def variables():
    """(name, text) of the files that the chapter on many hosts shows, where the second host has the spec of the first."""
    found = re.findall(r"^# (\S+\.yml)\n(.*?)(?=^# |\Z)", block("Many hosts", "yaml"), re.M | re.S)
    assert [name for name, _ in found] == ["group_vars/compute.yml", f"host_vars/{NODES[0]}.yml"], found
    return [*found, (f"host_vars/{NODES[1]}.yml", found[1][1])]


def rollout():
    """The words of its command, behind the inventory."""
    words = shlex.split(block("Many hosts", "sh").splitlines()[0], comments=True)
    assert words[:3] == ["ansible-playbook", "-i", "inventory"], words
    return words[3:]


def host(number, **more):
    return machines.machine(number, rdmastate_confirm_within="10min", port_guid="f452:1403:007b:cba1", storage_address=f"192.0.2.{number + 7}", **more)


def untouched(number):
    return on(number, "ls -A /etc/rdmastate /var/lib/rdmastate 2>/dev/null; grep -c ^ib_ipoib /proc/modules || true") == "/etc/rdmastate:\n0"


def addresses():
    return [on(number, "ip -o -4 addr show dev mlx4_ib0 | awk '{print $4}'") for number in range(len(NODES))]


def main():
    note("the first host has a wrong spec: the second one is not begun")
    wrong = {"version": 1, "ipoib": [{"name": "mlx4_ib0", "match": {"port_guid": "f452:1403:007b:cba1"}, "mode": "datagram", "mtu": 65520}]}
    control = machines.Control({NODES[0]: host(0), NODES[1]: host(1)}, [*variables(), (f"host_vars/{NODES[0]}.yml", f"rdmastate_spec: {wrong}")])
    failed = control.play(*rollout()).expect(2)
    assert "mtu" in failed.of("Apply the spec", NODES[0])["msg"], failed.out[-2000:]
    assert NODES[1] not in failed.stats and untouched(1), (failed.stats, on(1, "ls -A /etc/rdmastate"))

    note("README.md: one host")
    control = machines.Control({name: host(number) for number, name in enumerate(NODES)}, variables())
    control.play(control.write("play.yml", block("One host", "yaml"))).expect(0)
    assert addresses() == ["192.0.2.7/24", "192.0.2.8/24"]
    assert on(0, "rdmastate history | awk 'NR == 2' | sed 's/.*  //'") == "confirmed"

    note("README.md: many hosts, one after the other")
    done = control.play(*rollout()).expect(0)
    order = [where for task, where, result in done.tasks if task.endswith("Compare the host with its spec")]
    assert order == list(NODES) and all(done.stats[name]["changed"] for name in NODES), (order, done.stats)
    assert addresses() == ["192.0.2.1/24"] * 2


if __name__ == "__main__":
    main()
