"""Fresh trees to bake into, and what systemd's own tools are told to do there instead."""
import shutil
import subprocess

SYSUSERS = "g rdma - -\n"
UNIT = "[Service]\nExecStart=/usr/bin/rdmastate apply --boot\n[Install]\nWantedBy=multi-user.target\n"
LEFT_BY_SYSUSERS = {".pwd.lock", "group-", "gshadow"}
SYSTEMD = "systemd-sysusers --root={0} && systemd-tmpfiles --create --root={0} && systemctl --root={0} enable {1}"


def empty(root):
    """A system as packages leave it: no daemon, no configuration of rdmastate's."""
    for folder in ("etc/systemd/system", "run", "usr/bin", "usr/lib/systemd/system", "usr/lib/sysusers.d", "usr/lib/tmpfiles.d", "var/lib"):
        (root / folder).mkdir(parents=True)
    (root / "etc/os-release").write_text('ID="rhel"\nVERSION_ID="9"\n')
    (root / "etc/group").write_text("root:x:0:\n")
    (root / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\n")
    (root / "usr/bin/rdmastate").write_text("#!/bin/false\n")
    (root / "usr/lib/systemd/system/rdmastate.service").write_text(UNIT)


def seen(path):
    """Its mode and what it holds; of what lists groups whether it has the one."""
    info = path.lstat()
    if path.is_symlink() or path.is_dir():
        return (info.st_mode, "")
    text = path.read_text()
    return (info.st_mode, "\nrdma:" in text if path.name == "group" else text)


def written(tree, before):
    """What stands in a tree and did not before: paths below it, directories first."""
    return sorted((path for path in tree.rglob("*") if str(path.relative_to(tree)) not in before), key=lambda path: len(path.parts))


def tmpfiles_of(tree, before):
    """Lines of tmpfiles.d(5) that make the same directories and files, and the files by where these lines copy them from."""
    lines, factory = [], {}
    for path in written(tree, before):
        place = "/" + str(path.relative_to(tree))
        if path.is_symlink():
            continue  # a unit that is enabled: systemctl's part
        if path.is_dir():
            lines.append(f"d {place} {path.stat().st_mode & 0o7777:04o} root root -")
        else:
            lines.append(f"C {place} - - - -")
            factory[f"usr/share/factory{place}"] = path  # where tmpfiles.d(5) looks for it
    return "".join(line + "\n" for line in lines), factory


class Images:
    """Two fresh trees for each round: one that is baked, one that systemd's tools make the same files, groups and units in."""

    def __init__(self, product, directory, guide, facts):
        self.directory = directory
        spec = directory / "spec.yaml"
        spec.write_text(guide.read_text() + "memlock: {group: rdma, soft: 64GiB, hard: unlimited}\n")
        self.bake = [product, "apply", spec, "--bake", "--facts", facts, "--root"]
        model = directory / "model"
        empty(model)
        before = {str(path.relative_to(model)) for path in model.rglob("*")}
        subprocess.run([*self.bake, model], check=True, capture_output=True)
        self.lines, self.factory = tmpfiles_of(model, before)

    def commands(self, number):
        """Of this round: the bake's, and the others' in one shell, as an image's script has them."""
        baked, made = (self.directory / f"{kind}-{number}" for kind in ("baked", "made"))
        empty(baked)
        empty(made)
        (made / "usr/lib/sysusers.d/rdma.conf").write_text(SYSUSERS)
        (made / "usr/lib/tmpfiles.d/rdma.conf").write_text(self.lines)
        for place, source in self.factory.items():
            (made / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, made / place)
        return [[*self.bake, baked], ["/bin/sh", "-c", SYSTEMD.format(made, "rdmastate.service")]]

    def differences(self, number):
        """What the two trees of a round have not alike below /etc, but for what else systemd's tools leave there: paths."""
        baked, made = (self.directory / f"{kind}-{number}/etc" for kind in ("baked", "made"))
        found = [{str(path.relative_to(tree)): seen(path) for path in tree.rglob("*") if path.name not in LEFT_BY_SYSUSERS} for tree in (baked, made)]
        return {path for path in found[0].keys() | found[1].keys() if found[0].get(path) != found[1].get(path)}
