"""Beside two machines on a wire: README's chapter of NFS over RDMA is followed word by word, then both machines reboot. Where a deb lies in the
machines (tests/package/cases/nfs_two.py) they have no rdmastate before, and README's "Install" is followed too."""
import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.append(str(TESTS))

from support.guests import log_in, note, on, reboot, tried  # noqa: E402 (the path has to be set first)

CHAPTER = "A file over NFS/RDMA, from one host to another"
SPEC = "/etc/rdmastate/host.yaml"
SERVER, CLIENT = 0, 1
HOSTS = {"server": [SERVER], "client": [CLIENT], "both": [SERVER, CLIENT]}
LATER = "/mnt/later"  # a second mount of the same, which the chapter does not have
PATIENCE = 300
# What the image has in its own way, and what it cannot fetch: it has no way to an archive.
KERNEL = "linux-image-amd64"
DEB = "/usr/lib/rdmastate-tests/rdmastate_0_amd64.deb"


def steps():
    """The chapter's blocks in their order: (machines, form, text). The words before a block say in bold whose it is."""
    chapter = (TESTS.parent / "README.md").read_text().split(f"## {CHAPTER}\n")[1].split("\n## ")[0]
    found = re.findall(r"(.*?)^ *```(\w+)\n(.*?)^ *```$", chapter, re.M | re.S)
    assert len(found) >= 6, chapter
    for words, form, block in found:
        named = re.findall(r"\*\*(\w+)\*\*", words)
        assert len(named) == 1, f"whose is the block behind: {words}"
        yield HOSTS[named[0]], form, re.sub(r"^   ", "", block, flags=re.M)


def install(number):
    """README's command for a deb, as root, in a folder that has it where a build leaves it."""
    command, = re.findall(r"^sudo (apt install \./build/packages/rdmastate_\*\.deb)", (TESTS.parent / "README.md").read_text(), re.M)
    assert tried(number, "command -v rdmastate")[0] != 0, "an rdmastate is there already"
    note(f"{number + 1}: {command}")
    on(number, f"set -e; mkdir -p build/packages; cp {DEB} build/packages; {command}; rdmastate --version", timeout=PATIENCE)


def write_spec(number, text):
    on(number, f"cat >{SPEC} <<'END'\n{text}END\nchmod 600 {SPEC}")


def has_packages(number, block):
    """In the place of installing them: each that would be installed is there already."""
    command, = re.findall(r"^apt install \$\((.*)\)$", block, re.M)
    wanted = set(on(number, command).split())
    missing = tried(number, f"dpkg-query -W -f '${{db:Status-Status}} ${{Package}}\\n' {' '.join(wanted)} | grep -v ^installed")[1]
    assert KERNEL in wanted and missing in ("", f"dpkg-query: no packages found matching {KERNEL}"), missing


def follow():
    """All that the chapter has a user do; what each machine's last commands printed."""
    said = {}
    for machines, form, block in steps():
        for number in machines:
            note(f"{'server' if number == SERVER else 'client'}: {' ; '.join(block.split(chr(10)))[:150]}")
            if form == "yaml":
                write_spec(number, block)
            elif "apt install" in block:
                has_packages(number, block)
            else:
                said[number, block] = on(number, f"set -e\n{block}", timeout=PATIENCE)
    return "\n".join(said.values())


def counted():
    """Packets that each machine's rxe0 sent and received: {(machine, counter): packets}."""
    return {(number, name): int(on(number, f"cat /sys/class/infiniband/rxe0/ports/1/hw_counters/{name}"))
            for number in (SERVER, CLIENT) for name in ("sent_pkts", "rcvd_pkts")}


def checksum(number, path):
    return on(number, f"sha256sum <{path}", timeout=PATIENCE)


def crosses(source, target, name):
    """100 kB that one machine writes are read by the other out of its own view, over RDMA alone."""
    before = counted()
    views = {SERVER: f"/srv/projects/{name}", CLIENT: f"/mnt/projects/{name}"}
    on(source, f"set -e; head -c 100k /dev/urandom >{views[source]}; sync {views[source]}", timeout=PATIENCE)
    on(CLIENT, "echo 3 >/proc/sys/vm/drop_caches")
    sizes = [on(number, f"stat -c %s {views[number]}") for number in (SERVER, CLIENT)]
    assert sizes == ["102400", "102400"], sizes
    assert checksum(source, views[source]) == checksum(target, views[target]), name
    risen = {key: packets - before[key] for key, packets in counted().items()}
    # The active MTU of RoCE on Ethernet is 1024, so the data are 100 packets.
    assert min(risen[source, "sent_pkts"], risen[target, "rcvd_pkts"]) >= 100 and min(risen.values()) > 0, risen


