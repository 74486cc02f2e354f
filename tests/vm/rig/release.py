"""Which Debian release a guest is of: this machine's, or another one.

Of another release there is a root with its compiler and the headers of its kernel; its apt's lists name what is downloaded.
What is made of a release has its stamp in its name: the number of its point release or, of sid, the day of its mirror's Release
file. On the next day sid's guest is made anew. The mirror keeps a package that another one has replaced for longer than a day, so
what the lists name can be downloaded.
"""
import functools
import os
import pathlib
import re
import subprocess
import tempfile

from .cache import PLACE, Trouble, cached, digest, log, run

PASSED_ON = ["Acquire::http::Proxy", "Acquire::https::Proxy", "Acquire::Check-Valid-Until", "Acquire::Check-Date"]
COMPILER = ["gcc", "make", "perl", "kmod", "linux-headers-amd64", "debian-archive-keyring"]
# Debian's installer makes /lib a link into /usr, which mmdebstrap leaves to the packages: those of Debian 11 do not.
MERGED_USR = "--setup-hook=/usr/share/mmdebstrap/hooks/merged-usr/setup00.sh"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"


def of_host():
    return re.search(r"^VERSION_CODENAME=(\w+)$", pathlib.Path("/etc/os-release").read_text(), re.M).group(1)


def _mirror():
    """The address of this machine's Debian."""
    for line in subprocess.run(["apt-cache", "policy", "libc6"], check=True, capture_output=True, text=True).stdout.splitlines():
        words = line.split()
        if len(words) > 2 and words[1].startswith("http") and "/main" in words[2]:
            return words[1]
    raise Trouble("apt names no mirror of Debian")


def mirror(suite):
    """A line for apt: the mirror of this machine's Debian, with that suite."""
    return f"deb [signed-by={KEYRING}] {_mirror()} {suite} main"


def options():
    """For mmdebstrap: settings of this machine's apt that decide whether it can download at all."""
    found = []
    for key in PASSED_ON:
        value = run("apt-config", "shell", "value", key).strip()
        if value:
            found.append(f"--aptopt={key} {value[len('value='):]};".replace("'", '"'))
    return found


def stamp(index):
    """What a suite's Release file says that it is: the number of its point release, or where it has none (sid) the day."""
    number = re.search(r"^Version: (\S+)$", index, re.M)
    day = re.search(r"^Date: \w+, (\d+ \w+ \d+) ", index, re.M)
    if not number and not day:
        raise Trouble("a Release file with neither Version nor Date")
    return number.group(1) if number else day.group(1)


def _index(suite):
    """The suite's Release file, as its mirror has it now."""
    with tempfile.TemporaryDirectory() as work:
        path = pathlib.Path(work, "InRelease")
        run("/usr/lib/apt/apt-helper", "-o", "APT::Sandbox::User=root", "download-file", f"{_mirror()}/dists/{suite}/InRelease", path)
        return path.read_text()


