"""The modules in plays, on trees: Jinja's types, the agent's explanations, options shared by a group, a lock that is held."""
import errno
import subprocess
import threading
import time

import stage
from plays.place import never_applied

BREAKER = stage.TOP / "build/release/tests/crash/breaker"  # starts a program some of whose system calls fail
PATIENCE = 6  # seconds that a lock is held while the task asks for it
PORT = {"port_guid": "f452:1403:007b:cba1"}
SPEC = {"version": 1, "network": {"backend": "none"}, "modules": {"load": ["ib_ipoib", "ib_umad"]},
        "ipoib": [{"name": "mlx4_ib0", "match": PORT, "mode": "datagram", "mtu": "{{ mtu }}", "umcast": "{{ multicast }}",
                   "ipv4": {"method": "manual", "addresses": ["{{ address }}/24"]}}]}
VARS = {"mtu": 2044, "multicast": True, "address": "192.0.2.1"}
GROUP = {"group/rdmastate.core.rdmastate": {"executable": str(stage.BINARY), "root": "{{ root }}"}}


def play(*tasks, **more):
    return [{"hosts": "all", "gather_facts": False, "module_defaults": GROUP, "vars": VARS, "tasks": list(tasks), **more}]


def host(spec=None, **more):
    return {"name": "apply", "rdmastate.core.rdma_host": dict({"spec": spec or SPEC} if "state" not in more else {}, **more)}


def test_what_jinja_rendered_has_the_types_of_the_schema(place):  # 5 s
    root = place.tree("node1")
    place.hosts(node1={"root": str(root)})
    done = place.play(play(host(), {"name": "look", "rdmastate.core.rdma_host_info": {"spec": SPEC}})).expect()
    assert done.of("apply")["changed"] and done.of("look")["drift"]["in_sync"]
    assert '"mtu":2044' in (root / "etc/rdmastate/boot.json").read_text().replace(" ", "")
    again = place.play(play(host())).expect()
    assert not again.of("apply")["changed"] and again.stats["node1"]["changed"] == 0


def test_check_mode_is_the_first_round_of_the_run_and_writes_nothing(place):  # 4 s, always
    root = place.tree("node1")
    place.hosts(node1={"root": str(root)})
    checked = place.play(play(host()), "--check", "--diff").expect().of("apply")
    assert checked["changed"] and never_applied(root)
    real = place.play(play(host()), "--diff").expect().of("apply")
    now = [step for step in real["steps"] if step["round"] == 1]
    assert checked["steps"] == now and checked["diff"] == real["diff"][:len(checked["diff"])]
    assert {one["title"] for one in checked["later"]} >= {step["title"] for step in real["steps"] if step["round"] > 1}


def test_a_mode_that_yaml_read_as_a_number_is_explained(place):  # 2 s
    place.hosts(node1={"root": str(place.tree("node1"))})
    text = "- hosts: all\n  gather_facts: false\n  tasks:\n    - name: apply\n      rdmastate.core.rdma_host:\n" \
           f"        executable: {stage.BINARY}\n        root: '{{{{ root }}}}'\n" \
           "        spec: {version: 1, permissions: {umad: {group: ibdiag, mode: 0660}}}\n"
    failed = place.play(str(place.write("mode.yml", text))).expect(2).of("apply")
    assert failed["rc"] == 3 and "0660" in failed["msg"] and "permissions.umad.mode" in failed["msg"], failed["msg"]


def test_a_file_of_others_is_refused_by_name_and_taken_over_when_told(place):  # 3 s
    root = place.tree("node1")
    place.hosts(node1={"root": str(root)})
    (root / "etc/modules-load.d/rdmastate.conf").write_text("ib_srp\n")
    refused = place.play(play(host())).expect(2).of("apply")
    assert refused["rc"] == 6 and not refused["changed"] and "/etc/modules-load.d/rdmastate.conf" in refused["msg"] and "`adopt: true`" in refused["msg"]
    assert place.play(play(host(adopt=True))).expect().of("apply")["changed"]


def test_the_agent_takes_every_option_that_allows(place):  # 3 s
    root = place.tree("node1")
    place.hosts(node1={"root": str(root)})
    allowing = {"max_disruption": "service", "in_use": ["mlx4_0"], "restart": ["opensm.service", "srp_daemon.service"], "adopt": True, "replace": True,
                "allow_fabric": True}
    assert place.play(play(host(**allowing)), "--check").expect().of("apply")["changed"] and never_applied(root)
    assert place.play(play(host(**allowing))).expect().of("apply")["changed"]


def agent(place, name, command):
    """A program that starts the agent by this command."""
    path = place.write(name, f'#!/bin/sh\nexec {command}\n')
    path.chmod(0o755)
    return str(path)


def test_a_run_that_fails_says_whether_something_moved(place):  # 8 s
    """Taken back, not to be taken back, and with something blocked; the agent ends with 4, 5 and 1."""
    broken = f'{BREAKER} {errno.EIO} renameat:2 %s -- {stage.BINARY} "$@"'
    for code, changed, calls in ((4, False, ""), (5, True, "unlinkat:1+")):
        root = place.tree(f"node{code}")
        place.hosts(node1={"root": str(root)})
        failed = place.play(play(host(executable=agent(place, f"broken{code}", broken % calls)))).expect(2).of("apply")
        assert (failed["failed"], failed["changed"], failed["rc"]) == (True, changed, code) and "EIO" in failed["msg"], failed
        assert not (root / "etc/modules-load.d/rdmastate.conf").exists()
    recorded = f'{stage.BINARY} "$@" --host {stage.TOP}/examples/hosts/minimal.json --record {place.dir}/after.json'
    spec = place.write("spec.json", dict(SPEC, modules={"load": ["ib_umad"]}, ipoib=[{"name": "mlx4_ib0", "match": PORT}]))
    task = dict(host(), **{"rdmastate.core.rdma_host": {"src": str(spec), "executable": agent(place, "recorded", recorded)}})
    failed = place.play(play(task, module_defaults={})).expect(2).of("apply")
    assert (failed["failed"], failed["changed"], failed["rc"]) == (True, True, 1) and "add ib_ipoib to modules.load" in failed["msg"], failed
    assert failed["blocked"] and failed["steps"] and failed["run_id"] == "000001", failed


def test_a_held_lock_is_waited_for(place):  # 11 s
    root = place.tree("node1")
    place.hosts(node1={"root": str(root)})
    holder = subprocess.Popen(["flock", "--no-fork", str(root), "sleep", "600"])
    try:
        impatient = place.play(play(host(busy_timeout=0))).expect(2).of("apply")
        assert impatient["rc"] == 7 and "is at work" in impatient["msg"], impatient["msg"]
        threading.Timer(PATIENCE, holder.kill).start()
        start = time.monotonic()
        assert place.play(play(host(busy_timeout=300))).expect().of("apply")["changed"]
        assert time.monotonic() - start >= PATIENCE, "it did not wait"
    finally:
        holder.kill()
        holder.wait()


def test_absent_removes_and_released_lets_go(place):  # 6 s
    root = place.tree("node1")
    place.hosts(node1={"root": str(root)})
    done = place.play(play(host(), dict(host(state="released"), name="let go"), dict(host(state="absent"), name="nothing left"))).expect()
    assert done.of("let go")["changed"] and any("ib_ipoib" in one or "modules-load" in one for one in done.of("let go")["released"])
    assert not done.of("nothing left")["changed"] and (root / "etc/modules-load.d/rdmastate.conf").exists()
    done = place.play(play(host(adopt=True), dict(host(state="absent"), name="remove"))).expect()
    assert done.of("remove")["changed"]
