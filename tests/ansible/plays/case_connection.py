"""What the role does where no tree and no rehearsal goes: connections, packages, reboots and a host that drifts, with a stand-in for the agent."""
import stat

import stage

SHELL = "198.51.100.7 50022 192.0.2.1 22"  # SSH_CONNECTION of whoever starts the play
OTHER = "198.51.100.9 50044 192.0.2.2 22"  # that of the host's own session
NOTE = "Say that a local connection proves nothing"
NOT_ASKED = "A reboot is needed, and rdmastate_reboot does not ask for it:"
# An agent whose one run awaits confirmation until `confirm`. It keeps the runs in a file beside itself; a file `reboot` there makes the rest
# wait for a reboot, and a program `verify` there is started instead of it for that command.
AGENT = """#!/usr/bin/python3
import json, os, pathlib, sys
RUNS = pathlib.Path(__file__).with_name("runs")
REBOOT = pathlib.Path(__file__).with_name("reboot").exists()
WAITS = {"title": "module parameter", "pending": "it is loaded", "pending_until": "reboot"}
PLAN = {"steps": [], "other": [WAITS] * REBOOT, "notes": [], "diagnostics": [], "summary": {"disruption": "none", "reboot_required": REBOOT}}
end = RUNS.read_text() if RUNS.exists() else None
command = sys.argv[1]
if command == "verify" and REBOOT and "--allow-pending" not in sys.argv:
    sys.exit(print(json.dumps(PLAN)) or 2)
if command == "verify" and RUNS.with_name(command).exists():
    os.execv(RUNS.with_name(command), sys.argv)
if command == "apply":
    RUNS.write_text("awaits confirmation")
if command == "confirm":
    RUNS.write_text("confirmed")
facts = dict.fromkeys(("host", "live", "distribution", "version", "pretty_name", "kernel", "stack", "versions", "managers", "unseen"), "")
print(json.dumps({
    "packages": {"packages": [{"name": "bash", "why": "a test"}]},
    "show": {"facts": dict(facts, devices=[]), "details": [], "ipoib": []},
    "history": {"runs": [{"run": "000001", "end": end}] if end else []},
    "apply": {"rounds": [], "changed": True, "run": "000001", "disruption": "none", "left": PLAN, "diagnostics": [], "confirm_until": "soon"},
    "confirm": {"changed": True, "run": "000001", "message": "Run 000001 is confirmed: it stays."}, "verify": PLAN}[command]))
"""


def role(place, environment, env, **more):
    agent = place.write("agent/rdmastate", AGENT)
    agent.chmod(0o755)
    wanted = {"rdmastate_spec": {"version": 1}, "rdmastate_package": "", "rdmastate_install_packages": False, "rdmastate_executable": str(agent),
              "rdmastate_directory": str(place.dir / "specs"), **more}
    place.hosts(node1=wanted)
    done = place.play([{"hosts": "all", "gather_facts": False, "environment": environment, "roles": ["rdmastate.core.host"]}], env=env)
    return done, (place.dir / "agent/runs").read_text()


def told(done):
    note = done.of(NOTE)
    return not note["skipped"] and "local: it cannot be cut off" in note["msg"]


def test_a_local_play_from_a_shell_over_ssh_is_told_and_confirms(place):  # 14 s
    done, end = role(place, {}, {"SSH_CONNECTION": SHELL})
    done.expect()
    assert done.of("Look at the connection before")["stdout"] == done.of("Look at the connection after")["stdout"] == SHELL
    assert told(done) and end == "confirmed", (done.of(NOTE), end)


def test_a_local_play_without_ssh_is_told_and_confirms(place):  # 11 s
    done, end = role(place, {}, {}, rdmastate_group_spec={"version": 1})
    done.expect()
    assert done.of("Look at the connection before")["rc"] != 0 and told(done) and end == "confirmed"
    for name in ("host.yaml", "group.yaml"):  # a spec may hold secrets of a profile
        assert stat.S_IMODE((place.dir / "specs" / name).stat().st_mode) == 0o600, name


def test_over_the_old_connection_nothing_is_confirmed(place):  # 9 s, always
    """The host's session is not the shell's, and stays the same after the run."""
    done, end = role(place, {"SSH_CONNECTION": OTHER}, {"SSH_CONNECTION": SHELL})
    failed = done.expect(2).of("Be sure that it is another connection")
    assert f"still the one from before the run ({OTHER})" in failed["msg"] and not told(done) and end == "awaits confirmation", (failed, end)


def test_packages_are_asked_for_and_installed(place):  # 16 s
    """The agent's by its name, and those that the agent says the spec needs: one that every Debian has, so nothing changes."""
    done, _ = role(place, {}, {}, rdmastate_package="bash", rdmastate_install_packages=True)
    done.expect()
    for task in ("Install the agent", "Ask which packages the spec needs", "Install them"):
        assert not done.of(task)["skipped"] and not done.of(task)["changed"], (task, done.of(task))
    assert done.of("Install them")["invocation"]["module_args"]["name"] == ["bash"], done.of("Install them")


def test_a_reboot_is_done_where_it_is_needed_and_asked_for(place):  # 45 s
    """Over a local connection Ansible itself refuses to reboot: the machine that it runs on. What waits fails only where no reboot comes."""
    place.write("agent/reboot", "")
    done, _ = role(place, {}, {}, rdmastate_reboot=True, rdmastate_allow_pending=False)
    assert "local connection would reboot" in done.expect(2).of("Reboot")["msg"], done.of("Reboot")
    assert done.of("Say what waits for a reboot")["skipped"]
    done, _ = role(place, {}, {}, rdmastate_allow_pending=True)
    told = done.expect().of("Say what waits for a reboot")["msg"]
    assert done.of("Reboot")["skipped"] and told == [NOT_ASKED, "module parameter: it is loaded"], (told, done.of("Reboot"))
    done, _ = role(place, {}, {}, rdmastate_allow_pending=False)
    assert "module parameter: it is loaded" in done.expect(2).of("Report what differs")["msg"]


def test_a_host_that_drifts_after_its_run_is_reported(place):  # 15 s
    """The run is confirmed; then the real agent looks at a tree that has nothing of the spec."""
    place.write("agent/verify", f"#!/bin/sh\nexec {stage.BINARY} \"$@\" --root {place.tree('host')}\n").chmod(0o755)
    done, end = role(place, {}, {}, rdmastate_spec={"version": 1, "modules": {"load": ["ib_ipoib"]}}, rdmastate_verify_wait="1s", rdmastate_reboot=True)
    failed = done.expect(2).of("Report what differs")
    line = "write file /etc/modules-load.d/rdmastate.conf"
    drift = done.of("Compare the host with its spec")["drift"]
    assert end == "confirmed" and not drift["in_sync"] and line in [step["line"] for step in drift["steps"]], (end, drift)
    assert failed["failed"] and failed["msg"].splitlines() == ["The host is not as its spec says:", line, "write file /etc/rdmastate/"], failed
    assert not [task for task, _, _ in done.tasks if task.endswith("Reboot")], done.tasks
