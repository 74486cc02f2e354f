"""Beside two machines whose first adapters are at the ends of one InfiniBand cable: what the subnet manager that rdmastate runs on one
does to the other's port, and the row of examples/acceptance.md that only InfiniBand can carry."""
import pathlib
import re
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.append(str(TESTS))

from support.guests import log_in, note, on, tried  # noqa: E402 (the path has to be set first)

SPEC = "/etc/rdmastate/host.yaml"
FIRST, SECOND = 0, 1
NODES = {FIRST: "f452:1403:007b:cba", SECOND: "f452:1403:007b:cca"}  # node GUIDs, and those of their ports, but for the last digit
PORT = "/sys/class/infiniband/mlx4_0/ports/1"
PATIENCE = 600


def port_guid(number):
    return "0x" + NODES[number].replace(":", "") + "1"


def spec(number, manager):
    """The same host twice, but for addresses and the manager. manager: the section subnet_manager."""
    return f"""version: 1
network: {{backend: none}}
modules: {{load: [ib_umad, ib_ipoib]}}
devices: [{{match: {{node_guid: "{NODES[number]}0"}}, name: mlx4_0}}]
ipoib:
  - name: mlx4_ib0
    match: {{port_guid: "{NODES[number]}1"}}
    mode: datagram
    ipv4: {{method: manual, addresses: [203.0.113.{number + 1}/25]}}
  - parent: mlx4_ib0
    pkey: 0x8002
    ipv4: {{method: manual, addresses: [203.0.113.{number + 129}/25]}}
subnet_manager: {manager}
"""


def runs(number, priority):
    return (f'{{run: true, instances: [{{port_guid: "{port_guid(number)}", priority: {priority}}}], '
            'partitions: [{name: storage, pkey: 0x8002, ipoib: true, members: {ALL: full}}]}')


def write(number, manager):
    on(number, f"cat >{SPEC} <<'END'\n{spec(number, manager)}END\nchmod 600 {SPEC}")


def apply(number, *options):
    return on(number, f"rdmastate apply {' '.join(options)} {SPEC}", timeout=PATIENCE)


def refused(number, why):
    code, said = tried(number, f"rdmastate apply {SPEC}", timeout=PATIENCE)
    assert code == 6 and why in said, f"apply ended with {code}: {said}"


def read(number, name):
    return on(number, f"cat {PORT}/{name}")


def soon(sentence, is_so):
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, f"not within {PATIENCE} s: {sentence}"
        time.sleep(1)


def managed_by(number):
    """Both ports name that machine's port as their manager's."""
    lid = read(number, "lid")
    return lid != "0x0" and [read(FIRST, "sm_lid"), read(SECOND, "sm_lid")] == [lid, lid]


def sent(number):
    return int(read(number, "counters/port_xmit_packets"))


def crosses(command, good):
    """A command of the second machine ends well, and both ports sent packets for it."""
    before = [sent(FIRST), sent(SECOND)]
    said = on(SECOND, command, timeout=PATIENCE)
    risen = [sent(FIRST) - before[0], sent(SECOND) - before[1]]
    assert good in said and min(risen) >= 5, f"{command}: {said}; packets: {risen}"


def ibping():
    """The row of the page, with the server's LID in the place of the page's."""
    page = (TESTS.parent / "examples/acceptance.md").read_text()
    server, client, good = re.findall(r"^\| [^|]+ \| `(ibping[^`]+)` \| `([^`]+) -L 2` \| `([^`]+)` \|$", page, re.M)[0]
    on(FIRST, f"systemd-run -q --unit=server --collect {server}")
    soon("ibping has the port's management packets", lambda: tried(FIRST, "ls -l /proc/$(pgrep -x ibping)/fd | grep umad")[0] == 0)
    crosses(f"{client} -L {int(read(FIRST, 'lid'), 16)}", good)
    on(FIRST, "systemctl stop server")


def main():
    for number in (FIRST, SECOND):
        log_in(number)
        state = on(number, "cat /sys/class/infiniband/*/ports/1/state | sort -u")
        assert state == "2: INIT", f"before there is a manager: {state}"

    note("an OpenSM on the first machine manages the second one's port")
    write(FIRST, runs(FIRST, 5))
    write(SECOND, "{run: false}")
    apply(FIRST)
    apply(SECOND)
    soon("the second port is active", lambda: read(SECOND, "state") == "4: ACTIVE")
    soon("one manager for both", lambda: managed_by(FIRST))
    soon("its P_Key stands in the second one's table", lambda: "0x8002" in on(SECOND, f"cat {PORT}/pkeys/*").split())
    said = on(SECOND, "sminfo -C mlx4_0 -P 1", timeout=PATIENCE)
    assert f"sm guid {port_guid(FIRST)}, " in said and "priority 5 " in said, said
    for number in (FIRST, SECOND):
        on(number, f"rdmastate verify --wait 120s {SPEC}", timeout=PATIENCE)

    note("addresses of the port and of the partition answer over the cable, and so does ibping")
    crosses("ping -c 6 203.0.113.1", " 0% packet loss")
    crosses("ping -c 6 203.0.113.129", " 0% packet loss")
    ibping()

    note("the second machine shall manage: the present master is named, and hands over")
    write(SECOND, runs(SECOND, 14))
    refused(SECOND, f"has a subnet manager at LID {int(read(FIRST, 'lid'), 16)}")
    apply(SECOND, "--allow-fabric")
    soon("the second is the master", lambda: managed_by(SECOND))
    said = on(FIRST, "sminfo -C mlx4_0 -P 1", timeout=PATIENCE)
    assert f"sm guid {port_guid(SECOND)}, " in said and "priority 14 " in said, said

    note("it shall not any more: refused unasked, and then the first is the master again")
    write(SECOND, "{run: false}")
    refused(SECOND, "stops")
    assert managed_by(SECOND)
    apply(SECOND, "--allow-fabric")
    soon("the first is the master again", lambda: managed_by(FIRST))
    crosses("ping -c 6 203.0.113.129", " 0% packet loss")
    for number in (FIRST, SECOND):
        on(number, f"rdmastate verify --wait 120s {SPEC}", timeout=PATIENCE)
        said = on(number, f"rdmastate apply {SPEC}", timeout=PATIENCE)
        assert "Nothing to do" in said, said


if __name__ == "__main__":
    main()
