# SPDX-License-Identifier: Apache-2.0
"""The one seed of all random tests: the commit's, so that a commit passes or fails always; with --deep a new one.

All of them take $RDMASTATE_SEED; what the caller has set stays.
"""
import random
import subprocess

WITHOUT_GIT = 1


class Commit:
    """What is tested. name: the commit's hash, with a hash of what differs from it behind a minus; empty where git knows
    of none. dirty: whether anything differs."""

    def __init__(self, root):
        head = _git(root, "rev-parse", "HEAD")
        changed = _git(root, "status", "--porcelain", "--untracked-files=all") if head else ""
        self.head, self.dirty = head or "", bool(changed)
        self.name = f"{head}-{_hash_of_changes(root, changed)}" if self.dirty else self.head

    def number(self):
        """A number that follows from the commit; changes that are not committed leave it."""
        return int(self.head[:8], 16) if self.head else WITHOUT_GIT


def _git(root, *words):
    whoever = ["--no-optional-locks", "-c", "safe.directory=*"]  # a checkout may be another user's, and stays as it is
    done = subprocess.run(["git", *whoever, "-C", str(root), *words], capture_output=True, text=True, check=False)
    return done.stdout.strip("\n") if done.returncode == 0 else ""


def _hash_of_changes(root, changed):
    """Untracked files count by their bytes, tracked ones by their difference."""
    new = "\0".join(line[3:] for line in changed.splitlines() if line.startswith("??"))
    hashed = subprocess.run(["bash", "-c", "git diff HEAD --binary; xargs -0r cat 2>/dev/null"], cwd=root, input=new.encode(),
                            capture_output=True, check=False).stdout
    return subprocess.run(["git", "hash-object", "--stdin"], cwd=root, input=hashed, capture_output=True,
                          check=False).stdout.decode()[:8]


def chosen(environment, commit, anew):
    """(seed, where it is from)"""
    if environment.get("RDMASTATE_SEED"):
        return int(environment["RDMASTATE_SEED"]), "as RDMASTATE_SEED says"
    if anew:
        return random.SystemRandom().randrange(1, 1 << 32), "a new one"
    if not commit.head:
        return WITHOUT_GIT, "a fixed one: git knows of no commit here"
    return commit.number() or WITHOUT_GIT, f"of commit {commit.head[:12]}"


def put(environment, seed):
    """Where every random test looks for it."""
    environment["RDMASTATE_SEED"] = str(seed)
