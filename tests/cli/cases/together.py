"""Options that have no effect beside the others, and empty values, are refused: who says one means something."""
import re

WITHOUT = [  # a command line, the option without effect, and with what it would work
    (("plan", "s.yaml", "--facts", "f"), "--facts", "--root"),
    (("verify", "s.yaml", "--facts", "f"), "--facts", "--root"),
    (("apply", "s.yaml", "--record", "r"), "--record", "--host"),
    (("apply", "s.yaml", "--host", "h"), "--host", "--record"),
    (("rollback", "--host", "h"), "--host", "--record"),
    (("confirm", "--host", "h"), "--host", "--record"),
    (("release", "--host", "h"), "--host", "--record or --dry-run"),
    (("release", "--record", "r"), "--record", "--host"),
    (("apply", "s.yaml", "--bake"), "--bake", "--root"),
    (("apply", "s.yaml", "--coalesce"), "--coalesce", "--boot"),
    (("show", "--explain"), "--explain", "--as-spec"),
    (("doctor", "--peer", "192.0.2.1"), "--peer", "--active"),
    (("doctor", "--listen"), "--listen", "--bind"),
    (("doctor", "--bind", "127.0.0.1"), "--bind", "--listen"),
    (("doctor", "--timeout", "5s"), "--timeout", "--listen"),
    (("doctor", "--active", "--tcp-port", "4795"), "--tcp-port", "--listen or --peer"),
    (("doctor", "--device", "mlx5_0"), "--device", "--active or --listen"),
    (("doctor", "--port-timeout", "5s"), "--port-timeout", "--active or --listen"),
]

BESIDE = [  # a command line, and two of its options that do not go together
    (("plan", "s.yaml", "--host", "h", "--root", "/t"), "--host", "--root"),
    (("plan", "s.yaml", "--brief", "-o", "json"), "--brief", "-o=json"),
    (("apply", "s.yaml", "--plan", "p"), "--plan", "SPEC"),
    (("apply", "--plan", "p", "--restart", "u"), "--plan", "--restart"),
    (("apply", "--plan", "p", "--root", "/t", "--bake"), "--plan", "--bake"),
    (("apply", "--boot", "s.yaml"), "--boot", "SPEC"),
    (("verify", "--boot", "s.yaml"), "--boot", "SPEC"),
    (("apply", "--boot", "--adopt"), "--boot", "--adopt"),
    (("apply", "--boot", "--max-disruption", "module"), "--boot", "--max-disruption"),
    (("apply", "--boot", "--confirm-within", "60s"), "--boot", "--confirm-within"),
    (("apply", "--boot", "--wait", "60s"), "--wait", "--boot"),
    (("apply", "s.yaml", "--root", "/t", "--wait", "60s"), "--wait", "--root"),
    (("apply", "--plan", "p", "--wait", "60s"), "--wait", "--plan"),
    (("apply", "s.yaml", "--root", "/t", "--bake", "--confirm-within", "60s"), "--bake", "--confirm-within"),
    (("rollback", "--unconfirmed", "000001", "--force"), "--unconfirmed", "--force"),
    (("release", "--dry-run", "--host", "h", "--record", "r"), "--dry-run", "--record"),
    (("show", "--record", "r", "--as-spec"), "--record", "--as-spec"),
    (("show", "--record", "r", "-o", "json"), "--record", "-o=json"),
    (("packages", "s.yaml", "--for", "rhel", "--root", "/t"), "--for", "--root"),
    (("doctor", "--interval", "10s", "--host", "h"), "--interval", "--host"),
    (("doctor", "--interval", "10s", "--since", "f"), "--interval", "--since"),
    (("doctor", "--env", "s.yaml"), "--env", "SPEC"),
    (("doctor", "--env", "-o", "junit"), "--env", "-o=junit"),
    (("doctor", "--env", "--output=prometheus"), "--env", "-o=prometheus"),
    (("doctor", "--env", "--active"), "--env", "--active"),
    (("doctor", "--active", "--listen", "--bind", "127.0.0.1"), "--listen", "--active"),
    (("doctor", "--active", "--host", "h"), "--active", "--host"),
]


def refused(box, words, sentence):
    done = box.run(*words).expect(1)
    assert done.out == "" and len(done.err.splitlines()) == 1, done.err
    assert done.err.startswith(f"rdmastate: {sentence}: "), done.err
    assert done.err.count(" ") > 8, f"no reason: {done.err}"


def test_what_works_only_with_another(box):
    for words, option, other in WITHOUT:
        refused(box, words, f"{option} has no effect without {other}")


def test_what_does_not_go_together(box):
    for words, one, other in BESIDE:
        refused(box, words, f"{one} does not go with {other}")


def test_help_says_no_other_combination(box):
    """An option whose help begins with "With --other:" is refused without it."""
    judged = 0
    for line in box.run("complete", "").expect(0).out.splitlines():
        command = line.split("\t")[0]
        for option in ([] if command.startswith("-") else box.run("complete", command, "--").expect(0).out.splitlines()):
            name, _, doc = option.partition("\t")
            if other := re.match(r"With (--[\w-]+):", doc):
                known = [words for words, one, _ in WITHOUT if words[0] == command and one == name]
                assert known or any(one == name and other[1] in others for _, one, others in WITHOUT), (command, name, doc)
                judged += 1
    assert judged >= 6, judged


def test_an_id_is_explained_and_nothing_else_is_done(box):
    for words in (("-o", "json"), ("--host", "h"), ("--active",), ("--interval", "10s")):
        done = box.run("doctor", "port-down", *words).expect(1)
        assert done.out == "" and "is the id of a check" in done.err and "has no effect on that" in done.err, done.err
    box.run("doctor", "port-down", "--color", "never").expect(0)


def test_empty_values(box):
    """Of every option and positional of every command: `--root "$TREE"` without that variable must not mean this host."""
    judged = 0
    for line in box.run("complete", "").expect(0).out.splitlines():
        command = line.split("\t")[0]
        if command.startswith("-"):
            continue
        text = box.run(command, "--help").expect(0).out
        for name, value in re.findall(r"^  (?:-\w,)?(--[\w-]+) ([A-Z|a-z0-9-]+)", text, re.M):
            for words in ((name, ""), (f"{name}=",)):
                done = box.run(command, *words, *(["s.yaml"] if "SPEC" in text else [])).expect(1)
                assert done.out == "" and name in done.err, (command, words, done.err)
            judged += 1
    assert judged > 60, judged
    for words in (("plan", ""), ("check", ""), ("doctor", ""), ("history", ""), ("confirm", "")):
        assert " is empty: say " in box.run(*words).expect(1).err, words
    done = box.run("plan", "s.yaml", "--root", "").expect(1)
    assert done.err == "rdmastate: --root is empty: say what it is to be, or leave it out\n", done.err
