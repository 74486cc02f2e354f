"""Texts for owners_fuzz that mean something to somebody: newlines of every kind, quotes, what a shell, udev, systemd, a keyfile or YAML reads."""

ATOMS = ("\n", "\r", "\r\n", "\v", "\f", "\0", "\x85", "\u2028", "\u2029", "\t", " ", "\u00a0", "\u3000", "\x1b[31m", "\x7f", "\ufeff", "\u200b", "\u202e",
         '"', "'", "`", "\\", "\\\\", "\\n", "\\x41", "$", "$$", "$(id)", "${IFS}", "%", "%%", "%n", "%k", "=", "==", "#", ";", ",", ":", "::", "|", "&", "&&", "!", "*", "?",
         "[", "]", "[!a]", "{", "}", "{{name}}", "{1..3}", "<", ">", "(", ")", "@", "~", "^", "+", "-", "--", "_", ".", "..", "../", "../../etc/shadow", "/", "//",
         "[Section]", "\n[Service]\nExecStart=/bin/sh", "key=value", "KEY+=\"x\"", "true", "null", "~", "0x10", "ALL", "é", "ß", "日本", "\U0001f600", "a\u0301",
         "x" * 300, "-o", "--help", "a b", "GUID=full", "none", "default", "inherit", "ä" * 7)
# For places of types: a route to `default` is one, and files call it 0.0.0.0/0.
NO_WORDS = tuple(text for text in ATOMS if text != "default")
PLAIN = ("a", "b0", "store", "ib", "A_9", "x-y", "z.1", "7")
# What every place is tried with; decoyq is the name of a thing that is there and that no spec speaks of.
ALWAYS = ("*", "a|decoyq", 'a"b', "a\\", "a\nb", "%n", "$a", "-a", "a,b", "a b")


def some(random, count):
    """Those that are always tried and `count` more: mischief alone, at either end, in the middle, and several in one."""
    found = set(ALWAYS)
    while len(found) < count + len(ALWAYS):
        mischief = random.choice(ATOMS) if random.random() < 0.7 else random.choice(ATOMS) + random.choice(ATOMS)
        plain, other = random.choice(PLAIN), random.choice(PLAIN)
        found.add(random.choice((mischief, mischief + plain, plain + mischief, plain + mischief + other, plain + mischief + other, plain + other)))
    return sorted(found)
