"""Beside one machine that has dnf, though its distribution is Debian: the role's package by the path of its file."""
import machines
from machines import log_in, note, on

SPEC = {"version": 1, "modules": {"load": ["ib_umad"]}}
# As on RHEL, where Ansible finds out by itself that packages are dnf's.
DNF = {"ansible.builtin.package": {"use": "ansible.builtin.dnf"}}
UNSIGNED = {"ansible.builtin.dnf": {"disable_gpg_check": True}}
TASK = "Install the agent"


def role(control, code=0, defaults=None):
    return control.play([{"hosts": "node1", "gather_facts": False, "module_defaults": {**DNF, **(defaults or {})}, "roles": [
        {"role": "rdmastate.core.host", "vars": {"rdmastate_spec": SPEC, "rdmastate_package": "/root/rdmastate.rpm", "rdmastate_confirm_within": "10min"}}]}]).expect(code)


def main():
    log_in(0)
    control = machines.Control({"node1": machines.machine()})
    note("a path goes to dnf, which wants a signature of a package in a file too")
    refused = role(control, 2).of(TASK)["msg"]
    assert "Package rdmastate.rpm is not signed" in refused, refused
    note("with the play's module_defaults, as the role's README has them, it is installed")
    done = role(control, 0, UNSIGNED)
    assert done.of(TASK)["changed"] and done.of("Install the agent from a file for dpkg")["skipped"], done.out[-3000:]
    assert on(0, "rpm -q rdmastate-play") == "rdmastate-play-1-1.noarch"
    note("and again: not changed")
    again = role(control, 0, UNSIGNED)
    assert again.stats["node1"]["changed"] == 0, again.stats


if __name__ == "__main__":
    main()
