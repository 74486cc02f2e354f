"""Beside two machines on a wire: the rows of examples/acceptance.md that rxe carries and whose programs the image has."""
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
RUN = ["ping", "ibv_rc_pingpong", "rping"]
PATIENCE = 300


def rows():
    """(server's command, client's command, what it says when all is well) of each row that is run here."""
    text = (TESTS.parent / "examples/acceptance.md").read_text()
    table = re.findall(r"^\| [^|]+ \| (?:`([^`]+)`)? ?\| `([^`]+)` \| `([^`]+)` \|$", text, re.M)
    found = [row for row in table if row[1].split()[0] in RUN]
    assert [row[1].split()[0] for row in found] == RUN, table
    return found


def sent(number):
    return int(on(number, "cat /sys/class/infiniband/rxe0/ports/1/hw_counters/sent_pkts"))


def listens(program):
    """The server waits for its client: ibv_rc_pingpong on a TCP port, rping on an id of rdma_cm."""
    end = time.monotonic() + PATIENCE
    while tried(SERVER, f"ss -Htlnp | grep {program} || rdma resource show cm_id | grep 'LISTEN.*{program}'")[0] != 0:
        assert time.monotonic() < end, f"{program} does not listen: {on(SERVER, 'cat /run/server')}"
        time.sleep(1)


def crosses(server, client, good):
    """The packets of RDMA programs are counted by rxe, and those of ping are not."""
    before = [sent(number) for number in (SERVER, CLIENT)]
    if server:
        on(SERVER, f"systemd-run -q --unit=server --collect -p StandardOutput=file:/run/server -p StandardError=inherit -p LimitMEMLOCK=infinity {server}")
        listens(server.split()[0])
    code, said = tried(CLIENT, client, timeout=PATIENCE)
    assert code == 0 and good in said, f"{client} ended with {code}: {said}"
    for number, old in zip((SERVER, CLIENT), before):
        assert not server or sent(number) >= old + 5, f"rxe0 of machine {number + 1} sent {old} packets before, {sent(number)} now"


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


if __name__ == "__main__":
    main()
