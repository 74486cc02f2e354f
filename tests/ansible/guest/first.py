"""Beside one machine: a spec over ssh, check mode, the session's guard, and a host that loses its very link."""
import machines
from machines import note, on

ADDRESS = "192.0.2.1"
MODULE, INFO = "rdmastate.core.rdma_host", "rdmastate.core.rdma_host_info"


def spec(address):
    return {"version": 1, "network": {"backend": "none"}, "modules": {"load": ["ib_ipoib"]}, "ipoib": [
        {"name": "store0", "match": {"port_guid": "f452:1403:007b:cba1"}, "mode": "datagram", "ipv4": {"method": "manual", "addresses": ["203.0.113.1/24"]}},
        {"parent": "store0", "pkey": "0x8002", "mtu": "2044", "ipv4": {"method": "manual", "addresses": [f"{address}/24"]}}]}


def addresses():
    return on(0, "ip -o -4 addr show dev store0.8002 | awk '{print $4}'")


def first_round(result):
    return [step for step in result["steps"] if step["round"] == 1]


def changed_then_not(control):
    note("check mode is the first round of the run, and moves nothing")
    checked = control.task(MODULE, "--check", "--diff", host="lan", spec=spec(ADDRESS))
    assert checked["changed"] and on(0, "ls /etc/rdmastate") == "", checked
    real = control.task(MODULE, "--diff", host="lan", spec=spec(ADDRESS))
    assert real["changed"] and real["run_id"] == "000001" and first_round(real) == checked["steps"], (checked["steps"], real["steps"])
    assert real["diff"][:len(checked["diff"])] == checked["diff"]
    assert bool(checked["later"]) == (real["steps"][-1]["round"] > 1), (checked["later"], real["steps"])
    assert addresses() == f"{ADDRESS}/24"
    note("and again: not changed")
    again = control.task(MODULE, host="lan", spec=spec(ADDRESS))
    assert not again["changed"] and again["run_id"] is None and again["steps"] == [], again


def tells_what_is_there(control):
    note("rdma_host_info: IPoIB interfaces by name, GIDs, no drift")
    seen = control.task(INFO, host="lan", spec=spec(ADDRESS))
    child = seen["ipoib"]["store0.8002"]
    assert child["pkey"] == "0x8002" and child["child"] and child["port_guid"] == "f452:1403:007b:cba1" and f"{ADDRESS}/24" in child["addresses"], child
    assert seen["drift"]["in_sync"] and seen["runs"][0]["run"] == "000001"
    gid = on(0, "cat /sys/class/infiniband/%s/ports/1/gids/0" % child["device"])
    assert any(place["index"] == 0 and place["device"] == child["device"] for places in seen["gid_index"].values() for place in places), (gid, seen["gid_index"])


def guards_the_session(control):
    note("the session's interface is not touched without a deadline, whether the task is there or was detached")
    for task in ({}, {"async": 120, "poll": 2}):
        refused = control.task(MODULE, host="ib", task=task, spec=spec("192.0.2.3"))
        assert refused["failed"] and not refused["changed"] and refused["rc"] == 6, refused
        assert "this session (sshd, process" in refused["msg"] and "`confirm_within: 60s`" in refused["msg"], refused["msg"]
    assert addresses() == f"{ADDRESS}/24"


def comes_back(control):
    note("a host that loses its very link takes the run back, and the play says so")
    ib = {"rdmastate_spec": spec("192.0.2.3"), "rdmastate_confirm_within": "45s", "rdmastate_reconnect_timeout": 240, "rdmastate_directory": "/root/specs"}
    lost = control.play([{"hosts": "ib", "gather_facts": False, "roles": [{"role": "rdmastate.core.host", "vars": ib}]}]).expect(2)
    assert lost.of("Report a run that the host took back")["msg"].startswith("rolled back: run 000002"), lost.out[-3000:]
    assert addresses() == f"{ADDRESS}/24"
    assert on(0, "rdmastate history | awk 'NR == 2' | sed 's/.*  //'") == "rolled back"


def is_confirmed(control):
    note("a change that leaves the link is confirmed over another connection, and stays")
    more = spec(ADDRESS)
    more["ipoib"][1]["ipv4"]["addresses"].append("192.0.2.7/24")
    ib = {"rdmastate_spec": more, "rdmastate_directory": "/root/specs"}
    play = [{"hosts": "ib", "gather_facts": False, "roles": [{"role": "rdmastate.core.host", "vars": ib}]}]
    done = control.play(play).expect(0)
    before, after = done.of("Look at the connection before")["stdout"], done.of("Look at the connection after")["stdout"]
    assert before and after and before != after and f" {ADDRESS} 22" in after, (before, after)
    assert done.of("Confirm that very run")["run_id"] == done.of("Apply the spec")["run_id"] == "000003"
    assert addresses().split() == [f"{ADDRESS}/24", "192.0.2.7/24"]
    again = control.play(play).expect(0)
    assert again.stats["ib"]["changed"] == 0, again.stats


def takes_back(control):
    note("and is taken back")
    back = control.task("rdmastate.core.rdma_host_rollback", host="lan")
    assert back["changed"] and addresses() == f"{ADDRESS}/24", back


def main():
    control = machines.Control({"lan": machines.machine(), "ib": machines.through_far_end(ADDRESS)})
    for part in (changed_then_not, tells_what_is_there, guards_the_session, comes_back, is_confirmed, takes_back):
        part(control)


if __name__ == "__main__":
    main()
