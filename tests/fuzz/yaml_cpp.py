"""yaml-cpp itself under our loader: built from Debian's source with sanitizers and coverage, and linked into a fuzzer.

yaml_cpp.py: builds build/yaml-cpp/fuzz_yaml_cpp, the fuzzer fuzz_yaml of build/asan with this library instead of Debian's archive.
What it finds is not mended there: it becomes a rule of the byte pre-pass (agent/yaml/prepass.cpp).
"""
import concurrent.futures
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests"))

from support import kept  # noqa: E402 (the path has to be set first)

WORK, ASAN = ROOT / "build/yaml-cpp", ROOT / "build/asan"
FLAGS = ["-std=c++14", "-O1", "-g1", "-fsanitize=address,fuzzer-no-link", "-fno-omit-frame-pointer", "-w", "-DYAML_CPP_STATIC_DEFINE"]
SOURCES = "Types: deb-src\nURIs: {}\nSuites: bookworm\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n"


def said(*command, **more):
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def version():
    """Of the source that the installed archive was built from: a rebuild by Debian (+b1) has the same."""
    return said("dpkg-query", "-f", "${source:Version}", "-W", "libyaml-cpp-dev").strip()


def mirror():
    """Where the installed package can come from: `500 http://... bookworm/main amd64 Packages`."""
    for line in said("apt-cache", "policy", "libyaml-cpp-dev").splitlines():
        words = line.split()
        if len(words) > 2 and words[1].startswith("http") and "bookworm/main" in words[2]:
            return words[1]
    sys.exit("apt names no mirror of bookworm")


def fetch(wanted, work):
    """The source package's files in work/source."""
    (work / "lists/partial").mkdir(parents=True)
    (work / "cache/archives/partial").mkdir(parents=True)
    (work / "src.sources").write_text(SOURCES.format(mirror()))
    apt = ["apt-get", "-qq", "-o", f"Dir::State::Lists={work}/lists", "-o", f"Dir::Etc::SourceList={work}/src.sources",
           "-o", "Dir::Etc::SourceParts=/nonexistent", "-o", f"Dir::Cache={work}/cache", "-o", "APT::Sandbox::User=root"]
    said(*apt, "update")
    said(*apt, "source", f"yaml-cpp={wanted}", cwd=work)
    next(path for path in work.glob("yaml-cpp-*") if path.is_dir()).rename(work / "source")
    for folder in ("lists", "cache"):
        shutil.rmtree(work / folder)


def compile_one(work, path):
    result = work / f"{path.stem}.o"
    said("clang++", *FLAGS, f"-I{work}/source/include", "-c", path, "-o", result)
    return result


def archive(wanted):
    """Kept for all clones: it depends on the source's version, the compiler and the flags alone."""
    made = []

    def make(work):
        made.append(work)
        fetch(wanted, work)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = list(pool.map(lambda path: compile_one(work, path), sorted((work / "source/src").glob("*.cpp"))))
        said("ar", "rcs", work / "libyaml-cpp.a", *objects)

    inputs = kept.digest(wanted, said("clang++", "--version"), *FLAGS)
    library = kept.folder("yaml-cpp", inputs, make, tell=lambda text: print(f"fuzz: {text}", flush=True)) / "libyaml-cpp.a"
    print(f"kept: {0 if made else 1} of 1 library with sanitizers built before, the same inputs", flush=True)
    return library


def link(library):
    """As ninja links fuzz_yaml, with the other library: `: && LINKER WORDS -o PROGRAM ... && :`."""
    line = said("ninja", "-t", "commands", "fuzz_yaml", cwd=ASAN).splitlines()[-1]
    words = shlex.split(line.removeprefix(": && ").removesuffix(" && :"))
    words = [str(library) if word.endswith("/libyaml-cpp.a") else word for word in words]
    words[words.index("-o") + 1] = str(WORK / "fuzz_yaml_cpp")
    if str(library) not in words:
        sys.exit("fuzz_yaml is not linked with libyaml-cpp.a")
    said(*words, cwd=ASAN)


if __name__ == "__main__":
    WORK.mkdir(parents=True, exist_ok=True)
    link(archive(version()))
