"""Scenarios: what their headers say, what goes into the guest with them, and how one is run."""
import os
import pathlib
import re
import shutil
import subprocess
import time

from . import beside, debs, image, qemu, wire
from . import release as releases
from .cache import BUILD, VM, Trouble, run
from .variants import VARIANTS

SCENARIOS = VM / "scenarios"
MODES = ("snapshot", "reboot")
DEFAULT_TIMEOUT = {"snapshot": 60, "reboot": 180}
MAX_CUTS = 20  # how often a scenario of mode reboot may be powered on
# Where what the guest's programs ran of our code is kept, one directory per scenario (LLVM's raw profiles). They come out
# on the third disk, so only scenarios of mode snapshot without one can be asked.
PROFILES = os.environ.get("RDMASTATE_VM_PROFILES")
PROFILES_MIB = 64


class Scenario:
    """scenarios/NAME.sh with its header: what, mode, and optionally memory, logged (MiB), judge (a program below tests: judged()), timeout (seconds),
    seconds (what it was measured to take), promise (words of what it alone shows by default: it always runs), when,
    releases (names of Debian releases whose guests it is for too), refused ("RELEASE...: reason" of those whose guests the agent refuses its specs in), with (NAME: scenarios/lib-NAME.sh is read behind lib.sh), debs (packages of its own, see debs.py), beside (a program below tests, see beside.py), machines,
    wire (yes: an Ethernet segment between two machines, see wire.py), functions (virtual: an adapter with virtual functions) and image (a name of variants.py)."""

    def __init__(self, path, release=None):
        """release: of whose guest it runs in; None: this machine's."""
        self.release, self.name = release, path.stem + (f"@{release}" if release else "")
        self.is_ours, self.script = path.parent == SCENARIOS, path.read_bytes()
        header = dict(re.findall(r"^# (what|mode|memory|logged|judge|timeout|seconds|promise|when|releases|refused|with|debs|beside|machines|wire|functions|image): (.*\S)\s*$", path.read_text(), re.M))
        if "what" not in header or header.get("mode") not in MODES:
            raise Trouble(f"{path.name}: its comments must say '# what: ...' and '# mode: {' | '.join(MODES)}'")
        self.what, self.mode = header["what"], header["mode"]
        libraries = ["lib.sh"] + [f"lib-{name}.sh" for name in header.get("with", "").split()]
        if missing := [name for name in libraries if not (SCENARIOS / name).exists()]:
            raise Trouble(f"{path.name}: no such library: {', '.join(missing)}")
        self.library = b"".join((SCENARIOS / name).read_bytes() for name in libraries)
        self.debs = header.get("debs", "").split()
        self.memory = int(header.get("memory", qemu.MEMORY))
        self.logged = int(header.get("logged", 0))
        if self.logged and self.mode != "snapshot":
            raise Trouble(f"{path.name}: a logged disk is for mode snapshot")
        self.beside = VM.parent / header["beside"] if "beside" in header else None
        self.machines = int(header.get("machines", 1))
        if self.machines > 1 and not self.beside:
            raise Trouble(f"{path.name}: several machines are for a program beside them")
        self.wired = "wire" in header
        if header.get("wire", "yes") != "yes" or self.wired and self.machines != 2:
            raise Trouble(f"{path.name}: the one '# wire:' there is, is 'yes', and it joins two machines")
        self.vfs = "functions" in header
        if header.get("functions", "virtual") != "virtual":
            raise Trouble(f"{path.name}: the one '# functions:' there is, is 'virtual'")
        variant = header.get("image")
        if variant and variant not in VARIANTS:
            raise Trouble(f"{path.name}: there is no image {variant}")
        self.debian = releases.of(release, variant)
        self.boots_cold = self.vfs or self.memory != qemu.MEMORY or self.debian.variant is not None
        self.profiled = bool(PROFILES) and self.mode == "snapshot" and not self.logged and not self.beside
        if self.profiled:
            self.logged = PROFILES_MIB
        self.judge = VM.parent / header["judge"] if "judge" in header else None
        if header.get("when", "named") != "named":
            raise Trouble(f"{path.name}: the one '# when:' there is, is 'named'")
        self.by_name_alone = "when" in header
        if variant and not self.by_name_alone:
            raise Trouble(f"{path.name}: an image of its own is made for those who name it: '# when: named'")
        self.releases = header.get("releases", "").split()
        words, _, reason = header.get("refused", "").partition(": ")
        self.refused = dict.fromkeys(words.split(), reason)
        if (words and not reason) or set(self.refused) & set(self.releases):
            raise Trouble(f"{path.name}: '# refused: RELEASE...: reason' is for releases that it is not for")
        self.promises = [word.strip() for word in header.get("promise", "").split(",") if word.strip()]
        if self.promises and self.by_name_alone:
            raise Trouble(f"{path.name}: what a promise needs cannot wait to be named")
        self.measured = "seconds" in header
        # Emulation is slow where continuous integration runs: the limit only has to end a hang.
        limit = int(header.get("timeout", DEFAULT_TIMEOUT[self.mode]))
        self.seconds = float(header.get("seconds", limit / 2))
        self.timeout = limit * float(os.environ.get("RDMASTATE_VM_PATIENCE", 3))


