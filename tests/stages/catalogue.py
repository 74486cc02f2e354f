"""What tests/run does: every stage there is, and what of each runs by default."""
import os
import pathlib
import shlex
import sys

import items
from runner import Stage
from selection import Cut

ROOT = pathlib.Path(__file__).resolve().parents[2]
JOBS = os.cpu_count() or 1
BINARY = ROOT / "build/release/agent/cli/rdmastate"
TREE = ROOT / "build/install"
PYTHON = "/usr/bin/python3"
# Seconds that the default run gives to what it cannot run whole.
VM_SECONDS = 15 * 60  # of the guest's 16 minutes: the last machine may have no other beside it
RELEASE_SECONDS = 3 * 60  # beside these, for guests of other releases that are kept
MUTANT_SECONDS = 4 * 60
COLLECTION_SECONDS = 2 * 60
ATTACK_TRIES = 150  # of each class
SLOW = 3000  # seconds until what takes 10 minutes alone is ended: a shared machine may take four times that
RANDOM = "other seeds than the commit's: in --deep"


def build(preset, *options):
    words = shlex.join(options)
    log = ROOT / "build/log" / f"ccache-{preset}.log"
    return (f"rm -f {shlex.quote(str(log))}\nexport CCACHE_STATSLOG={shlex.quote(str(log))}\n"
            f"cmake --preset {preset} -DRDMASTATE_TESTS=ON\ncmake --build --preset {preset} {words} -- -k 0\n"
            f"{PYTHON} tests/stages/objects.py {shlex.quote(str(log))}")


def product(command):
    """The command, with the release binary and its install tree named as the guest, the CLI tests, mutants and bench take them."""
    return f"export RDMASTATE_BIN={shlex.quote(str(BINARY))} RDMASTATE_INSTALL={shlex.quote(str(TREE))}\n{command}"


def ctest(preset):
    """Runs the tests of a preset. The stage's log has what each program printed once, also the line that the stage counts by."""
    return (f"code=0\nctest --test-dir build/{preset} --no-tests=error -j {JOBS} || code=$?\n"
            f"cat build/{preset}/Testing/Temporary/LastTest.log\nexit $code")


def profiled(command):
    """The command, so that what build/asan's rdmastate runs of our code is kept for stage coverage. (Tests have that from CMake.)"""
    return f"export LLVM_PROFILE_FILE={shlex.quote(str(ROOT / 'build/asan/profile/%4m.profraw'))}\n{command}"


def unittests(room):
    return f"{PYTHON} -m unittest discover -v -s tests/{room} -p '*_test.py'"


def quick_stages(less=(RANDOM,)):
    lint = f"{PYTHON} tests/lint"
    return [
        Stage("release-build", "gcc, optimised, -Werror: agent and tests", build("release"), weight=JOBS, check=False),
        Stage("stages", "what runs all this", unittests("stages"), counts=True),
        Stage("layers", "who includes whom", f"{lint}/layers.py", counts=True),
        Stage("rooms", "maps, lists, names and decisions are as the tree", f"{lint}/rooms.py", counts=True),
        Stage("lint-units", "a new section is one folder and one line", unittests("lint"), counts=True),
        Stage("kinds", "plan, apply and cli name no kind of resource", f"{lint}/kinds.py", counts=True),
        Stage("contracts", "files say their purpose, headers have contracts, texts are plain", f"{lint}/contracts.py", counts=True),
        Stage("shellcheck", "our shell scripts", "tests/lint/shell", counts=True),
        Stage("release-tests", "unit, contract and property tests, gcc", ctest("release"), ["release-build"], counts=True, less=less),
        Stage("schema", "the schema is what the binary prints, and the examples keep to it",
              product(f"{lint}/schema.py"), ["release-build"], counts=True),
        Stage("binary", "what the release binary links", product("tests/lint/binary"), ["release-build"], counts=True),
        Stage("install", "what cmake --install puts where; unit and rules are sound",
              product("tests/lint/install"), ["release-build"], counts=True),
        Stage("examples", "examples/run", "./examples/run", ["release-build"]),
        Stage("cli", "the commands from outside, and the golden plans", product("tests/cli/run"), ["release-build"], counts=True, less=less),
    ]


def asan_cli(words, less):
    binary = shlex.quote(str(ROOT / "build/asan/agent/cli/rdmastate"))
    # A program that has no /proc is not told where its stack ends, and so the sanitizers report each exception.
    words = f"{words} -where_proc_is_not_mounted".strip()
    # Looking for leaks is a third of what one command costs; asan-tests look for them in the same functions.
    leaks = "export ASAN_OPTIONS=detect_leaks=0\n" if less else ""
    command = f"{leaks}export RDMASTATE_BIN={binary} RDMASTATE_INSTALL={shlex.quote(str(TREE))}\ntests/cli/run {words}"
    return Stage("asan-cli", "the commands from outside, under sanitizers", profiled(command), ["asan-build", "install"], counts=True, limit=SLOW, less=less)


