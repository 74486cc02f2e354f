# SPDX-License-Identifier: Apache-2.0
"""A command dies at one of its calls, and so, in most tries, does what takes it back or up. In the end the tree is as it was or as the
spec says, entirely; the next apply has nothing to do, and a command that was taken back can be run as if it never had been."""
import breaker
import scenes

TRIES = 9000


def prepare(room):
    return scenes.every(room, breaker.CHANGING)


def run(one, room, words, at=None):
    done = one.box.run(*words, "--root", room / "tree", cwd=room, under=breaker.killed(at) if at else ())
    return done if at and done.code == 137 else one.speaks_plainly(done)


def recover(one, scene, room):
    """As a person would: the command again; `rollback` where that is what its message asks for. Killed up to three times."""
    way = scene.command
    for left in (3, 2, 1, 0, 0, 0, 0):
        at = breaker.point(one.random, scene.calls) if left and one.random.random() < 0.6 else None
        done = run(one, room, way, at)
        if done.code == 137:
            one.counts["kills inside recovery"] += 1
        elif done.code == 7:
            way = ("rollback",)
        elif done.code == 0 or way == ("rollback",) and "was taken back already" in done.err:
            return way
        else:
            raise AssertionError(f"{scene.name}: {way} ends {done.code}\n{done.err}")
    raise AssertionError(f"{scene.name}: no end of recovery")


def attempt(one):
    scene = one.random.choice(one.made)
    room = scene.fresh(one)
    at = breaker.point(one.random, scene.calls)
    first = run(one, room, scene.command, at)
    way = recover(one, scene, room) if first.code == 137 else scene.command
    state = scenes.judged(scene, room / "tree", ("new",) if way == scene.command else ("old", "new"))
    one.counts[f"ended {state}"] += 1
    if scene.command[0] != "apply":
        return
    if state == "old":
        run(one, room, scene.command).expect(0)
        scenes.judged(scene, room / "tree", ("new",))
    assert "Nothing to do" in run(one, room, scene.command).expect(0).out, scene.name
