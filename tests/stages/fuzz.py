"""fuzz.py SECONDS: each fuzzer of build/asan for so long, on the examples and on what it found before (build/corpus)."""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

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
    program = OTHERS.get(name, ROOT / "build/asan/tests/fuzz" / name)
    if not program.exists():
        return name, f"{name}.cpp has no executable: tests/fuzz/CMakeLists.txt does not build it"
    corpus = ROOT / "build/corpus" / name
    corpus.mkdir(parents=True, exist_ok=True)
    seeds(name, corpus)
    done = subprocess.run([program, f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1",
                           f"-artifact_prefix={corpus.parent}/{name}-", corpus],
                          env={**os.environ, "LLVM_PROFILE_FILE": os.devnull},  # stage coverage does not count it
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    print("\n".join(done.stdout.splitlines()[-12:]), flush=True)
    return name, f"{name} ended with {done.returncode}" if done.returncode else ""


def main():
    names = sorted(path.stem for path in (ROOT / "tests/fuzz").glob("fuzz_*.cpp"))
    names += OTHERS
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = [why for _, why in pool.map(lambda name: fuzz(name, int(sys.argv[1])), names) if why]
    print("\n".join(failed + [f"{len(names) - len(failed)} passed, {len(failed)} failed"]))
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main())