def every():
    return [Scenario(path) for path in sorted(SCENARIOS.glob("*.sh")) if not path.name.startswith("lib")]


def elsewhere():
    """Those that are for guests of other releases, once for each."""
    return [Scenario(SCENARIOS / f"{one.name}.sh", release) for one in every() for release in one.releases]


def _named(name):
    """NAME, NAME@RELEASE, or either with a path; None: there is no such file."""
    folder, slash, last = name.rpartition("/")
    file, _, release = last.partition("@")
    path = pathlib.Path(folder + slash + file) if slash else SCENARIOS / f"{file}.sh"
    return Scenario(path, release or None) if path.exists() else None


def chosen(names):
    """The scenarios of these names; without names all but those that wait to be named (`when`). A name with a slash is a file that is not
    (yet) one of ours; behind a @ stands the release of the guest."""
    known = {name: scenario for name in names if (scenario := _named(name))}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise Trouble(f"no such scenario: {', '.join(unknown)}; --list shows them")
    unfit = [name for name in names if PROFILES and not known[name].profiled]
    if unfit:
        raise Trouble(f"profiles come from scenarios of mode snapshot without a logged disk, unlike {', '.join(unfit)}")
    return [known[name] for name in names] if names else [one for one in every() if not one.by_name_alone]


def order(scenario, files):
    profiled = {"profiled": b""} if scenario.profiled else {}
    return {"lib.sh": scenario.library, "scenario.sh": scenario.script, **debs.files(scenario.debian, scenario.debs), **profiled, **files}


def _logged_disk(scenario, directory):
    for name, size in (("logged", scenario.logged << 20), ("log", 0)):
        with open(directory / name, "wb") as file:
            file.truncate(size)
    return qemu.logged_disk(directory)


def _machines(scenario, directory):
    """Command lines, one per power-on. Only a scenario that pulls the plug sees more than the first."""
    if scenario.mode == "reboot":
        return _machines_with_disk(scenario, directory)
    elif not scenario.boots_cold:
        words = qemu.command(scenario.debian, directory, incoming=qemu.snapshot(scenario.debian))
    else:
        words = qemu.command(scenario.debian, directory, scenario.memory, vfs=scenario.vfs)
    if scenario.logged:
        words += _logged_disk(scenario, directory)
    return [words]


def _machines_with_disk(scenario, directory):
    """The first one wakes up, like those without a disk of their own; the others boot from what it left."""
    disk = directory / "disk.qcow2"
    cold = qemu.command(scenario.debian, directory, scenario.memory, disk=disk, vfs=scenario.vfs)
    if scenario.boots_cold:
        qemu.overlay(disk, image.image(scenario.debian) / "disk.img", "raw")
        return [cold] * MAX_CUTS
    state, under = qemu.disk_snapshot(scenario.debian)
    qemu.overlay(disk, under, "qcow2")
    return [qemu.command(scenario.debian, directory, disk=disk, incoming=state)] + [cold] * (MAX_CUTS - 1)