class Debian:
    """A release that guests are made of; see of(). suite: its code name; is_hosts: whether it is this machine's; variant: the name of
    what its image has beyond the guest's own (variants.py), or None."""

    def __init__(self, suite, variant=None):
        self.suite, self.is_hosts, self.variant = suite, suite == of_host(), variant

    def __repr__(self):
        return f"{self.suite}-{self.variant}" if self.variant else self.suite

    def _recipe(self):
        return digest(self.suite, *COMPILER)

    def _kept(self):
        """The stamp of the root that was made last, if one is kept."""
        files = [path for path in PLACE.glob(f"release-{self.suite}-*/stamp") if (path.parent / "recipe").read_text() == self._recipe()]
        return max(files, key=lambda path: path.stat().st_mtime).read_text() if files else None

    def as_kept(self):
        """The same release as its root is kept, whatever its mirror has by now; None: no root of it is kept."""
        kept = self._kept()
        if kept is None:
            return None
        same = Debian(self.suite, self.variant)
        same.stamp = kept
        return same

    @functools.cached_property
    def stamp(self):
        """Which state of the release the guest is made of: after a point release all is made anew. Without its mirror what is kept is
        used. This machine's own: what is installed decides, so nothing."""
        if self.is_hosts:
            return ""
        if os.environ.get("RDMASTATE_VM_AS_KEPT") and (kept := self._kept()):
            return kept
        try:
            return stamp(_index(self.suite))
        except Trouble as trouble:
            kept = self._kept()
            if kept is None:
                raise
            log(f"{self.suite} of {kept}, as it is kept: {str(trouble).splitlines()[-1]}")
            return kept

    def inputs(self):
        """For the hash of what is made of its packages."""
        return digest(self.suite, self.stamp) if self.stamp else self.suite

    def sources(self):
        """For mmdebstrap: this machine's own lists that name the suite, or else the line of its mirror."""
        if not self.is_hosts:
            return [mirror(self.suite)]
        apt = pathlib.Path("/etc/apt")
        files = [apt / "sources.list", *sorted(apt.glob("sources.list.d/*.sources")), *sorted(apt.glob("sources.list.d/*.list"))]
        wanted = re.compile(rf"^(Suites:|deb)\s(.*\s)?{self.suite}(\s|$)", re.M)
        found = [file for file in files if file.exists() and wanted.search(file.read_text())]
        if not found:
            raise Trouble(f"no apt source for {self.suite} under /etc/apt")
        return found

    def strap(self):
        """For mmdebstrap: more options for a guest of it."""
        return [] if self.is_hosts else [MERGED_USR]

    def _make_root(self, directory):
        run("mmdebstrap", "--variant=minbase", "--include=" + ",".join(COMPILER), *options(), "--skip=cleanup/apt/lists",
            "--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/locale/*",
            self.suite, directory / "root", *self.sources(), stdin=subprocess.DEVNULL)
        (directory / "stamp").write_text(self.stamp)
        (directory / "recipe").write_text(self._recipe())

    def root(self):
        """Where headers of its kernel and its apt's lists are. Nobody changes it."""
        if self.is_hosts:
            return pathlib.Path("/")
        return cached(f"release-{self.suite}", digest(self._recipe(), self.stamp), self._make_root) / "root"

    def c_library(self):
        """N of its C library's version 2.N."""
        if self.is_hosts:
            return int(os.confstr("CS_GNU_LIBC_VERSION").split(".")[1])
        status = (self.root() / "var/lib/dpkg/status").read_text()
        return int(re.search(r"^Package: libc6\n(?:\S.*\n|\s.*\n)*?Version: 2\.(\d+)", status, re.M).group(1))

    def apt(self):
        """Words that begin a command of apt-get which downloads packages of the release into the folder that it runs in."""
        words = ["apt-get", "-o", "APT::Sandbox::User=root"]
        if self.is_hosts:
            return words
        return [*words, "-o", f"Dir={self.root()}", "-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache=", "-o", "Debug::NoLocking=1"]

    def has(self, package):
        """Whether its apt would download that package."""
        return subprocess.run([*self.apt(), "--print-uris", "download", package], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def first(self, names):
        """Of `A | B | ...` the first package that the release has."""
        alternatives = [name.strip() for name in names.split("|")]
        found = alternatives if len(alternatives) == 1 else list(filter(self.has, alternatives))
        if not found:
            raise Trouble(f"{self.suite} has none of {names}")
        return found[0]

    def make(self, directory, *words):
        """Runs make there by the release's own compiler, and by its kernel's own tools."""
        if self.is_hosts:
            return run("make", "-C", directory, "-j2", *words)
        inside = 'mount --bind "$1" "$2/mnt"; for one in dev proc; do mount --rbind /$one "$2/$one"; done; shift; root=$1; shift; exec chroot "$root" env TMPDIR=/mnt make -C /mnt -j2 "$@"'
        return run("unshare", "--mount", "sh", "-ec", inside, "sh", directory, self.root(), *words)


@functools.cache
def _of(suite, variant):
    return Debian(suite, variant)


def of(name=None, variant=None):
    """The release of that code name; None: this machine's; with the image of that variant. One object each: its mirror is asked once."""
    return _of(name or of_host(), variant)
