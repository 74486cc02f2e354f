"""What the programs beside a machine share: Ansible on this host, and an inventory of machines that it reaches over ssh.

Where they are is told by support/guests.py.
"""
import json
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]

from support.guests import KEY, PORTS, SSH, log_in, note, on, tried  # noqa: E402, F401 (the path has to be set first)

os.environ["RDMASTATE_ANSIBLE_STAGE"] = str(pathlib.Path(KEY).parent / "ansible")

import stage  # noqa: E402 (the stage has to be named first)
from plays.place import SETTINGS, Played  # noqa: E402

WITH_SSH = {"ANSIBLE_HOST_KEY_CHECKING": "0", "ANSIBLE_PIPELINING": "1", "ANSIBLE_TIMEOUT": "60"}


def machine(number=0, **more):
    return {"ansible_host": "127.0.0.1", "ansible_port": int(PORTS[number]), "ansible_user": "root", "ansible_ssh_private_key_file": KEY,
            "ansible_python_interpreter": "/usr/bin/python3", "ansible_ssh_common_args": SSH, "rdmastate_package": "", "rdmastate_install_packages": False, **more}


def through_far_end(address, number=0, **more):
    """The machine by an address of its RDMA link: from the network namespace of the far end, which the machine has too."""
    login = f"ssh {SSH} -i {KEY} -p {PORTS[number]} root@127.0.0.1"
    relay = f"{login} ip netns exec far /usr/bin/python3 /run/rig/relay.py {address} 22"
    return {**machine(number), "ansible_host": address, "ansible_port": 22, "ansible_ssh_common_args": f"{SSH} -o ProxyCommand='{relay}'", **more}


class Control:
    """The control node: an inventory of one group, compute, with files of variables beside it, and plays over it."""

    def __init__(self, hosts, files=()):
        stage.install()
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="control.", dir=stage.STAGE))
        (self.dir / "hosts.json").write_text(json.dumps({"compute": {"hosts": hosts}}))
        for name, text in files:
            self.write(name, text)

    def write(self, name, text):
        path = self.dir / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return str(path)

    def play(self, playbook, *words):
        if not isinstance(playbook, str):
            playbook = self.write("play.json", json.dumps(playbook))
        command = ("ansible-playbook", "-i", str(self.dir / "hosts.json"), playbook, *words)
        code, out = stage.run(*command, cwd=self.dir, env=stage.environment(**SETTINGS, **WITH_SSH))
        return Played(code, out)

    def task(self, module, *words, host="all", task=None, **options):
        """One task on one host: its result."""
        play = [{"hosts": host, "gather_facts": False, "tasks": [{"name": "the task", module: options, **(task or {})}]}]
        return self.play(play, *words).of("the task")
