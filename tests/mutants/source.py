"""Reads C++ just far enough to find a function by its name, and a piece of text in it however it is laid out.

It knows tokens and which brackets belong together, no types. Sources that the compiler takes are read right, but for
braces that differ between branches of #if.
"""
import dataclasses
import re

TOKEN = re.compile(r"""
    (?P<skip> \s+ | //[^\n]* | /\*.*?\*/ | ^[ \t]*\#(?:[^\n\\]|\\.)* )
  | (?:u8|[uUL])?R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"
  | (?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"
  | \d(?:'?[\w.])*
  | (?:u8|[uUL])?'(?:[^'\\\n]|\\.)+'
  | [A-Za-z_]\w*
  | <=>|<<=|->\*|\.\.\.|::|->|&&|\|\||\+\+|--|<<|[-+*/%&|^=!<>]=      # >> is two: it may close two templates
  | .""", re.VERBOSE | re.DOTALL | re.MULTILINE)
PAIRS = {"(": ")", "[": "]", "{": "}"}
ANY = "..."


@dataclasses.dataclass(frozen=True)
class Token:
    text: str
    start: int
    end: int

    def is_name(self):
        return re.match(r"[A-Za-z_]", self.text) is not None and self.text[-1] not in "\"'"


def tokens_of(text):
    """Without white space, comments and preprocessor lines."""
    return [Token(m.group(), m.start(), m.end()) for m in TOKEN.finditer(text) if m.group("skip") is None]


def closing(tokens, at):
    """Where the bracket that opens at this place is closed."""
    depth = 0
    for i in range(at, len(tokens)):
        depth += (tokens[i].text in PAIRS) - (tokens[i].text in PAIRS.values())
        if depth == 0:
            return i
    return len(tokens) - 1


@dataclasses.dataclass(frozen=True)
class Definition:
    """Of a function, with its body, or of a constant, to its semicolon; named as the source writes it, in a class after it."""
    name: str
    start: int
    end: int


class Head:
    """What stands before a brace or semicolon outside of functions. Brackets within are one word: the opening one."""
    NO_FUNCTIONS = ("noexcept", "decltype", "alignas", "requires", "explicit")
    CLASSES = ("class", "struct", "union", "enum")

    def __init__(self, tokens):
        self.tokens = tokens
        first = self.angle_end(1) if tokens and tokens[0].text == "template" else 0
        self.words = [token.text for token in tokens[first:]]
        self.names = [token.is_name() for token in tokens[first:]]

    def angle_end(self, at):
        depth = 0
        for i in range(at, len(self.tokens)):
            depth += (self.tokens[i].text == "<") - (self.tokens[i].text == ">")
            if depth == 0:
                return i + 1
        return len(self.tokens)

    def parameters(self):
        """Where the list of a function's parameters opens, or None."""
        depth = 0
        for i, word in enumerate(self.words):
            if "operator" in self.words[max(0, i - 2):i] and word != "(":
                continue
            depth += (word == "<") - (word == ">")
            if word == "=" and depth == 0:
                return None
            before = self.words[i - 1] if i > 0 else ""
            is_operator = "operator" in self.words[max(0, i - 3):i]
            named = i > 0 and (self.names[i - 1] or is_operator or before == ">") and before not in (*self.NO_FUNCTIONS, "operator")
            if word == "(" and depth == 0 and named:
                return i
        return None

    def name_start(self, end):
        """Where the name begins that ends here, with what it is a template of: `one<int>`."""
        depth = 0
        for i in range(end - 1, 0, -1):
            depth += (self.words[i] == ">") - (self.words[i] == "<")
            if depth == 0 and self.names[i]:
                return i - 1 if self.words[i - 1] == "~" else i
        return 0

    def function(self):
        at = self.parameters()
        if at is None:
            return None
        first = self.words.index("operator") if "operator" in self.words[max(0, at - 3):at] else self.name_start(at)
        while first > 1 and self.words[first - 1] == "::" and (self.names[first - 2] or self.words[first - 2] == ">"):
            first = self.name_start(first - 1)
        return "".join(self.words[first:at]) + PAIRS.get(self.words[at - 1], "")

    def constant(self):
        """The name before the first `=` or, without one, before the braces."""
        if self.parameters() is not None:
            return None
        ends = [i for i, word in enumerate(self.words) if word in ("=", "{")]
        named = [i for i in range(ends[0] if ends else 0) if self.names[i]]
        return self.words[named[-1]] if named else None

    def scope(self):
        """The name of the class that a brace opens, "" for a namespace, None for neither."""
        if "namespace" in self.words[:2] or self.words[:1] == ["extern"] and len(self.words) == 2:
            return ""
        if self.parameters() is not None or "=" in self.words or not set(self.CLASSES) & set(self.words):
            return None
        end = self.words.index(":") if ":" in self.words else len(self.words)
        end -= self.words[end - 1] == "final"
        return "".join(self.words[self.name_start(end):end])

    def initialises(self):
        """Whether a brace that follows is a member's in a constructor's list, and no body."""
        at = self.parameters()
        return at is not None and ":" in self.words[at:] and (self.names[-1] or self.words[-1] == ">")


