"""fuzz.py SECONDS [NAME...]: each fuzzer of build/asan for so long, or those named, on the examples and on what it found
before (build/corpus). RDMASTATE_SEED repeats a run on the same corpus."""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def seeds(name, corpus):
    if "yaml" in name:
        for path in (ROOT / "examples").glob("*.yaml"):
            shutil.copy(path, corpus / path.name)
    for path in (ROOT / "tests/fuzz/corpus" / name).glob("*"):
        shutil.copy(path, corpus / path.name)


# Linked by tests/fuzz/yaml_cpp.py, and not by CMake.
OTHERS = {"fuzz_yaml_cpp": ROOT / "build/yaml-cpp/fuzz_yaml_cpp"}


def fuzz(name, seconds):
    """Why it failed, or nothing."""
    program, started = OTHERS.get(name, ROOT / "build/asan/tests/fuzz" / name), time.monotonic()
    if not program.exists():
        return f"{name}.cpp has no executable: tests/fuzz/CMakeLists.txt does not build it"
    corpus = ROOT / "build/corpus" / name
    corpus.mkdir(parents=True, exist_ok=True)
    seeds(name, corpus)
    seed = os.environ.get("RDMASTATE_SEED", "0")  # 0: libFuzzer takes a new one
    done = subprocess.run([program, f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1",
                           f"-seed={seed}", f"-artifact_prefix={corpus.parent}/{name}-", corpus],
                          env={**os.environ, "LLVM_PROFILE_FILE": os.devnull},  # stage coverage does not count it
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    word = "FAIL" if done.returncode else "ok"
    print("\n".join([*done.stdout.splitlines()[-12:], f"{word} {name} {time.monotonic() - started:.1f}"]), flush=True)
    return f"{name} ended with {done.returncode} (RDMASTATE_SEED={seed})" if done.returncode else ""


def main(seconds, names):
    names = names or sorted(path.stem for path in (ROOT / "tests/fuzz").glob("fuzz_*.cpp")) + [*OTHERS]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = [why for why in pool.map(lambda name: fuzz(name, seconds), names) if why]
    print("\n".join(failed + [f"{len(names) - len(failed)} passed, {len(failed)} failed"]))
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
