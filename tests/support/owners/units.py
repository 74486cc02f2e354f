"""What systemd itself reads in units and drop-ins: its own manager loads them all in test mode and says what it holds."""
import re
import shutil
import subprocess

UNITS = "etc/systemd/system"
# Whose units a drop-in of ours is for, as the package that brings them has them in essence.
SERVICE = "[Unit]\nDefaultDependencies=no\n[Service]\nExecStart=/bin/true\n"
TARGETS = ("sysinit", "basic", "local-fs", "local-fs-pre", "remote-fs", "remote-fs-pre", "umount", "shutdown", "network", "network-online", "rdmastate-ready")
HELD = re.compile(r"^\s+(What|Where|Options|File System Type|LimitMEMLOCK(?:Soft)?|Command Line|Description|(?:Wants|Before|After)(?=: [^(]*target \(origin-file\))): (.*)$", re.M)
NOBODY = 65534


def unescaped(name):
    return re.sub(r"\\x([0-9a-f]{2})", lambda m: chr(int(m.group(1), 16)), name.replace("-", "/")).encode("latin-1").decode("utf-8", "replace")


def dumped(folder, wanted):
    (folder / "all.target").write_text("[Unit]\nDefaultDependencies=no\n" + "".join(f"Wants={name}\n" for name in wanted))
    shutil.os.chmod(folder, 0o755)
    done = subprocess.run(["/lib/systemd/systemd", "--test", "--system", "--unit=all.target"], capture_output=True, timeout=120, cwd="/", user=NOBODY, group=NOBODY, extra_groups=[],
                          env={"SYSTEMD_UNIT_PATH": str(folder), "SYSTEMD_GENERATOR_PATH": "/none", "SYSTEMD_ENVIRONMENT_GENERATOR_PATH": "/none",
                               "XDG_RUNTIME_DIR": "/tmp", "SYSTEMD_LOG_LEVEL": "warning", "SYSTEMD_LOG_TARGET": "console", "LC_ALL": "C.UTF-8"})
    out, said = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    assert "-> By units:" in out, said + out
    units = re.split(r"^\t-> Unit ", out, flags=re.M)[1:]
    return {text.split(":\n", 1)[0]: HELD.findall(text) for text in units}, said


class Units:
    """Mounts, automounts and drop-ins of each tree, read by a manager that has no other units."""

    def __init__(self, box):
        self.box = box

    def read(self, root):
        folder = self.box.dir / "units"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(root / UNITS, folder, symlinks=False, ignore=lambda at, names: [n for n in names if n.endswith(".wants")])
        for name in TARGETS:
            (folder / f"{name}.target").write_text("[Unit]\nDefaultDependencies=no\n")
        ours = sorted(p.name for p in folder.iterdir() if p.suffix in (".mount", ".automount"))
        dropped = sorted(p.name.removesuffix(".d") for p in folder.iterdir() if p.name.endswith(".service.d"))
        for name in dropped:
            (folder / re.sub(r"@.*\.service$", "@.service", name)).write_text(SERVICE)
        wanted = [name for name in (*ours, *dropped)]
        units, said = dumped(folder, [name.replace("@.", "@x.") for name in wanted])
        complaints = [line.replace(str(folder), "") for line in said.splitlines() if re.search(r"mount|service", line) and not re.search(r"Unable|not supported", line)]
        enabled = sorted(unescaped(str(p.relative_to(root / UNITS))) for p in (root / UNITS).glob("*.wants/*mount"))
        return [complaints, enabled, [(name if name.endswith(".service") else unescaped(name), sorted(units.get(name.replace("@.", "@x."), ["not loaded"]), key=str)) for name in wanted]]

    def __call__(self, trees, _names):
        return {key: self.read(root) for key, root in trees.items()}