class Scan:
    def __init__(self, text):
        self.tokens, self.at = tokens_of(text), 0
        self.scopes, self.head, self.found = [], [], []

    def take(self, name):
        names = [*filter(None, self.scopes), name]
        self.found.append(Definition("::".join(names), self.head[0].start, self.tokens[self.at].end))

    def brace(self):
        head = Head(self.head)
        scope = head.scope()
        if scope is not None:
            self.scopes.append(scope)
            self.head = []
            return
        opened, self.at = self.tokens[self.at], closing(self.tokens, self.at)
        if head.function() and not head.initialises():
            self.take(head.function())
            self.head = []
        else:
            self.head.append(opened)

    def definitions(self):
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token.text == "{":
                self.brace()
            elif token.text == "}":
                del self.scopes[-1:]
                self.head = []
            elif token.text == ";":
                name = Head(self.head).constant()
                if name is not None:
                    self.take(name)
                self.head = []
            elif token.text == ":" and [word.text for word in self.head] in (["public"], ["private"], ["protected"]):
                self.head = []
            else:
                self.head.append(token)
                if token.text in PAIRS:
                    self.at = closing(self.tokens, self.at)
            self.at += 1
        return self.found


def definitions(text):
    return Scan(text).definitions()


def match_at(tokens, at, pattern):
    """Where the pattern ends that begins here, and what each `...` in it stands for; None when it does not."""
    if not pattern:
        return at, []
    if pattern[0].text != ANY:
        same = at < len(tokens) and tokens[at].text == pattern[0].text
        return match_at(tokens, at + 1, pattern[1:]) if same else None
    end = at
    while True:
        rest = match_at(tokens, end, pattern[1:])
        if rest is not None:
            return rest[0], [(at, end), *rest[1]]
        if end == len(tokens) or tokens[end].text in (";", *PAIRS.values()):
            return None
        end = closing(tokens, end) + 1 if tokens[end].text in PAIRS else end + 1


@dataclasses.dataclass(frozen=True)
class Place:
    """A pattern's place in a text, and the texts that its `...` stand for."""
    start: int
    end: int
    parts: tuple


def places(text, pattern, start=0, end=None):
    """All places of the pattern between start and end. White space, line breaks and comments make no difference;
    `...` is as little as it can be, with brackets in pairs, and in one statement."""
    tokens = [token for token in tokens_of(text) if token.start >= start and (end is None or token.end <= end)]
    wanted, found = tokens_of(pattern), []
    for at in range(len(tokens)):
        match = match_at(tokens, at, wanted)
        if match is not None and match[0] > at:
            parts = (text[tokens[a].start:tokens[b - 1].end] if b > a else "" for a, b in match[1])
            found.append(Place(tokens[at].start, tokens[match[0] - 1].end, tuple(parts)))
    return found
