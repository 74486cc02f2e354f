"""Beside two machines on a wire: the playbook accept with the real tools over rxe, a pass and a failure, and the file that a CI system reads."""
import json
import re

import machines
from machines import log_in, note, on

from plays.case_accept import cases  # noqa: E402 (machines sets the path)

NODES = "node1.example.com", "node2.example.com"
TOOLS = "ib_write_bw", "qperf", "iperf3"
SPEC = {"version": 1, "soft_devices": [{"name": "rxe0", "type": "rxe", "netdev": "enp1s0"}]}
SLOW = 0.00001  # Gb/s: emulated machines have more than that
RDMA = "/sys/class/infiniband/rxe0/ports/1/hw_counters/sent_pkts"
PACKETS = 100  # of either end, far more than an exchange of addresses


def sent(counter):
    return [int(on(number, f"cat {counter}")) for number in range(len(NODES))]


def accept(control, code, **more):
    """How the playbook ended, and the cases of the file that it wrote."""
    report = control.dir / "accept.xml"
    report.unlink(missing_ok=True)
    words = {"rdmastate_hosts": "compute", "rdmastate_junit": str(report), "rdmastate_seconds": 2, **more}
    return control.play("rdmastate.core.accept", "-e", json.dumps(words)).expect(code), cases(control)


def passes(control):
    note("each tool measures between the two, over the RDMA devices, and is fast enough")
    before = sent(RDMA)
    done, found = accept(control, 0, rdmastate_rate=SLOW)
    assert found.keys() == {f"accept.{tool}" for tool in TOOLS} and all(case.find("failure") is None for case in found.values()), done.out[-3000:]
    assert {case.get("name") for case in found.values()} == {" to ".join(NODES)}
    after = sent(RDMA)
    assert all(new > old + PACKETS for old, new in zip(before, after)), (before, after)
    (words,) = [one for _, _, result in done.tasks if "rc_bw" in (one := str(result.get("cmd", "")))]
    assert "--use_cm" in words, words


def fails(control):
    note("by the port's own rate, which no emulated machine has, each is too slow, and is named with what it had")
    rate = on(0, "sed 's/ .*//' /sys/class/infiniband/rxe0/ports/1/rate")
    done, found = accept(control, 2)
    assert found.keys() == {f"accept.{tool}" for tool in TOOLS}, found
    for tool in TOOLS:
        said = found[f"accept.{tool}"].find("failure").get("message")
        assert re.fullmatch(rf"{' to '.join(NODES)}, {tool}: [0-9.]+ Gb/s is less than 95 % of {rate}(\.0)? Gb/s", said), said
        assert said in done.of("Fail where a pair is too slow")["msg"], done.out[-3000:]


def main():
    for number in range(len(NODES)):
        log_in(number)
    control = machines.Control({name: machines.machine(number, rdmastate_address=f"192.0.2.{number + 1}", rdmastate_device="rxe0")
                                for number, name in enumerate(NODES)})
    for name in NODES:
        made = control.task("rdmastate.core.rdma_host", host=name, spec=SPEC)
        assert made["changed"], made
    for part in (passes, fails):
        part(control)


if __name__ == "__main__":
    main()
