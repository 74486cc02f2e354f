"""What a build folder compiles, and how: sources by themselves, and units of several (agent/units.cmake)."""
import json
import pathlib
import re
import shlex


def commands(build):
    """By what a build folder compiles, a source or a unit, the words that do it."""
    return {pathlib.Path(one["file"]): shlex.split(one["command"])
            for one in json.loads((build / "compile_commands.json").read_text())}


def sources(path, top):
    """The sources that are compiled with this one: those that a unit includes, or it alone."""
    if path.parent.name != "units":
        return [path]
    return [top / name for name in re.findall(r'^#include "(.*)"$', path.read_text(), re.M)]
