"""Runs stages that need each other, as many side by side as there are processors, each with its output in a file."""
import os
import pathlib
import re
import signal
import subprocess
import time

COUNTED = re.compile(r"^(\d+) passed, (\d+) failed\b.*$", re.M)
UNITTEST = re.compile(r"^Ran (\d+) tests? in .*\n\nOK$", re.M)
NOT_RUN = re.compile(r"\((?:Not Run|Skipped|Disabled)\)\s*$|\*\*\*(?:Not Run|Skipped)|^OK \(skipped=", re.M)


class Stage:
    """command: words for bash -c. needs: stages that come first. weight: processors it keeps busy, 0 for one that mostly
    waits. idle: it only has what others leave of the processors; ahead: it has what it wants of them first. counts: it
    tells how many tests it ran, and none is a failure; otherwise it is one check, or with check=False none (a build). less:
    sentences of what it leaves out. kind: of the items that it tells line by line (`ok NAME SECONDS`)."""

    def __init__(self, name, what, command, needs=(), weight=1, counts=False, check=True, limit=1800, idle=False, ahead=False, less=(), kind=None):
        self.name, self.what, self.command, self.needs = name, what, command, tuple(needs)
        self.weight, self.tells, self.check, self.limit = 0 if idle else weight, counts, check, limit
        self.idle, self.ahead, self.less, self.kind = idle, ahead, list(less), kind


class Result:
    """processor: seconds that the stage and all that it waited for took of the processors, as far as the kernel says so."""

    def __init__(self, stage, log, seconds=0.0, code=1, reasons=(), processor=0.0):
        self.stage, self.log, self.seconds, self.processor, self.reasons = stage, log, seconds, processor, list(reasons)
        self.passed, self.failed = (1, 0) if code == 0 and stage.check else (0, 0)
        text = log.read_text(errors="replace") if log.exists() and not reasons else ""
        if stage.tells:
            self._count(text)
        if code:
            self.failed = max(self.failed, 1)
            if not self.reasons:
                self.reasons.append(f"ended with {code}")
        self.good = code == 0 and self.failed == 0

    def _count(self, text):
        self.passed = self.failed = 0
        for passed, failed in COUNTED.findall(text):
            self.passed, self.failed = self.passed + int(passed), self.failed + int(failed)
        self.passed += sum(map(int, UNITTEST.findall(text)))
        if NOT_RUN.search(text):
            self.failed += 1
            self.reasons.append("a test did not run, see Skipped or Not Run below")
        if self.passed + self.failed == 0 and not self.reasons:
            self.failed = 1
            self.reasons.append("it ran no test")

    def counts(self):
        return f"{self.passed} passed, {self.failed} failed" if self.passed + self.failed else ""


BEHIND = 5  # niceness of a stage that is not ahead


def ended(process, wait=False):
    """The seconds of processor time that it took; nothing while it runs. Its returncode is known then."""
    pid, status, used = os.wait4(process.pid, 0 if wait else os.WNOHANG)
    if not pid:
        return None
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


def give_way():
    """In a child: the processors are the others' as long as they want them. A stage is a session of its own, and where the
    kernel shares processors between sessions first, what counts is the session's niceness."""
    _be_nice(os.getpid(), 19)
    try:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    except OSError:
        os.nice(19)


def stand_behind():
    """In a child: three quarters of what it wants goes to a stage that is ahead, if one wants it too."""
    _be_nice(os.getpid(), BEHIND)
    os.nice(BEHIND)


def take_turns(session):
    """Undoes give_way() for all processes of a session, once no other stage is left, as far as this user may: not the os.nice(), and
    SCHED_IDLE only with CAP_SYS_NICE or RLIMIT_NICE. Whether other users of the machine want the processors is not looked at."""
    _be_nice(session, 0)
    for task in pathlib.Path("/proc").glob("[0-9]*/task/[0-9]*"):
        try:
            if os.getsid(int(task.parts[2])) == session:
                os.sched_setscheduler(int(task.name), os.SCHED_OTHER, os.sched_param(0))
        except OSError:
            pass  # it has ended, or this user may not