def reason(text):
    """One line of why it failed, for whoever sees no more: the scenario's last word, or else the last lines of the console."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("@@")]
    said = [at for at, line in enumerate(lines) if line.startswith(("FAILED: ", "rig: the kernel complained"))]
    return " | ".join(lines[said[0]:][:3] if said else lines[-4:])


def told(consoles):
    """What a scenario wants people to read although it passed (lib.sh: tell)."""
    return re.findall(r"^@@TELL (.*)$", "\n".join(consoles), re.M)


def judged(scenario, directory):
    """The host's half of a scenario: a program that gets the log of the logged disk. Whether it is content, and its words."""
    done = subprocess.run([scenario.judge, directory / "log"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    return done.returncode == 0, done.stdout


def keep_profiles(scenario, directory):
    target = pathlib.Path(PROFILES) / scenario.name
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    run("tar", "-x", "-C", target, "-f", directory / "logged")


class Result:
    def __init__(self, scenario, passed, seconds, text="", said=(), stalled=False):
        self.scenario, self.passed, self.seconds, self.text, self.said = scenario, passed, seconds, text, list(said)
        self.stalled = stalled


def run_scenario(scenario, files, keep=False):
    """files: what product.files() found. A machine that the emulator let down is given one more try, and that is told."""
    once = _run_beside if scenario.beside else _run_once
    result = once(scenario, files, keep)
    if not result.stalled:
        return result
    again = once(scenario, files, keep)
    again.said += [f"the emulator lost a timer after {result.seconds:.0f} s: once more"]
    return again


def _fresh(name):
    directory = BUILD / "runs" / name
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    return directory


def _tidy(directory, passed, keep):
    """Nothing is left of a run that passed, of another one the consoles."""
    if passed and not keep:
        shutil.rmtree(directory)
    elif not keep:
        for name in ("order", "disk.qcow2", "qmp", "key", "logged", "log"):
            (directory / name).unlink(missing_ok=True)


def _run_beside(scenario, files, keep):
    """The machines, numbered from 1, and the program on the host that speaks to them."""
    started = time.monotonic()
    names = [scenario.name] + [f"{scenario.name}-{number}" for number in range(2, scenario.machines + 1)]
    directories, ports = [_fresh(name) for name in names], [beside.free_port() for _ in names]
    key = beside.make_key(directories[0])
    public = key.with_suffix(".pub").read_bytes()
    ends = wire.ends() if scenario.wired else []

    def booting(number):
        directory = directories[number]
        qemu.write_order(directory, order(scenario, {**files, "key.pub": public, "node": str(number + 1).encode()}))
        words = beside.reachable(_machines(scenario, directory)[0], ports[number])
        if not scenario.wired:
            return lambda: qemu.boot(words, directory / "console", scenario.timeout)
        return lambda: qemu.boot(words + ends[number].words(), directory / "console", scenario.timeout, ends[number].plug, [ends[number].link])

    ends, (content, talk) = beside.together([booting(number) for number in range(len(names))],
                                            lambda: beside.run_program(scenario.beside, key, ports, scenario.timeout))
    consoles = [qemu.tail(directory / "console") for directory in directories]
    passed = content and all(end.status == 0 for end in ends)
    text = "" if passed else "\n".join(consoles + [end.text for end in ends] + [talk])
    for directory in directories:
        _tidy(directory, passed, keep)
    said = told(consoles) + (told([talk]) if passed else [])
    return Result(scenario, passed, time.monotonic() - started, text, said, any(end.stalled for end in ends) and not passed)


def _run_once(scenario, files, keep):
    directory = _fresh(scenario.name)
    started = time.monotonic()
    qemu.write_order(directory, order(scenario, files))
    consoles = []
    ended = qemu.Ended(text="no machine ran")
    for number, words in enumerate(_machines(scenario, directory), 1):
        left = scenario.timeout - (time.monotonic() - started)
        ended = qemu.boot(words, directory / "console", max(left, 1),
                          plug=qemu.plug_logged_disk if scenario.logged else None)
        consoles.append(qemu.tail(directory / "console"))
        if not ended.cut:
            break
        (directory / "console").rename(directory / f"console.{number}")
    passed, said = ended.status == 0, told(consoles)
    text = "" if passed else "\n".join(consoles[-2:] + [ended.text])
    if passed and scenario.judge:
        passed, text = judged(scenario, directory)
        said += text.splitlines() if passed else []
    if passed and scenario.profiled:
        keep_profiles(scenario, directory)
    _tidy(directory, passed, keep)
    return Result(scenario, passed, time.monotonic() - started, text, said, ended.stalled)
