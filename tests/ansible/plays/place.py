"""Where a play is tried: hosts that are trees of one temporary directory, and what Ansible said of each."""
import json
import os
import pathlib

import stage
from support.harness import install_package

DIRECTORIES = ("etc/modules-load.d", "etc/udev/rules.d", "etc/systemd/system/multi-user.target.wants", "usr/lib/systemd/system", "var/lib", "run", "tmp")
MARK = "@@TOLD "  # callback/told.py
SETTINGS = {"ANSIBLE_STDOUT_CALLBACK": "told", "ANSIBLE_CALLBACK_PLUGINS": str(pathlib.Path(__file__).parent / "callback"),
            "ANSIBLE_RETRY_FILES_ENABLED": "0", "ANSIBLE_DEPRECATION_WARNINGS": "0"}


class Played:
    """The end of a play: exit code, and by host and task what came of it."""

    def __init__(self, code, out):
        self.code, self.out = code, out
        told = [json.loads(line[len(MARK):]) for line in out.splitlines() if line.startswith(MARK)]
        self.stats = next((one["stats"] for one in told if "stats" in one), {})
        self.tasks = [(one["task"], one["host"], one["result"]) for one in told if "task" in one]

    def expect(self, code=0):
        assert self.code == code, f"exit {self.code} instead of {code}:\n{self.out}"
        return self

    def of(self, name, host=None):
        """The result of the task whose name ends so; of the host, or of the only one."""
        found = [result for task, where, result in self.tasks if task.endswith(name) and host in (None, where)]
        assert len(found) == 1, (name, host, [task for task, _, _ in self.tasks])
        return found[0]


class Place:
    def __init__(self, directory):
        self.dir = pathlib.Path(directory)

    def tree(self, name):
        root = self.dir / name
        for path in DIRECTORIES:
            (root / path).mkdir(parents=True)
        (root / "etc/os-release").write_text('ID=debian\nVERSION_ID="12"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n')
        (root / "etc/machine-id").write_text("5d0c1f7e2a634b7c9c61a2c8f0e4b7d3\n")
        (root / "lib").symlink_to("usr/lib")
        install_package(root)
        return root

    def write(self, name, text):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if isinstance(text, str) else json.dumps(text, indent=1))
        return path

    def hosts(self, **hosts):
        """An inventory of hosts that are this one, each with variables of its own."""
        common = {"ansible_connection": "local", "ansible_python_interpreter": stage.PYTHON, "rdmastate_executable": str(stage.BINARY)}
        return self.write("hosts.json", {"all": {"hosts": {name: dict(common, **more) for name, more in hosts.items()}}})

    def play(self, playbook, *words, env=None):
        """Runs a playbook: a list of plays, or the name of one in the collection."""
        if not isinstance(playbook, str):
            playbook = str(self.write("play.json", playbook))
        command = ("ansible-playbook", "-i", str(self.dir / "hosts.json"), playbook, *words)
        code, out = stage.run(*command, cwd=self.dir, env=stage.environment(**SETTINGS, **(env or {})))
        return Played(code, out)


def never_applied(root):
    """Whether nothing of rdmastate's is there."""
    return not (root / "etc/rdmastate/ledger.json").exists() and not os.path.lexists(root / "var/lib/rdmastate")
