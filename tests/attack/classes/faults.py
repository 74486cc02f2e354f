# SPDX-License-Identifier: Apache-2.0
"""One call of a command fails, once or from then on, with any errno. It ends as documented and says why: 0 and the state is the new
one, 5 and what its message names heals it, any other and nothing was changed. No errno is left out."""
import errno

import breaker
import scenes

TRIES = 11000
ABSENT = ("ENOENT", "ENOTDIR", "ENODATA")  # an answer and no failure, so once and of no name that is to be removed
ERRNOS = ("EACCES", "EPERM", "EIO", "ENOSPC", "EROFS", "EDQUOT", "EMFILE", "ENFILE", "ENOMEM", "EINTR", "ENOTSUP", "ELOOP", "EEXIST", "ENOENT", "EBUSY", "ENOTDIR",
          "ENAMETOOLONG", "EXDEV", "EINVAL", "EAGAIN", "ESTALE", "ENODATA", "ENOSYS")
# Of the loader, and of what only closes or asks for memory, there is nothing to say.
CALLS = tuple(name for name in (*breaker.CHANGING, *breaker.READING) if name != "close")
READ_ONLY = (("plan", "new.yaml"), ("verify", "old.yaml"), ("show",), ("show", "--as-spec"), ("history",), ("plan", "new.yaml", "-o", "json"))


def prepare(room):
    return scenes.every(room, CALLS)


def broken(chance, calls):
    """(errno, where, "+" from then on). A signal comes once: a program that begins the call anew would not end."""
    number, at = chance.choice(ERRNOS), breaker.point(chance, calls)
    if number in ABSENT and at.startswith("unlinkat") or number == "EINVAL" and at.startswith("readlinkat"):  # it is no link
        number = "EIO"
    return number, at + ("" if number in ("EINTR", "EAGAIN", *ABSENT) else chance.choice(("", "", "+")))


def run(one, room, words, under=()):
    return one.speaks_plainly(one.box.run(*words, "--root", room / "tree", cwd=room, under=under))


def expect_taken_back(done):
    """The run is taken back: by this rollback, or by the command itself, of which only the message failed."""
    assert done.code == 0 or "was taken back already" in done.err, done.err


def healed(one, scene, room):
    """What a person does when the disk is well again: rollback, as the message says; then the command once more."""
    one.counts["healed"] += 1
    if scene.command != ("rollback",):
        expect_taken_back(run(one, room, ("rollback",)))
        scenes.judged(scene, room / "tree", ("old",))
    else:
        expect_taken_back(run(one, room, ("rollback",)))
        scenes.judged(scene, room / "tree", ("new",))


def judge(one, scene, room, done, mute):
    """mute: what it says could not be written either."""
    if " unseen" in done.err and (done.code == 0 or done.code == 1 and "Applied" in done.out):
        # It stays, and is said; what was done goes back all the same.
        healed(one, scene, room)
    elif done.code == 0:
        scenes.judged(scene, room / "tree", ("new",))
    elif done.code == 5:
        assert mute or "rollback" in done.err or "--force undoes it" in done.err, done.err
        if "left as it is (--force" not in done.err:  # what could not be seen is taken for somebody's
            healed(one, scene, room)
    elif done.code == 4:
        scenes.judged(scene, room / "tree", ("old",))
    elif done.code == 1:
        scenes.judged(scene, room / "tree", ("old", "new"))
    else:
        assert done.code == 6, (done.code, done.err)
        scenes.judged(scene, room / "tree", ("old",))


def attempt(one):
    scene = one.random.choice(one.made)
    room, (number, at) = scene.fresh(one), broken(one.random, scene.calls)
    under, mute = breaker.failing(getattr(errno, number), at), at.startswith("write") and at.endswith("+")
    try:
        if one.random.random() < 0.2:
            done = one.box.run(*one.random.choice(READ_ONLY), "--root", room / "tree", cwd=room, under=under)
            assert mute or one.speaks_plainly(done)
            scenes.judged(scene, room / "tree", ("old",))
        else:
            done = one.box.run(*scene.command, "--root", room / "tree", cwd=room, under=under)
            assert mute or one.speaks_plainly(done)
            if number in ABSENT:  # whoever is told that a file is not there leaves it, or makes it
                one.counts["misled"] += 1
            else:
                judge(one, scene, room, done, mute)
    except AssertionError as error:
        raise AssertionError(f"{scene.name}: {number} {at}: {error}") from None
    one.counts[f"ended {done.code}"] += 1
