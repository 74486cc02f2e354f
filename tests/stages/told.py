"""What a log tells beside passed and failed, and tests/run repeats: what the crash suite and the classes of tries counted, how much of agent ran,
what was kept by its inputs' hash, what was left out."""
import re

TOLD = re.compile(r"^\s*((?:crash \(\w+\)|attack \(\w+\)|coverage|kept|left out): .*)$", re.M)
CRASH = re.compile(r"^crash \(\w+\): (\d+) points.*?, (\d+) lost, (\d+) ended old, (\d+) ended new")


def told(text, stage=""):
    """The lines to repeat; what was kept or left out says of which stage."""
    return [f"{stage}: {line}" if stage and line.startswith(("kept", "left out")) else line for line in TOLD.findall(text)]


def crash_sum(lines):
    """All that the crash suite's parts counted in one line, or nothing where none ran."""
    parts = [list(map(int, found.groups())) for found in map(CRASH.match, lines) if found]
    if not parts:
        return []
    points, lost, old, new = (sum(numbers) for numbers in zip(*parts))
    return [f"crash: {points} points, {lost} lost, {old} ended old, {new} ended new"]