def lint_stages():
    """They ask nothing of the clock, so they have what the machines and whoever else waits leave of the processors."""
    def lint(name, what, program, needs):
        return Stage(name, what, f"{PYTHON} tests/lint/{program}", needs, idle=True, counts=True, limit=4000)

    return [
        lint("gcc-syntax", "gcc -fsyntax-only -Werror over what release does not build", "syntax.py", ["release-build", "asan-build"]),
        lint("headers", "every header compiles by itself", "headers.py", ["asan-build"]),
        lint("format", "clang-format", "format.py", []),
        lint("tidy", "clang-tidy over agent", "tidy.py", ["asan-build"]),
    ]


def vm_stage(names, less=()):
    """Two machines leave a third of two processors idle: another stage runs beside, which stands behind."""
    suite = shlex.quote(f"{TREE}/usr/lib/rdmastate-tests/contract_live")
    as_kept = "RDMASTATE_VM_AS_KEPT=1 " if less else ""  # the default run chose guests that are kept; --deep asks their mirrors
    return Stage("vm", "scenarios in emulated machines",
                 product(f"install -D build/release/tests/contract/contract_live {suite}\n{as_kept}tests/vm/run {shlex.join(names)}"),
                 ["guest-image", "release-build", "install"], ahead=True, counts=True, limit=4000, less=less, kind="vm")


def crash_stage(names=(), less=()):
    return Stage("crash", "the binary killed, refused and cut off at every call that changes a file",
                 product(f"tests/crash/run {shlex.join(names)}"), ["release-build"], counts=True, less=less, kind=None if less else "crash")


def attack_stage(names=(), tries=None, less=()):
    few = f"--tries {tries} " if tries else ""
    return Stage("attack", "thousands of tries to break a tree, by seed and number", product(f"tests/attack/run {few}{shlex.join(names)}"),
                 ["release-build"], weight=JOBS, counts=True, less=less, kind=None if less else "attack")


def mutants_stage(names, less=()):
    return Stage("mutants", "wrong changes, each caught by a test", product(f"tests/mutants/run {shlex.join(names)}"),
                 ["release-build"], weight=JOBS, counts=True, limit=4000, less=less, kind="mutants")


def fuzz_stage(seconds, names=(), less=()):
    command = f"{PYTHON} tests/fuzz/yaml_cpp.py\n{PYTHON} tests/stages/fuzz.py {seconds} {shlex.join(names)}"
    return Stage("fuzz", f"each fuzzer for {seconds} s", command, ["asan-build"], weight=JOBS, counts=True, limit=4000, less=less, kind=None if less else "fuzz")


def bench_stage(less=()):
    return Stage("bench", "how long it takes; ratios", product("tests/bench/run"), ["release-build"], weight=JOBS, counts=True, less=less)


def ansible_stage(names, less=()):
    return Stage("ansible", "the collection, built, installed and tested offline", product(f"tests/ansible/run {shlex.join(names)}"), ["release-build"],
                 counts=True, limit=1800, less=less, kind="ansible")


def guides_stage(complete=""):
    return Stage("guides", "each step of the guides has its test", product(f"tests/guides/run {complete}".strip()), ["release-build"], counts=True)


def package_stage():
    """Not in the default run: it compiles the agent a third time, against an older C library."""
    return Stage("package", "deb, rpm and tarball, and the binary in them", "tests/package/run --deep", counts=True, limit=6000)


def middle_stages(asan_words, asan_less, least):
    """What runs the same by default and in --deep but for what asan-cli leaves out."""
    return [
        Stage("guest-image", "the emulated machine", "tests/vm/build", weight=0, check=False),
        Stage("asan-build", "clang with sanitizers: agent, tests, fuzzers", f"rm -rf build/asan/profile\n{build('asan')}", weight=JOBS, check=False),
        *quick_stages([RANDOM] if asan_less else []),
        Stage("vm-units", "the runner of the emulated machines", unittests("vm"), counts=True),
        Stage("crash-units", "how a log of writes is read", unittests("crash"), counts=True),
        Stage("ansible-units", "what the collection's tests find", unittests("ansible"), counts=True),
        guides_stage("" if asan_less else "--complete"),
        *([] if asan_less else [package_stage()]),
        Stage("attack-units", "how a class of tries finds a call and judges a tree", unittests("attack"), counts=True),
        Stage("mutant-units", "how a mutant finds its place", unittests("mutants"), counts=True),
        Stage("editor", "what an editor shows of a spec that names the schema", "tests/editor/run", counts=True),
        Stage("asan-tests", "unit, contract and property tests under sanitizers", ctest("asan"), ["asan-build"],
              counts=True, limit=SLOW, less=[RANDOM] if asan_less else []),
        asan_cli(asan_words, asan_less),
        Stage("asan-guest", "what only a kernel runs of our code, under sanitizers", product("tests/vm/profiled"),
              ["asan-build", "guest-image", "install"], weight=JOBS, ahead=True, counts=True),
        Stage("coverage", "how much of agent ran under sanitizers", f"{PYTHON} tests/stages/coverage.py {least}",
              ["asan-tests", "asan-cli", "asan-guest"], less=["what asan-cli leaves out"] if asan_less else []),
        *lint_stages(),
    ]


