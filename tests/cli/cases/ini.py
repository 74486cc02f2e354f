"""Files of others in every form that their owners take: what rdmastate finds in them is what the owner itself reads."""
import pathlib
import subprocess

import gi

gi.require_version("NM", "1.0")
from gi.repository import GLib, NM  # noqa: E402 (the version has to be chosen first)

from cases.specs import NM as SPEC
from cases.trees import tree
from support.owners import network

BOM = "\ufeff"
PROFILES = "etc/NetworkManager/system-connections"
NETWORKS = "etc/systemd/network"
# NAME is the interface's.
NETWORK_FILES = [
    "[Match]\nName=NAME\n", "[Match]\nName = NAME\n", " [Match]\n\tName\t=\tNAME \n", "[Match]\r\nName=NAME\r\n", "[Match]\nName=NAME",
    BOM + "[Match]\nName=NAME\n", "[Match]\nName=x \\\n  NAME\n", "[Match]\nName=x \\\n# c\n ; c\nNAME\n", "[Match]\nName=x\\\\\nName=NAME\n",
    "[Match]\nName=x\n[Network]\nDHCP=no\n[Match]\nName=NAME\n", "[Match]\nName=NAME\nName=\nName=x\n", "[Match]\n#Name=NAME\nName=x\n",
    "[Match]\n;Name=NAME\nName=x\n", "[Match]\n# c\\\nName=NAME\n", "[Match]\nName=\"NAME\"\n", "[Match]\nName=x # NAME\n", "[Match]\n[Link]\nName=NAME\n[Match]\nName=x\n",
    "[ Match ]\nName=NAME\n[Match]\nName=x\n", "[match]\nName=NAME\n[Match]\nName=x\n", "[Match]\nname=NAME\nName=x\n", "Name=NAME\n[Match]\nName=x\n",
    "[Match]\nName\\\n=NAME\n", "[Match]\nName=\\\nNAME\n", "[Match]\rName=NAME\r",
]
KEYFILES = [
    "interface-name=NAME\n", "interface-name = NAME\n", "\tinterface-name\t=\tNAME\n", "#interface-name=NAME\n", "interface-name=NAME\r\n", "interface-name=x\ninterface-name=NAME\n",
    "interface-name=NAME\ninterface-name=x\n", "interface-name=\"NAME\"\n", "interface-name=NAME#c\n", "[user]\na.b=c\n[connection]\ninterface-name=NAME\n",
    "Interface-Name=NAME\n", "[infiniband]\ninterface-name=NAME\n", "[user]\na.b=x\\\n[connection]\ninterface-name=NAME\n",
]
NFS_CONFS = [
    "[lockd]\nport=NAME\n", "[lockd]\nport = NAME \n", " [ lockd ] # c\n\tport\t=\tNAME\n", "[LOCKD]\nPort=NAME\n", "[lockd]\r\nport=NAME\r\n", "[lockd]\nport=NAME",
    "[lockd]\nport=\"NAME\" # c\n", "[lockd]\nport='NAME'\n", "[lockd]\nport=NAME # c\n", "[lockd]\nport=NAME;c\n", "[lockd]\nport=\"NAME\n", "[lockd]\n# c\\\nport=NAME\n",
    "[lockd]\nport=\\\nNAME\n", "[lockd]\nport=NAME\\\n# c\nx=1\n", "[lockd]\nport=1\nport=NAME\n", "[lockd]\nport=NAME\n[x]\na=1\n[lockd]\nport=2\n", "[lockd]\nport=NAME\nport=\n",
    "[lockd \"a\"]\nport=NAME\n", "[lockd \"a]\nport=NAME\n", "[lockd\nport=NAME\n", "port=NAME\n[lockd]\n", BOM + "[lockd]\nport=NAME\n", "[lockd]\nport=1\\\\\nport=NAME\n", "[lockd]\nport x=NAME\n",
]
OS_RELEASES = [
    "ID=NAME\n", "ID=NAME", "  ID=NAME\n", "ID =NAME\n", "ID= NAME\n", "ID='NAME'\n", "ID=\"NAME\"\n", "ID=x\nID=NAME\n", "ID=NAME # c\n", "ID=NAME#c\n", "#ID=NAME\n", "ID=\"NAME \\\"a\\\"\"\n",
    "ID=NA\\\nME\n", "X='\nID=NAME\n'\n", "ID=\"NAME\n\"\n", "ID=x'y'\"z\"\n", "ID=a\\ b\n", "X=\"don't\"\nID=NAME # don't\n", "ID=NAME;X=1\n", "xID=NAME\n",
]


def facts(box, root):
    return box.run("show", "--root", root, "-o", "json").expect(0).json["facts"]


def claimed(box, root):
    return {(pathlib.Path(one["path"]).name, one["interface"]) for one in facts(box, root).get("claims", [])}


def test_networkd(box):
    root = tree(box, [NETWORKS])
    names = {f"n{i}.network": f"nets{i:02}" for i in range(len(NETWORK_FILES))}
    for text, (file, name) in zip(NETWORK_FILES, names.items()):
        (root / NETWORKS / file).write_bytes(text.replace("NAME", name).encode())
    folder = box.dir / "networkd"
    subprocess.run(["cp", "-r", root / NETWORKS, folder], check=True)
    (folder / "others.network").write_text("[Match]\nName=nets*\n")  # last by name: for whom no other one is
    folder.chmod(0o755)
    said, states = network.started(box, folder, {*names.values(), "decoyq"})
    run = {(pathlib.Path(state["NETWORK_FILE"]).name, name) for name, state in states.items() if "NETWORK_FILE" in state}
    run = {one for one in run if one[0] != "others.network"}
    found = {one for one in claimed(box, root) if one[1] == names[one[0]]}
    assert found == run and len(run) > 10, (found ^ run, said)


