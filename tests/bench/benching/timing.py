"""Runs commands by turns with bench_timer, and makes medians of what it says."""
import dataclasses
import pathlib
import statistics
import subprocess
import tempfile


@dataclasses.dataclass
class Figures:
    wall: float    # ms, median
    cpu: float     # ms, median
    worst: float   # ms, the longest wall
    rss: float     # MiB, the largest
    codes: set


def _figures(runs):
    walls = [run[0] / 1000 for run in runs]
    return Figures(statistics.median(walls), statistics.median(run[1] / 1000 for run in runs), max(walls),
                   max(run[2] for run in runs) / 1024, {run[3] for run in runs})


def _runs(timer, rounds, commands):
    """By command its runs: wall and processor time in microseconds, KiB, exit code."""
    with tempfile.TemporaryDirectory() as directory:
        out = pathlib.Path(directory) / "runs"
        words = [str(timer), str(rounds), str(out)]
        for number, command in enumerate(commands):
            words += (["--"] if number else []) + [str(word) for word in command]
        subprocess.run(words, check=True)
        runs = [[] for _ in commands]
        for line in out.read_text().splitlines():
            index, *numbers = map(int, line.split())
            runs[index].append(numbers)
    return runs


def by_turns(timer, rounds, *commands):
    """One Figures per command; the commands take turns so that what disturbs one disturbs the others too."""
    return [_figures(one) for one in _runs(timer, rounds, commands)]


def anew(timer, rounds, commands_of):
    """The same of commands that can be run once: `commands_of(number)` makes those of a round, with what they need."""
    rounds_of_each = zip(*(_runs(timer, 1, commands_of(number)) for number in range(rounds)))
    return [_figures([run for one in each for run in one]) for each in rounds_of_each]