# Builds first, then the machines, which leave room for one more stage beside them; last what wants all processors.
FIRST = ["guest-image", "release-build", "asan-build", "install", "vm"]
LAST = ["attack", "asan-guest", "coverage", "fuzz", "mutants", "bench", "bench-trees", "bench-guest", "bench-ansible", "guides"]


def in_order(stages):
    def place(stage):
        return FIRST.index(stage.name) - len(FIRST) if stage.name in FIRST else 1 + LAST.index(stage.name) if stage.name in LAST else 0
    return sorted(stages, key=place)


def machines(number):
    """The scenarios of the default run, and what it leaves out. Those of other releases have a time of their own."""
    elsewhere = Cut(items.elsewhere(number), RELEASE_SECONDS, number)
    taken = {item.name for item in elsewhere.chosen + elsewhere.later}
    here = Cut([item for item in items.scenarios() if item.name not in taken], VM_SECONDS, number)
    return here.names() + elsewhere.names(), here.reasons() + elsewhere.reasons()


def full_stages(commit):
    """The default run: of what takes longer than it has, what always runs and the part that the commit's number names."""
    mutants = Cut(items.mutants(), MUTANT_SECONDS, commit.number())
    collection = Cut(items.collection(), COLLECTION_SECONDS, commit.number())
    # Less what asks the files' owners more than it asks us, and the second layout of what is tried with every value.
    skipped = ["owners_fuzz, the hostile values on RHEL's layout, leaks that a command leaves at its end, and " + RANDOM]
    return in_order([
        *middle_stages("-owners_fuzz -nor_on_rhel", skipped, 95),
        fuzz_stage(10, less=[f"{items.FUZZ_SECONDS} s of each fuzzer: in --deep"]),
        vm_stage(*machines(commit.number())),
        ansible_stage(collection.names(), collection.reasons()),
        crash_stage(less=[RANDOM]),
        attack_stage(tries=ATTACK_TRIES, less=[f"all but {ATTACK_TRIES} tries of each class: in --deep"]),
        mutants_stage(mutants.names(), mutants.reasons()),
        bench_stage(["a thousand children in the guest, and the collection's tasks: in --deep"]),
    ])


def deep_stages(wanted):
    """The stages for these items, and what they need."""
    names = {}
    for item in wanted:
        names.setdefault(item.kind, []).append(item.short)
    makers = {"vm": vm_stage, "ansible": ansible_stage, "crash": crash_stage, "attack": attack_stage, "mutants": mutants_stage, "fuzz": lambda these: fuzz_stage(items.FUZZ_SECONDS, these)}
    stages, asked = middle_stages("", [], 95), list(names.get("stage", []))
    for kind, make in makers.items():
        if kind in names:
            stages.append(make(names[kind]))
            asked.append(kind)
    for name in names.get("bench", []):
        stages.append(bench_deep(name))
        asked.append(stages[-1].name)
    return with_needs(in_order(stages), asked)


def bench_deep(name):
    if name == "trees":
        stage = bench_stage()
    elif name == "ansible":
        stage = Stage("bench", "what a task of the collection costs; ratios", product("tests/ansible/bench.py"), ["release-build"],
                      weight=JOBS, counts=True, limit=4000)
    else:
        stage = Stage("bench", "how long it takes in the guest", product("tests/bench/run --guest"), ["release-build", "guest-image"],
                      weight=JOBS, counts=True)
    stage.name = f"bench-{name}"
    return stage


def item_of(stage):
    """The item that passes or fails as this stage does. None: the stage tells its items line by line (kind), left something out, or
    is none (a build)."""
    if stage.kind or stage.less or not stage.check and not stage.tells:
        return None
    kind, _, name = stage.name.partition("-")
    return f"bench/{name}" if kind == "bench" else f"stage/{stage.name}" if stage.name in items.STAGE_SECONDS else None


def with_needs(stages, names):
    """Of `stages` those with these names and all that they need, in the order of `stages`."""
    known = {stage.name: stage for stage in stages}
    wanted, queue = set(), list(names)
    while queue:
        name = queue.pop()
        if name not in known:
            sys.exit(f"there is no stage {name}: {', '.join(known)}")
        if name not in wanted:
            wanted.add(name)
            queue += known[name].needs
    return [stage for stage in stages if stage.name in wanted]


def chosen(quick, names, commit):
    """The stages of --quick or of the default run; with `names` (--only) these alone, and what they need."""
    stages = quick_stages() if quick else full_stages(commit)
    return with_needs([*stages, package_stage()], names) if names else stages