def over_rdma_alone():
    mounted = [line for line in on(CLIENT, "cat /proc/self/mountinfo").splitlines() if " /mnt/projects " in line]
    for part in (" nfs4 192.0.2.1:/srv/projects ", "vers=4.2", "proto=rdma", "port=20049", "clientaddr=192.0.2.2", "addr=192.0.2.1"):
        assert len(mounted) == 1 and part in mounted[0], (part, mounted)
    assert "rdma 20049" in on(SERVER, "cat /proc/fs/nfsd/portlist")
    assert "192.0.2.2" in on(SERVER, "cat /proc/fs/nfsd/clients/*/info")
    for number in (SERVER, CLIENT):
        assert on(number, "ss -Htn state connected '( dport = :2049 or sport = :2049 )'") == "", "NFS goes over TCP"


def mount_later():
    """The client's spec gets a mount that waits for its first access."""
    more = f'{{source: "192.0.2.1:/srv/projects", target: {LATER}, options: [vers=4.2], automount: true}}, '
    on(CLIENT, f"set -e; sed -i 's#^    mounts: \\[#&{more}#' {SPEC}; rdmastate apply {SPEC}", timeout=PATIENCE)


def waits_and_reads(wanted):
    """Nothing but the automount is there, until somebody reads the file."""
    before = on(CLIENT, f"grep ' {LATER} ' /proc/self/mountinfo")
    assert " autofs " in before and " nfs4 " not in before, before
    assert checksum(CLIENT, f"{LATER}/file") == wanted
    assert "proto=rdma" in on(CLIENT, f"grep ' {LATER} .* nfs4 ' /proc/self/mountinfo")


def in_sync():
    for number in (SERVER, CLIENT):
        said = on(number, f"rdmastate verify {SPEC}")
        assert said.endswith("is as the spec says, now and for the next boot."), said


def silent():
    """A second apply on each moves nothing (lib.sh: quiet)."""
    for number in (SERVER, CLIENT):
        on(number, f"export RIG=/run/rig; set -euo pipefail; . $RIG/lib.sh; quiet rdmastate apply {SPEC}", timeout=PATIENCE)


def main():
    for number in (SERVER, CLIENT):
        log_in(number)
        if tried(number, f"test -e {DEB}")[0] == 0:
            install(number)
        assert on(number, "ls -A /etc/rdmastate; cat /proc/mounts | grep -c ' nfs4 ' || true") == "0", "no fresh machine"
    # As Debian's package leaves it; the rig's image has it switched off.
    on(SERVER, "systemctl -q enable --now nfs-server", timeout=PATIENCE)

    said = follow()
    sums = re.findall(r"^(\w{64})  /(srv|mnt)/projects/file$", said, re.M)
    assert len(sums) == 2 and sums[0][0] == sums[1][0] and "proto=rdma" in said, said

    note("both directions, over RDMA alone; a second apply is silent")
    over_rdma_alone()
    crosses(SERVER, CLIENT, "from-the-server")
    crosses(CLIENT, SERVER, "from-the-client")
    silent()

    note("a mount that waits for its first access")
    mount_later()
    waits_and_reads(f"{sums[0][0]}  -")
    silent()

    note("the server reboots, and the client goes on")
    reboot(SERVER)
    crosses(CLIENT, SERVER, "over-the-servers-boot")
    over_rdma_alone()
    in_sync()

    note("the client reboots, and has it mounted by itself")
    reboot(CLIENT)
    crosses(SERVER, CLIENT, "after-both")
    assert checksum(CLIENT, "/mnt/projects/file") == f"{sums[0][0]}  -"
    waits_and_reads(f"{sums[0][0]}  -")
    over_rdma_alone()
    in_sync()
    silent()


if __name__ == "__main__":
    main()
