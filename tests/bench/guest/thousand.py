"""In the guest: thousand.py INTERFACE PRODUCT. Prints lines `bench: ...`; ends with 1 when a ratio is twice what is wanted."""
import os
import pathlib
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))
from benching import again, specs, timing, trace  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
WORK = pathlib.Path("/run/bench")
MADE = ("/etc/rdmastate", "/var/lib/rdmastate", "/etc/udev/rules.d/70-rdmastate-ipoib.rules",
        "/etc/systemd/system/multi-user.target.wants/rdmastate.service")
DUMPS = "la46"
SIZES = (1, 10, 100, 1000)
COUNT = 1000
WANTED_PLAN, WANTED_CREATE, MARGIN = 1.5, 1.2, 2.0
failures = []


def say(line):
    print("bench: " + line, flush=True)


def quietly(*words):
    ended = subprocess.run([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if ended.returncode:
        raise SystemExit(f"{words[0]} ended with {ended.returncode}: {ended.stderr[-2000:]}")


def judge(what, ratio, wanted):
    if ratio > wanted * MARGIN:
        failures.append(f"{what}: {ratio:.2f}, wanted {wanted}")


def interface_of_port():
    """The name of the interface whose address ends with the port's GUID, as soon as there is one."""
    ending = bytes.fromhex(specs.PORT_GUID.replace(":", "")).hex(":")
    for _ in range(200):
        for net in pathlib.Path("/sys/class/net").iterdir():
            if (net / "address").read_text().strip().endswith(ending):
                return net.name
        time.sleep(0.05)
    raise SystemExit("the port's interface does not come")


def fresh(parent):
    """No child, the interface down, and nothing of rdmastate on the disk."""
    quietly("modprobe", "-r", "ib_ipoib")
    quietly("modprobe", "ib_ipoib")
    present = interface_of_port()
    if present != parent:  # nobody but udev would have named it
        quietly("ip", "link", "set", present, "name", parent)
    for path in map(pathlib.Path, MADE):
        if path.is_dir():
            shutil.rmtree(path)
        elif path.exists() or path.is_symlink():
            path.unlink()


def batch(parent):
    """What the spec asks for, as a person would write it for ip."""
    lines = [f"link set {parent} up"]
    for number in range(COUNT):
        key = specs.FIRST_PKEY + number
        name = f"{parent}.{key:04x}"
        lines += [f"link add link {parent} name {name} type ipoib pkey 0x{key:04x} mode datagram umcast 0",
                  f"link set {name} up", f"addr add {specs.address(number)} dev {name}"]
    path = WORK / "batch"
    path.write_text("".join(line + "\n" for line in lines))
    return path


def seconds(*commands):
    start = time.monotonic()
    for command in commands:
        quietly(*command)
    return time.monotonic() - start


def children(parent):
    out = subprocess.run(["ip", "-o", "-4", "addr", "show"], check=True, capture_output=True, text=True).stdout
    return sum(f" {parent}." in line for line in out.splitlines())


def creation(parent, product, spec):
    """By turns; the state that is left is rdmastate's."""
    theirs, ours = [], []
    words = batch(parent)
    for _ in range(3):
        fresh(parent)
        theirs.append(seconds(["ip", "-batch", words], ["ip", "-d", "link", "show"]))
        assert children(parent) == COUNT, children(parent)
        fresh(parent)
        ours.append(seconds([product, "apply", spec]))
        assert children(parent) == COUNT, children(parent)
    ratio = min(ours) / min(theirs)
    for who, times in (("rdmastate", ours), ("ip -batch and one dump", theirs)):
        say(f"making {COUNT} children, {who}: " + ", ".join(f"{one:.2f}" for one in times) + " s")
    say(f"making {COUNT} children: ratio of the shortest {ratio:.2f}, wanted {WANTED_CREATE}")
    judge("creation", ratio, WANTED_CREATE)


def plan(product, spec, size):
    command = [product, "plan", spec, "--detailed-exitcode"]
    files = WORK / "files"
    files.write_text("".join(line + "\n" for line in trace.files_of(command)))
    ours, floor = again.lowest(
        lambda: timing.by_turns(HERE / "bench_timer", max(40 // (1 + size // 50), 7), command, [HERE / "bench_floor", spec, files, DUMPS]),
        lambda pair: min(pair[0].wall / pair[1].wall, pair[0].cpu / pair[1].cpu), WANTED_PLAN * MARGIN, f"plan of {size}", say=say)
    wall, cpu = ours.wall / floor.wall, ours.cpu / floor.cpu
    say(f"plan {size:5}  wall {ours.wall:9.2f} {floor.wall:9.2f} {wall:5.2f}  cpu {ours.cpu:9.2f} {floor.cpu:9.2f} {cpu:5.2f}"
        f"  wanted {WANTED_PLAN}  RSS {ours.rss:.1f} {floor.rss:.1f}  exit {ours.codes} {floor.codes}")
    judge(f"plan of {size}", min(wall, cpu), WANTED_PLAN)


def main():
    parent, product = sys.argv[1:3]
    WORK.mkdir(exist_ok=True)
    say("plan: medians in ms of ours, the floor, and their ratio")
    for size in SIZES:
        spec = WORK / f"{size}.yaml"
        spec.write_text(specs.children(size, "none", parent, specs.PORT_GUID))
        if size == COUNT:
            creation(parent, product, spec)
        else:
            fresh(parent)
            quietly(product, "apply", spec)
        plan(product, spec, size)
    for failure in failures:
        say("FAILED " + failure)
    say(f"{len(SIZES) + 1 - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
