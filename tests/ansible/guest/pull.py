"""Beside one machine that pulls for itself: with README's words, a spec that a play writes and the unit that applies it; then the play of
the collection's README, as it stands, with the collection out of its tarball."""
import re
import subprocess

import machines
import stage
from machines import KEY, PORTS, SSH, note, on, tried

FIRST, SECOND = "192.0.2.1/24", "192.0.2.7/24"
SPEC = """version: 1
network: {{backend: none}}
modules: {{load: [ib_ipoib]}}
ipoib:
  - {{name: store0, match: {{port_guid: "f452:1403:007b:cba1"}}, mode: datagram, ipv4: {{method: manual, addresses: [{address}]}}}}
"""
# What README.md says of any program that writes the file: it starts the unit afterwards.
WITH_UNIT = """- hosts: localhost
  tasks:
    - name: Write the spec
      ansible.builtin.copy: {src: "{{ ansible_facts.hostname }}.yaml", dest: /etc/rdmastate/host.yaml, mode: "0600"}
      register: written
    - name: Have it applied
      ansible.builtin.systemd: {name: rdmastate-apply.service, state: started}
      when: written is changed
"""


def chapter():
    """(play, commands) of the collection's README."""
    text = (stage.SOURCE / "README.md").read_text().split("## A host that pulls\n")[1].split("\n## ")[0]
    return [re.search(rf"^```{form}\n(.*?)^```$", text, re.M | re.S)[1] for form in ("yaml", "sh")]


def put(path, data):
    done = subprocess.run(["ssh", *SSH.split(), "-i", KEY, "-p", PORTS[0], "root@127.0.0.1", f"cat >{path}"], input=data, timeout=120)
    assert done.returncode == 0, path


def commit(**files):
    """The repository's next commit, in which these files are."""
    for name, text in files.items():
        put(f"/root/site/{name}.yaml" if name != "local" else "/root/site/local.yml", text.encode())
    on(0, "cd /root/site && git add -A && git -c user.name=site -c user.email=site@example.com commit -q -m next")


def pull(command):
    """How many of the play's tasks changed something; the checkout is of the command before them."""
    code, said = tried(0, f"export ANSIBLE_NOCOLOR=1; {command}", timeout=900)
    assert code == 0, said
    changed, failed = re.findall(r"changed=(\d+) .*?failed=(\d+)", said)[-1]
    assert failed == "0", said
    return int(changed)


def addresses():
    return on(0, "ip -o -4 addr show dev store0 | awk '{print $4}'")


def runs():
    return on(0, "rdmastate history | grep -c '^0' || true")


def by_unit(host):
    note("README.md: a play writes the spec and starts rdmastate-apply.service: changed, and then not")
    commit(local=WITH_UNIT, **{host: SPEC.format(address=FIRST)})
    command = "ansible-pull -U /root/site"
    assert pull(command) == 2 and addresses() == FIRST and runs() == "1"
    assert pull(command) == 0 and runs() == "1"


def by_collection(host):
    note("the collection's README.md: what its play changes is told by the agent")
    play, commands = chapter()
    (tarball,) = stage.STAGE.glob("rdmastate-core-*.tar.gz")
    put(f"/root/{tarball.name}", tarball.read_bytes())
    install, command = commands.splitlines()
    commit(local=play, **{host: SPEC.format(address=SECOND)})
    on(0, f"cd /root && {install}", timeout=900)
    command = command.replace("https://git.example.com/site.git", "/root/site")
    assert pull(command) == 2 and addresses() == SECOND and runs() == "2"
    on(0, f"ip addr del {SECOND} dev store0")
    assert pull(command) == 1 and addresses() == SECOND and runs() == "3"  # the file is as before; what drifted is brought back
    assert pull(command) == 0 and runs() == "3"


def main():
    stage.install()
    machines.log_in(0)
    on(0, "git init -q /root/site")
    host = on(0, "hostname")
    for part in (by_unit, by_collection):
        part(host)


if __name__ == "__main__":
    main()
