#!/usr/bin/python3
"""Holds #include lines, and the USES of each room's CMakeLists.txt, to the walls of agent/README.md.

layers.py [--self-test]: prints `FILE:LINE: sentence` per breach, then `N passed, N failed` counted in files.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ORDER = ["base", "yaml", "host", "platform", "resources", "sections", "spec", "plan", "doctor", "apply", "cli"]
MAY_USE = {room: set(ORDER[:at]) for at, room in enumerate(ORDER)}
MAY_USE["sys_codec"] = {"base", "host"}
MAY_USE["sys"] = {"base", "host", "sys_codec"}
MAY_USE["cli"] |= {"sys"}
# What is compiled once for a room is what it may include anyway: agent/CMakeLists.txt.
MAY_USE["pch_host.hpp"] = {"base", "host", "pch.hpp"}
MAY_USE["pch_model.hpp"] = {"resources", "sections", "pch_host.hpp"}

# Headers of libraries and of the system: the only rooms and files that may see them. What stands in no pattern is free.
SEEN_BY = [
    (r"yaml-cpp/", r"yaml/load\.cpp"),
    (r"(netlink/|infiniband/|libkmod\.h|systemd/|libmnl|dlfcn\.h)", r"sys/.*"),
    (r"linux/(rtnetlink|netlink|if\w*|ipv6)\.h", r"sys/.*"),
    (r"CLI/", r"cli/options(_\w+)?\.cpp"),
    (r"dtl/", r"base/textdiff\.cpp"),
    (r"expat\.h", r"base/xml\.cpp"),
    (r"sha[12]\.h", r"base/(sha256|uuid)\.cpp"),
    (r"sys/types\.h", r"(sys|base)/.*"),  # types for sha2.h, no calls
    (r"unistd\.h", r"(sys/.*|cli/.*\.cpp|base/handle\.hpp)"),  # cli: isatty(), geteuid(); handle.hpp: close()
    (r"arpa/inet\.h", r"(sys/.*|base/types_ip\.cpp)"),  # inet_pton() and inet_ntop() are pure
    (r"sys/random\.h", r"(sys/.*|install/missing_functions\.cpp)"),
    (r"(sys/|linux/|netinet/|arpa/|net/)", r"sys/.*"),
    (r"(fcntl|dirent|sched|syslog|pwd|grp|poll|signal)\.h", r"sys/.*"),
    (r"(fstream|thread|mutex|filesystem)", r"(sys/.*|cli/.*\.cpp)"),
]


def room_of(path):
    """agent/sys/codec/x.hpp -> sys_codec; agent/sections/ipoib/x.cpp -> sections"""
    return "sys_codec" if path.startswith("sys/codec/") else path.split("/")[0]


def breaches(path, text):
    """path below agent/"""
    for number, line in enumerate(text.splitlines(), 1):
        own = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        foreign = re.match(r"\s*#\s*include\s+<([^>]+)>", line)
        room = room_of(path)
        if own and (used := room_of(own[1])) not in MAY_USE.get(room, set()) | {room}:
            yield number, f"{room} may not use {used} ({own[1]})"
        if foreign:
            who = next((who for what, who in SEEN_BY if re.match(what, foreign[1])), None)
            if who and not re.fullmatch(who, path):
                yield number, f"<{foreign[1]}> is for {who} alone"


def cmake_breaches(text):
    for room, uses in re.findall(r"^room\((\w+)(?:\s+HOT)?\s+USES ([\w ]+)$", text, re.M):
        for used in sorted(set(uses.split()) - MAY_USE.get(room, set())):
            yield text[:text.index(f"room({room}")].count("\n") + 1, f"room {room} may not use {used}"


def self_test():
    assert list(breaches("base/x.hpp", '#include "yaml/node.hpp"')), "base may use yaml"
    assert list(breaches("plan/x.cpp", "#include <sys/stat.h>")), "plan may see sys/stat.h"
    assert list(breaches("apply/x.cpp", '#include "sys/files.hpp"')), "apply may use sys"
    assert list(breaches("sections/ipoib/x.cpp", '#include "plan/plan.hpp"')), "sections may use plan"
    assert not list(breaches("cli/x.cpp", '#include "sys/root.hpp"')), "cli may not use sys"
    assert list(cmake_breaches("room(host\n  USES base plan\n")), "host may use plan in CMake"
    assert list(cmake_breaches("room(yaml HOT\n  USES base host\n")), "a hot room may use anything in CMake"


def main():
    self_test()
    files = sorted(path for path in (ROOT / "agent").rglob("*") if path.suffix in (".cpp", ".hpp"))
    files += sorted((ROOT / "agent").rglob("CMakeLists.txt"))
    bad = 0
    for path in files:
        text = path.read_text()
        found = list(cmake_breaches(text) if path.suffix == ".txt" else breaches(str(path.relative_to(ROOT / "agent")), text))
        for line, sentence in found:
            print(f"{path.relative_to(ROOT)}:{line}: {sentence}")
        bad += bool(found)
    print(f"{len(files) - bad} passed, {bad} failed")
    return 1 if bad or len(files) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
