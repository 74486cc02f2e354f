"""What the programs read that own files of one purpose, such as modprobe, systemd-sysusers and OpenSM: readers for table.py."""
import re
import subprocess


def said_by(command, **more):
    done = subprocess.run(list(map(str, command)), capture_output=True, timeout=60, **more)
    return [line for out in (done.stdout, done.stderr) for line in out.decode("utf-8", "replace").splitlines()]


def modprobe(trees, _names):
    """modprobe's own dump of modprobe.d, less what the kernel's command line adds; NAME as - and as _ is one."""
    return {key: sorted(line for line in said_by(["/sbin/modprobe", "-C", root / "etc/modprobe.d", "-c"])
                        if line.startswith(("options", "install", "blacklist", "remove", "alias", "softdep", "libkmod", "modprobe")) and not line.startswith("alias symbol"))
            for key, root in trees.items()}


class ModulesLoad:
    """systemd-modules-load, where there is no module to be found: each name that it looks for it says."""

    def __init__(self, box):
        self.box = box

    def __call__(self, trees, _names):
        (self.box.dir / "none").mkdir(exist_ok=True)
        return {key: self.read(root) for key, root in trees.items()}

    def read(self, root):
        script = 'mount --make-rprivate / && mount --bind "$1" /lib/modules && exec /lib/systemd/systemd-modules-load "$2"'
        file = root / "etc/modules-load.d/rdmastate.conf"
        lines = said_by(["unshare", "-m", "sh", "-c", script, "sh", self.box.dir / "none", file], env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "SYSTEMD_LOG_LEVEL": "debug"})
        return [re.sub(r".*[Mm]odule '(.*)'.*", r"\1", line) for line in lines if "odule '" in line or "rdmastate.conf:" in line]


def nfsconf(trees, _names):
    """All that nfsconf reads in nfs.conf and beside it."""
    made = {}
    for key, root in trees.items():
        conf = root / "etc/nfs.conf"
        if not conf.exists():
            conf.write_text("[nfsd]\nthreads = 9\n")
        made[key] = said_by(["/usr/sbin/nfsconf", "--file", conf, "--dump", "-"])
    return made


def sysusers(trees, _names):
    """The groups and users that systemd-sysusers makes where there are none."""
    made = {}
    for key, root in trees.items():
        for name in ("passwd", "group", "shadow", "gshadow"):
            (root / "etc" / name).unlink(missing_ok=True)
        said = [line for line in said_by(["systemd-sysusers", f"--root={root}"]) if "Creating" not in line]
        lists = [sorted(line.split(":")[0] for line in (root / "etc" / name).read_text().splitlines()) if (root / "etc" / name).exists() else [] for name in ("group", "passwd")]
        made[key] = [said, lists]
    return made


def accounts(trees, _names):
    """/etc/group and /etc/gshadow, as getent reads them."""
    made = {}
    for key, root in trees.items():
        script = 'mount --make-rprivate / && mount --bind "$1" /etc/group && mount --bind "$2" /etc/gshadow && getent -s files group && getent -s files gshadow'
        made[key] = said_by(["unshare", "-m", "sh", "-c", script, "sh", root / "etc/group", root / "etc/gshadow"])
    return made


# pam_limits says nothing of a line that it does not take. parse_config_file() in Linux-PAM's modules/pam_limits: '#' ends a line,
# leading white space is passed over, then sscanf("%s%s%s%s") has to find four words, of which the second is soft, hard or -.
def limits(trees, _names):
    made = {}
    for key, root in trees.items():
        lines = [line.split("#", 1)[0].split() for line in (root / "etc/security/limits.d/95-rdmastate.conf").read_bytes().decode().split("\n")]
        made[key] = [("takes", *words) if len(words) == 4 and words[1] in ("soft", "hard", "-") else ("passes over", *words) for words in lines if words]
    return made


# OpenSM says little, and only with a fabric. Its grammar (opensm(8), doc/partition-config.txt): '#' comments, statements end
# with ';', ':' parts the definition from members, ',' parts them, '=' a name from its value; white space around them means nothing.
def partitions(trees, _names):
    made = {}
    for key, root in trees.items():
        path = next(p for p in (root / "etc/opensm/partitions.conf", root / "etc/rdma/partitions.conf") if p.exists())
        bare = "".join(line.split("#", 1)[0] + "\n" for line in path.read_bytes().decode().split("\n"))
        assert all(len(line) < 4094 for line in bare.split("\n"))
        read = []
        for statement in bare.split(";"):
            head, colon, members = statement.partition(":")
            words = [[tuple(part.strip(" \t\n") for part in word.partition("=")) for word in text.split(",")] for text in (head, members)]
            if statement.strip():
                read.append([words[0][0], words[0][1:], colon, sorted(words[1])])
        made[key] = sorted(read, key=str)
    return made


# opensm.conf: "key value" up to the line's end, '#' comments (osm_subn_parse_conf_file()).
def opensm(trees, _names):
    made = {}
    for key, root in trees.items():
        files = sorted((root / "etc").glob("*/opensm.conf.*"))
        made[key] = [(path.name, [line.split(None, 1) for line in path.read_text().splitlines() if line and not line.startswith("#")]) for path in files]
    return made


# exportfs is in a package that starts a server. Its reader (nfs-utils, support/nfs/xio.c): white space parts words, also inside of
# a line that a backslash continues; '#' begins a comment where a word could begin; quotes keep white space; \\ and three octal digits
# are a byte. A client is a host with its options in brackets.
WORD = re.compile(rb'(?:"[^"\n]*"|\\[0-7]{3}|[^\s"\\])+|\\\n|\\')
BYTE = re.compile(rb'\\([0-7]{3})')


def exports(trees, _names):
    """Each exported path with its clients: host and options."""
    made = {}
    for key, root in trees.items():
        made[key] = []
        for line in (root / "etc/exports.d/rdmastate.exports").read_bytes().replace(b"\\\n", b" ").split(b"\n"):
            words = []
            for word in WORD.findall(line):
                if word.startswith(b"#"):
                    break
                words.append(BYTE.sub(lambda match: bytes([int(match[1], 8)]), word.replace(b'"', b"")).decode("utf-8", "replace"))
            if words:
                made[key].append((words[0], [tuple(word.removesuffix(")").split("(", 1)) for word in words[1:]]))
    return made


class Shell:
    """A file of settings, as the shell that reads it has it."""

    def __init__(self, path):
        self.path = path

    def __call__(self, trees, _names):
        return {key: said_by(["env", "-i", "/bin/sh", "-c", '. "$1" && set', "sh", root / self.path]) for key, root in trees.items()}


def words(path):
    def read(trees, _names):
        return {key: [line.split() for line in (root / path).read_text().splitlines() if line and not line.startswith("#")] for key, root in trees.items()}
    return read


