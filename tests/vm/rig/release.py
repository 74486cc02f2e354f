"""The Debian release that the guest is of: this machine's, or another one that choose() named.

Of another release there is a root with its compiler and the headers of its kernel; its apt's lists name what is downloaded.
"""
import pathlib
import re
import subprocess

from .cache import Trouble, cached, digest, run

PASSED_ON = ["Acquire::http::Proxy", "Acquire::https::Proxy", "Acquire::Check-Valid-Until", "Acquire::Check-Date"]
COMPILER = ["gcc", "make", "perl", "kmod", "linux-headers-amd64", "debian-archive-keyring"]
_chosen = None


def of_host():
    return re.search(r"^VERSION_CODENAME=(\w+)$", pathlib.Path("/etc/os-release").read_text(), re.M).group(1)


def choose(name):
    """From now on the rig makes and starts guests of that release; None: of this machine's."""
    global _chosen
    _chosen = name


def suite():
    return _chosen or of_host()


def is_hosts():
    return suite() == of_host()


def mirror(name):
    """A line for apt: the mirror of this machine's Debian, with that suite."""
    for line in subprocess.run(["apt-cache", "policy", "libc6"], check=True, capture_output=True, text=True).stdout.splitlines():
        words = line.split()
        if len(words) > 2 and words[1].startswith("http") and "/main" in words[2]:
            return f"deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] {words[1]} {name} main"
    raise Trouble("apt names no mirror of Debian")


def sources():
    """For mmdebstrap: this machine's own lists that name the suite, or else the line of its mirror."""
    if not is_hosts():
        return [mirror(suite())]
    apt = pathlib.Path("/etc/apt")
    files = [apt / "sources.list", *sorted(apt.glob("sources.list.d/*.sources")), *sorted(apt.glob("sources.list.d/*.list"))]
    wanted = re.compile(rf"^(Suites:|deb)\s(.*\s)?{suite()}(\s|$)", re.M)
    found = [file for file in files if file.exists() and wanted.search(file.read_text())]
    if not found:
        raise Trouble(f"no apt source for {suite()} under /etc/apt")
    return found


def options():
    """For mmdebstrap: settings of this machine's apt that decide whether it can download at all."""
    found = []
    for key in PASSED_ON:
        value = run("apt-config", "shell", "value", key).strip()
        if value:
            found.append(f"--aptopt={key} {value[len('value='):]};".replace("'", '"'))
    return found


def _make_root(directory):
    run("mmdebstrap", "--variant=minbase", "--include=" + ",".join(COMPILER), *options(), "--skip=cleanup/apt/lists",
        "--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/locale/*",
        suite(), directory / "root", *sources(), stdin=subprocess.DEVNULL)


def root():
    """Where headers of its kernel and its apt's lists are. Nobody changes it. After a point release of Debian the packages that it names may be
    gone: whoever cannot download them removes it (~/.cache/rdmastate/release-*)."""
    if is_hosts():
        return pathlib.Path("/")
    return cached(f"release-{suite()}", digest(suite(), *COMPILER), _make_root) / "root"


def apt():
    """Words that begin a command of apt-get which downloads packages of the release into the folder that it runs in."""
    words = ["apt-get", "-o", "APT::Sandbox::User=root"]
    if is_hosts():
        return words
    return [*words, "-o", f"Dir={root()}", "-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache=", "-o", "Debug::NoLocking=1"]


def make(directory, *words):
    """Runs make there by the release's own compiler, and by its kernel's own tools."""
    if is_hosts():
        return run("make", "-C", directory, "-j2", *words)
    inside = 'mount --bind "$1" "$2/mnt"; mount --rbind /dev "$2/dev"; shift; root=$1; shift; exec chroot "$root" env TMPDIR=/mnt make -C /mnt -j2 "$@"'
    return run("unshare", "--mount", "sh", "-ec", inside, "sh", directory, root(), *words)
