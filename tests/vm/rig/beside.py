"""A scenario's program on the host: it runs beside the machines and reaches each over ssh, as an administrator would.

QEMU's user-mode network gives each machine one port of 127.0.0.1; the machine starts sshd with the run's key (lib-ssh.sh)
and ends when it is told the verdict. Nothing else of the host is reached, and nothing from elsewhere.
"""
import concurrent.futures
import os
import socket
import subprocess
import sys

from .cache import run

GUEST = "198.51.100.15"
LAN = f"user,id=lan,restrict=on,net=198.51.100.0/24,dhcpstart={GUEST}"
PATIENCE = 60


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def make_key(directory):
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "rig", "-f", directory / "key")
    return directory / "key"


def reachable(words, port):
    """The machine's command line with its port."""
    words = list(words)
    at = words.index("-netdev") + 1
    words[at] = f"{LAN},hostfwd=tcp:127.0.0.1:{port}-{GUEST}:22"
    return words


def ssh(key, port, *command):
    """For the rig's own words; a scenario's program has its own ways."""
    return ["ssh", "-F", "none", "-i", str(key), "-p", str(port), "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
            "-o", "LogLevel=ERROR", "-o", "BatchMode=yes", "-o", f"ConnectTimeout={PATIENCE}", "root@127.0.0.1", *command]


def tell_verdict(key, port, status):
    subprocess.run(ssh(key, port, f"echo {status} >/run/rig/verdict.new && mv /run/rig/verdict.new /run/rig/verdict"), stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=PATIENCE * 2, check=False)


def run_program(program, key, ports, timeout):
    """Whether it is content, and what it said; then the machines may end."""
    environment = dict(os.environ, RDMASTATE_VM_KEY=str(key), RDMASTATE_VM_PORTS=" ".join(map(str, ports)))
    try:
        done = subprocess.run([sys.executable, program], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=timeout)
        code, said = done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        code, said = 1, (late.stdout or b"").decode(errors="replace") + f"\n{program.name} did not end in {timeout:.0f} s"
    for port in ports:
        tell_verdict(key, port, 0 if code == 0 else 1)
    return code == 0, said


def together(boots, program):
    """Runs the machines, each a function, and the program, side by side: how each machine ended, and the program."""
    with concurrent.futures.ThreadPoolExecutor(max_workers=len(boots) + 1) as pool:
        machines = [pool.submit(boot) for boot in boots]
        talk = pool.submit(program)
        return [one.result() for one in machines], talk.result()