def in_profile(text):
    file = GLib.KeyFile()
    try:
        file.load_from_data(text, len(text.encode()), GLib.KeyFileFlags.NONE)
        read = NM.keyfile_read(file, "/", NM.KeyfileHandlerFlags.NONE, lambda *_: False, None)
        return read.get_interface_name()
    except GLib.Error:
        return None


def test_networkmanager(box):
    root = tree(box, [PROFILES])
    run = set()
    for i, text in enumerate(KEYFILES):
        whole = f"[connection]\nid=x\nuuid=4f8b5c0e-0b8e-4b5c-9b0e-1b2c3d4e5f60\ntype=infiniband\n{text.replace('NAME', f'ib{i}')}\n[infiniband]\ntransport-mode=datagram\n"
        path = root / PROFILES / f"p{i}.nmconnection"
        path.write_bytes(whole.encode())
        path.chmod(0o600)
        if in_profile(whole) == f"ib{i}":
            run.add((path.name, f"ib{i}"))
    found = {one for one in claimed(box, root) if one[1] == one[0].removesuffix(".nmconnection").replace("p", "ib")}
    assert found == run and len(run) > 5, found ^ run


def test_nfs_utils(box):
    root = tree(box)
    conf = root / "etc/nfs.conf"
    seen = 0
    for text in NFS_CONFS:
        conf.write_bytes(text.replace("NAME", "4001").encode())
        done = subprocess.run(["/usr/sbin/nfsconf", "--file", conf, "--get", "lockd", "port"], capture_output=True, text=True, check=False)
        wanted = done.stdout.rstrip("\n") if done.returncode == 0 else None
        found = [one["value"] for one in facts(box, root).get("nfs_settings", []) if one["key"] == "lockd.port"]
        assert (found or [None])[-1] == wanted, (text, found, wanted)
        seen += wanted == "4001"
    assert seen > 10, seen


def test_os_release(box):
    root = tree(box)
    for text in OS_RELEASES:
        text = text.replace("NAME", "osname")
        (root / "etc/os-release").write_text(text)
        done = subprocess.run(["sh", "-c", '. "$1"; printf "%s" "$ID"', "sh", root / "etc/os-release"], capture_output=True, text=True, check=False)
        assert facts(box, root).get("distribution", "") == done.stdout, (text, done.stdout, done.stderr)


FOREIGN = "[Match]\nName = mlx4_ib0\n"


def test_a_foreign_file_with_blanks_is_refused(box):
    path = f"/{NETWORKS}/10-theirs.network"
    box.write("spec.yaml", SPEC)

    def put(model):
        model["files"][path] = {"content": FOREIGN}

    box.host(put)
    root = tree(box, [PROFILES, NETWORKS])
    (root / path[1:]).write_text(FOREIGN)
    for where, more in ((["--host", "host.json"], ["--record", "after.json"]), (["--root", root], [])):
        said = box.run("apply", "spec.yaml", *where, *more).expect(6)
        assert f"{path} (networkd) configures mlx4_ib0" in said.out + said.err, said.out + said.err
        assert f"refused: {path} (networkd) configures mlx4_ib0" in box.run("plan", "spec.yaml", *where).out


def test_nfs_conf_without_its_last_newline(box):
    """nfs-utils does not see such a line: ours must not be it, and theirs must not come to count."""
    root = tree(box)
    (root / "etc/os-release").write_text('ID=rhel\nVERSION_ID="8.10"\n')
    conf = root / "etc/nfs.conf"
    for before in ("[nfsd]\nthreads=9\nrdma=1", "[mountd]\nport=1\n[statd]\nport=2", "# none", "[nfsd]\nthreads=9\n# c\\\n"):
        conf.write_text(before)
        box.write("spec.yaml", "version: 1\nnfs: {server: {rdma_port: 20050}}\n")
        box.run("apply", "spec.yaml", "--root", root).expect(0)
        done = subprocess.run(["/usr/sbin/nfsconf", "--file", conf, "--get", "nfsd", "rdma"], capture_output=True, text=True, check=False)
        assert done.stdout == "20050\n", (before, conf.read_text(), done.stdout)
        box.run("plan", "spec.yaml", "--root", root, "--detailed-exitcode").expect(0)
        box.write("spec.yaml", "version: 1\n")
        box.run("apply", "spec.yaml", "--root", root).expect(0)
        assert conf.read_text() == before, conf.read_text()


def test_a_record_says_the_same(box):
    def put(model):
        model["files"][f"/{PROFILES}/some.nmconnection"] = {"content": "[match]\ninterface-name = ib7;ib8;\n[connection]\ninterface-name=ib9\n", "mode": "0600"}
        model["files"]["/etc/os-release"] = {"content": "ID=debian\nVERSION_ID='12'\nPRETTY_NAME=\"Debian \\\"12\\\" \\$x\"\n"}

    box.run("show", "--host", box.host(put), "--record", "again.json").expect(0)
    seen = [box.run("show", "--host", path, "-o", "json").expect(0).json["facts"] for path in ("host.json", "again.json")]
    assert seen[0]["pretty_name"] == 'Debian "12" $x' and {"ib7", "ib8", "ib9"} <= {one["interface"] for one in seen[0]["claims"]}, seen[0]
    for key in ("claims", "pretty_name", "version", "distribution"):
        assert sorted(map(str, seen[0][key])) == sorted(map(str, seen[1][key])), key
