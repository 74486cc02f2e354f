"""What tests/run does: every stage there is."""
import os
import pathlib
import shlex
import sys

from runner import Stage

ROOT = pathlib.Path(__file__).resolve().parents[2]
JOBS = os.cpu_count() or 1
BINARY = ROOT / "build/release/agent/cli/rdmastate"
TREE = ROOT / "build/install"


def build(preset, *options):
    words = shlex.join(options)
    return f"cmake --preset {preset} -DRDMASTATE_TESTS=ON\ncmake --build --preset {preset} {words} -- -k 0"


def product(command):
    """With the release binary and its install tree named, as the guest, the CLI tests, mutants and bench take them."""
    return f"export RDMASTATE_BIN={shlex.quote(str(BINARY))} RDMASTATE_INSTALL={shlex.quote(str(TREE))}\n{command}"


def ctest(preset):
    return f"ctest --test-dir build/{preset} --output-on-failure --no-tests=error -j {JOBS}"


def profiled(command):
    """With what build/asan's rdmastate ran of our code kept, for stage coverage. (Tests have that from CMake.)"""
    return f"export LLVM_PROFILE_FILE={shlex.quote(str(ROOT / 'build/asan/profile/%4m.profraw'))}\n{command}"


def unittests(room):
    return f"/usr/bin/python3 -m unittest discover -v -s tests/{room} -p '*_test.py'"


def quick_stages():
    lint = "/usr/bin/python3 tests/lint"
    return [
        Stage("release-build", "gcc, optimised, -Werror: agent and tests", build("release"), weight=JOBS, check=False),
        Stage("stages", "what runs all this", unittests("stages"), counts=True),
        Stage("layers", "who includes whom", f"{lint}/layers.py", counts=True),
        Stage("shellcheck", "our shell scripts", "tests/lint/shell", counts=True),
        Stage("release-tests", "unit, contract and property tests, gcc", ctest("release"), ["release-build"], counts=True),
        Stage("schema", "the schema is what the binary prints, and the examples keep to it",
              product(f"{lint}/schema.py"), ["release-build"], counts=True),
        Stage("binary", "what the release binary links", product("tests/lint/binary"), ["release-build"], counts=True),
        Stage("install", "what cmake --install puts where; unit and rules are sound",
              product("tests/lint/install"), ["release-build"], counts=True),
        Stage("examples", "examples/run", "./examples/run", ["release-build"]),
        Stage("cli", "the commands from outside, and the golden plans", product("tests/cli/run"), ["release-build"], counts=True),
    ]


def full_stages():
    python, quick = "/usr/bin/python3", quick_stages()
    return [
        Stage("guest-image", "the emulated machine", "tests/vm/build", weight=0, check=False),
        Stage("asan-build", "clang with sanitizers: agent, tests, fuzzers", f"rm -rf build/asan/profile\n{build('asan')}", weight=JOBS, check=False),
        *quick,
        Stage("vm-units", "the runner of the emulated machines", unittests("vm"), counts=True),
        Stage("crash-units", "how a log of writes is read", unittests("crash"), counts=True),
        Stage("asan-tests", "unit, contract and property tests under sanitizers", ctest("asan"), ["asan-build"], counts=True),
        # Less what asks the files' owners more than it asks us, and the second layout of what is tried with every value.
        Stage("asan-cli", "the commands from outside, under sanitizers",
              profiled(f"export RDMASTATE_BIN={shlex.quote(str(ROOT / 'build/asan/agent/cli/rdmastate'))} RDMASTATE_INSTALL={shlex.quote(str(TREE))}\ntests/cli/run -owners_fuzz -nor_on_rhel"),
              ["asan-build", "install"], counts=True),
        Stage("asan-guest", "what only a kernel runs of our code, under sanitizers", product("tests/vm/profiled"),
              ["asan-build", "guest-image", "install"], weight=JOBS, counts=True),
        Stage("coverage", "how much of agent ran under sanitizers", f"{python} tests/stages/coverage.py 95",
              ["asan-tests", "asan-cli", "asan-guest"]),
        Stage("gcc-syntax", "gcc -fsyntax-only -Werror over what release does not build", f"{python} tests/lint/syntax.py",
              ["release-build", "asan-build"], counts=True),
        Stage("headers", "every header compiles by itself", f"{python} tests/lint/headers.py", ["asan-build"], weight=JOBS, counts=True),
        Stage("format", "clang-format", f"{python} tests/lint/format.py", counts=True),
        Stage("fuzz", "each fuzzer for 10 s", f"{python} tests/fuzz/yaml_cpp.py\n{python} tests/stages/fuzz.py 10", ["asan-build"], weight=JOBS, counts=True),
        Stage("tidy", "clang-tidy over agent", f"{python} tests/lint/tidy.py", ["asan-build"], weight=JOBS, counts=True),
        Stage("vm", "scenarios in emulated machines", product(f"install -D build/release/tests/contract/contract_live {shlex.quote(str(TREE))}/usr/lib/rdmastate-tests/contract_live\ntests/vm/run"), ["guest-image", "release-build", "install"],
              weight=JOBS, counts=True, limit=4000),
        Stage("crash", "the binary killed, refused and cut off at every call that changes a file", product("tests/crash/run"),
              ["release-build"], weight=JOBS, counts=True),
        Stage("mutants", "wrong changes, each caught by a test", product("tests/mutants/run"), ["release-build"],
              weight=JOBS, counts=True),
        Stage("bench", "how long it takes; ratios", product("tests/bench/run"), ["release-build"], weight=JOBS, counts=True),
    ]


def with_needs(stages, names):
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


def chosen(quick, names):
    stages = quick_stages() if quick else full_stages()
    return with_needs(stages, names) if names else stages
