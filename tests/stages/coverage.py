"""How much of agent the tests run: coverage.py LEAST, in percent of lines, over the profiles in build/asan/profile.

They are written by the programs of build/asan themselves, a few for each, by its name ($LLVM_PROFILE_FILE), when they end:
what was killed counts for nothing. Of a header the lines count once, however many programs have it.
"""
import collections
import json
import pathlib
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
BUILD, AGENT = TOP / "build/asan", TOP / "agent"
LEAST_SHOWN = 12


def output_of(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed: {done.stderr[-2000:]}")
    return done.stdout


def programs():
    """What was linked of our rooms: rdmastate, the tests, and the fuzzers, of which no profile is kept."""
    tests = [path for path in (BUILD / "tests").rglob("*") if path.is_file() and path.stat().st_mode & 0o100 and path.suffix == ""]
    return [BUILD / "agent/cli/rdmastate", *sorted(path for path in tests if path.open("rb").read(4) == b"\x7fELF")]


def merged():
    profiles = sorted((BUILD / "profile").rglob("*.profraw"))
    if not profiles:
        sys.exit(f"no profiles in {BUILD / 'profile'}: the tests of build/asan have not run")
    result = BUILD / "profile/all.profdata"
    output_of("llvm-profdata-14", "merge", "-sparse", "-o", result, *profiles)
    return result


def counts_of(report):
    """{path below agent: (lines, lines that ran)}, of what llvm-cov exports."""
    counts = {}
    for one in report["data"][0]["files"]:
        path = (BUILD / one["filename"]).resolve()  # the compiler cache names sources from the folder of the build
        if AGENT in path.parents:
            counts[path.relative_to(AGENT)] = one["summary"]["lines"]["count"], one["summary"]["lines"]["covered"]
    return counts


def lines_by_file():
    first, *others = programs()
    objects = [word for path in others for word in ("-object", path)]
    return counts_of(json.loads(output_of("llvm-cov-14", "export", "-summary-only", "-instr-profile", merged(), first, *objects)))


def percent(lines, ran):
    return 100 * ran / lines if lines else 100.0


def by_room(counts):
    rooms = collections.Counter(), collections.Counter()
    for path, numbers in counts.items():
        for sums, number in zip(rooms, numbers):
            sums[path.parts[0]] += number
    return {room: (rooms[0][room], rooms[1][room]) for room in sorted(rooms[0])}


def main(least):
    counts = lines_by_file()
    print("least covered:")
    for path, (lines, ran) in sorted(counts.items(), key=lambda one: one[1][1] - one[1][0])[:LEAST_SHOWN]:
        print(f"  {percent(lines, ran):5.1f} %  {lines - ran:4} of {lines:4} lines never ran  {path}")
    print("by room:")
    for room, (lines, ran) in by_room(counts).items():
        print(f"  {percent(lines, ran):5.1f} %  of {lines:5} lines  {room}")
    lines, ran = (sum(numbers) for numbers in zip(*counts.values()))
    print(f"coverage: {percent(lines, ran):.1f} % of {lines} lines of agent")
    if percent(lines, ran) < least:
        sys.exit(f"less than {least} %")


if __name__ == "__main__":
    main(float(sys.argv[1]))
