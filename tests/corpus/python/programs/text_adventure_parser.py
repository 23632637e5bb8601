"""A tiny language: lexer, parser, interpreter, with errors that tell the place."""
import enum
import re
from dataclasses import dataclass, field


class Kind(enum.StrEnum):
    NUMBER = enum.auto()
    NAME = enum.auto()
    OP = enum.auto()
    END = enum.auto()


@dataclass(frozen=True)
class Token:
    kind: Kind
    text: str
    at: int


class ParseError(SyntaxError):
    pass


def tokens(text):
    for match in re.finditer(r"\s*(?:(\d+\.?\d*)|([A-Za-z_]\w*)|(\*\*|[-+*/()=]))|\s*(\S)", text):
        number, name, op, bad = match.groups()
        if bad:
            raise ParseError(f"unexpected {bad!r} at {match.start(4)}")
        for kind, part in zip(Kind, (number, name, op)):
            if part:
                yield Token(kind, part, match.start())
    yield Token(Kind.END, "", len(text))


@dataclass
class Interpreter:
    names: dict[str, float] = field(default_factory=dict)

    def run(self, text):
        self.queue = list(tokens(text))
        if len(self.queue) > 2 and self.queue[1].text == "=":
            name = self.queue.pop(0).text
            self.queue.pop(0)
            value = self.names[name] = self.sum()
        else:
            value = self.sum()
        if self.queue[0].kind is not Kind.END:
            raise ParseError(f"{self.queue[0].text!r} left over at {self.queue[0].at}")
        return value

    def sum(self):
        value = self.product()
        while self.queue[0].text in ("+", "-"):
            value += self.product() if self.queue.pop(0).text == "+" else -self.product()
        return value

    def product(self):
        value = self.power()
        while self.queue[0].text in ("*", "/"):
            value = value * self.power() if self.queue.pop(0).text == "*" else value / self.power()
        return value

    def power(self):
        base = self.atom()
        if self.queue[0].text == "**":
            self.queue.pop(0)
            return base ** self.power()
        return base

    def atom(self):
        token = self.queue.pop(0)
        match token:
            case Token(Kind.NUMBER, text):
                return float(text)
            case Token(Kind.NAME, text):
                return self.names[text]
            case Token(Kind.OP, "-"):
                return -self.atom()
            case Token(Kind.OP, "("):
                value = self.sum()
                if self.queue.pop(0).text != ")":
                    raise ParseError("a ) is missing")
                return value
        raise ParseError(f"unexpected {token.text or 'end'!r}")


machine = Interpreter()
for line in ("1 + 2 * 3", "x = 2 ** 3 ** 0.5", "x / (3 - 1)", "-(x) * 2", "y + 1", "1 + ", "(1", "1 $ 2", "3 4"):
    try:
        print(f"{line:<20} {machine.run(line):.6g}")
    except (ParseError, ZeroDivisionError, KeyError) as error:
        print(f"{line:<20} {type(error).__name__}: {error}")
print(machine.names, list(Kind), Kind.END == "end", Token(Kind.OP, "+", 3))
machine.run("(((((1")
