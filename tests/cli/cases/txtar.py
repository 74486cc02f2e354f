"""tests/support/txtar.py: what is written is read back, and what would not be is refused."""
from golden import case_file
from support import txtar

HARD = {"spec.yaml": "version: 1\n", "files/etc/a b/mnt-a\\x20b.mount": "", "no newline": "one\ntwo", "one word": "x", "blank": "\n\n",
        "ends": "a\r\nb\x0cc\u2028d\n", "nearly": "-- a\n--\n -- b --\n-- c --d\n"}
# What parse() would take for something else, or not find again.
NOT_WRITTEN = ({"a": "-- b --\n"}, {"a": "-- b --"}, {"a": f"x\n{txtar.NO_NEWLINE}"}, {" a": ""}, {"a ": ""}, {"a\nb": ""}, {"": ""})


def refused(call, *words):
    try:
        call(*words)
    except (AssertionError, ValueError):
        return True
    return False


def test_what_is_written_is_read(_box):
    assert txtar.parse("about\nit\n" + txtar.dump(HARD)) == ("about\nit\n", HARD)
    assert list(txtar.parse(txtar.dump(HARD))[1]) == list(HARD)
    for texts in NOT_WRITTEN:
        assert refused(txtar.dump, texts), texts
    assert refused(txtar.parse, "-- a --\n-- a --\n")


def test_every_case_is_read_and_written_unchanged(_box):
    for name in case_file.names():
        one = case_file.named(name)
        assert one.by_hand + txtar.dump(one.shown) == one.path.read_bytes().decode(), name
