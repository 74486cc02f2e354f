"""Beside two machines on a wire: every row of examples/acceptance.md but ibping, whose packets rxe cannot carry; and doctor's test."""
import pathlib
import re
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.append(str(TESTS))

from support.guests import log_in, note, on, tried  # noqa: E402 (the path has to be set first)

SPEC = "/etc/rdmastate/host.yaml"
SERVER, CLIENT = 0, 1
NOT_RUN = "ibping"  # its datagrams are InfiniBand's management packets: rxe has Ethernet's link layer and no queue pair 0
DOCTOR = "rdmastate doctor --listen --bind 192.0.2.1 --device rxe0", "rdmastate doctor --active --peer 192.0.2.1 --device rxe0", "[rc-tried]"
RDMA, NETWORK = "infiniband/rxe0/ports/1/hw_counters/sent_pkts", "net/enp1s0/statistics/tx_packets"
OVER_IP = {"ping", "iperf3", "conf"}  # words of commands whose packets are the interface's; every other one's are rxe's
LEAST = 3  # packets that each end sends; `conf` is one question over TCP: 4 of the server's
PATIENCE = 300


def rows():
    """(server's command, client's command, what it says when all is well) of each row that is run here."""
    text = (TESTS.parent / "examples/acceptance.md").read_text()
    table = re.findall(r"^\| [^|]+ \| (?:`([^`]+)`)? ?\| `([^`]+)` \| `([^`]+)` \|$", text, re.M)
    found = [row for row in table if row[1].split()[0] != NOT_RUN]
    lines = len(re.findall(r"^\| (?!---|test )", text, re.M))
    assert len(found) == lines - 1 == 9, table
    return found


def sent(number, command):
    counter = NETWORK if OVER_IP.intersection(command.split()) else RDMA
    return int(on(number, f"cat /sys/class/{counter}"))


def listens(program):
    """The server waits for its client: rping on an id of rdma_cm, every other one on a TCP port."""
    end = time.monotonic() + PATIENCE
    while tried(SERVER, f"ss -Htlnp | grep {program} || rdma resource show cm_id | grep 'LISTEN.*{program}'")[0] != 0:
        assert time.monotonic() < end, f"{program} does not listen: {on(SERVER, 'cat /run/server')}"
        time.sleep(1)


def crosses(server, client, good):
    """The client ends well and says so, and both ends sent packets."""
    before = [sent(number, client) for number in (SERVER, CLIENT)]
    if server:
        on(SERVER, f"systemd-run -q --unit=server --collect -p StandardOutput=file:/run/server -p StandardError=inherit -p LimitMEMLOCK=infinity {server}")
        listens(server.split()[0])
    code, said = tried(CLIENT, client, timeout=PATIENCE)
    assert code == 0 and good in said, f"{client} ended with {code}: {said}"
    for number, old in zip((SERVER, CLIENT), before):
        now = sent(number, client)
        assert now >= old + LEAST, f"machine {number + 1} sent {old} packets before {client}, {now} now"


def server_ends():
    """By itself, as doctor's does after one peer."""
    end = time.monotonic() + PATIENCE
    while tried(SERVER, "systemctl is-active server")[0] == 0:
        assert time.monotonic() < end, f"the server still runs: {on(SERVER, 'cat /run/server')}"
        time.sleep(1)


def main():
    for number in (SERVER, CLIENT):
        log_in(number)
        on(number, f"echo '{{version: 1, soft_devices: [{{name: rxe0, type: rxe, netdev: enp1s0}}]}}' >{SPEC}; rdmastate apply {SPEC} && rdmastate verify {SPEC}",
           timeout=PATIENCE)
        address = on(number, "cat /sys/class/infiniband/rxe0/ports/1/gids/1")
        assert address == f"0000:0000:0000:0000:0000:ffff:c000:020{number + 1}", f"GID 1, of which the page speaks, is {address}"
    for server, client, good in rows():
        note(client)
        crosses(server, client, good)
        tried(SERVER, "systemctl stop server")  # one that waits for more clients: qperf
    note(DOCTOR[1])
    crosses(*DOCTOR)
    server_ends()
    assert DOCTOR[2] in on(SERVER, "cat /run/server")


if __name__ == "__main__":
    main()