def _be_nice(process, niceness):
    try:
        pathlib.Path(f"/proc/{process}/autogroup").write_text(str(niceness))
    except OSError:
        pass  # this kernel does not share by sessions


class Runner:
    """tell(result) is called for each stage that ended, look(stage, log) now and then for those that run. head: a line
    above each log."""

    def __init__(self, stages, logs, tell, look=lambda stage, log: None, head=""):
        self.waiting, self.logs, self.tell, self.look, self.head = list(stages), logs, tell, look, head
        self.order = {stage.name: at for at, stage in enumerate(stages)}
        self.slots = os.cpu_count() or 1
        self.running, self.results = {}, {}
        logs.mkdir(parents=True, exist_ok=True)

    def run(self):
        try:
            while self.waiting or self.running:
                self._drop_hopeless()
                self._start()
                self._hurry()
                self._reap()
        finally:
            for name, (process, stage, _) in self.running.items():
                os.killpg(process.pid, signal.SIGKILL)
                self.look(stage, self.logs / f"{name}.log")
        return sorted(self.results.values(), key=lambda one: self.order[one.stage.name])

    def _finish(self, result):
        self.look(result.stage, result.log)
        self.results[result.stage.name] = result
        self.tell(result)

    def _drop_hopeless(self):
        """What needs a failed stage cannot run, and says so: it is a failure of its own."""
        for stage in list(self.waiting):
            broken = [name for name in stage.needs if name in self.results and not self.results[name].good]
            if broken:
                self.waiting.remove(stage)
                log = self.logs / f"{stage.name}.log"
                log.unlink(missing_ok=True)
                self._finish(Result(stage, log, reasons=[f"not run: {', '.join(broken)} failed"]))

    def _start(self):
        """In order, but a stage that still waits lets others pass. Two that want all processors never run together, and what
        wants none never waits for one."""
        busy, full = sum(min(one.weight, self.slots) for _, one, _ in self.running.values()), False
        for stage in list(self.waiting):
            if not all(name in self.results for name in stage.needs):
                continue
            weight = min(stage.weight, self.slots)
            if weight and (full or busy + weight > self.slots):
                full = True  # keep the order: later, smaller ones would starve it
                continue
            self.waiting.remove(stage)
            busy += weight
            self.running[stage.name] = (self._begun(stage), stage, time.monotonic())

    def _hurry(self):
        """When only those that give way are left, they need not."""
        if self.running and not self.waiting and all(stage.idle for _, stage, _ in self.running.values()):
            for process, stage, _ in self.running.values():
                stage.idle = False
                take_turns(process.pid)

    def _begun(self, stage):
        place = give_way if stage.idle else None if stage.ahead else stand_behind
        with open(self.logs / f"{stage.name}.log", "wb") as log:
            log.write("".join(f"{line}\n" for line in [self.head, *(f"left out: {one}" for one in stage.less)] if line).encode())
            log.flush()
            return subprocess.Popen(["bash", "-eu", "-o", "pipefail", "-c", stage.command], stdin=subprocess.DEVNULL, stdout=log,
                                    stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=place)

    def _reap(self):
        time.sleep(0.05)
        for name, (process, stage, started) in list(self.running.items()):
            seconds, reasons = time.monotonic() - started, []
            self.look(stage, self.logs / f"{name}.log")
            processor = ended(process)
            if processor is None:
                if seconds < stage.limit:
                    continue
                os.killpg(process.pid, signal.SIGKILL)
                processor = ended(process, wait=True)
                reasons = [f"still running after {stage.limit} s, and ended"]
            del self.running[name]
            self._finish(Result(stage, self.logs / f"{name}.log", seconds, process.returncode, reasons, processor))
