"""Removes the indentation of a program that is indented as a whole, as `python -c` does: programs come
from template strings of other programs. Line numbers stay; columns are those of the text without it."""

_BLANK = " \t\r\f"
_INDENT = " \t"


def _margin_of(line):
    return line[: len(line) - len(line.lstrip(_INDENT))]


def _common(one, other):
    length = 0
    for mine, yours in zip(one, other):
        if mine != yours:
            break
        length += 1
    return one[:length]


def _margin(lines):
    """The whitespace that all lines begin with, but for blank ones."""
    margin = None
    for line in lines:
        if line.strip(_BLANK):
            own = _margin_of(line)
            margin = own if margin is None else _common(margin, own)
            if not margin:
                return ""
    return margin or ""


def _first_margin(lines):
    return next((_margin_of(line) for line in lines if line.strip(_BLANK)), "")


def removed(text, is_notebook):
    """The text without its indentation; the text itself if it has none.

    A notebook removes that of the first line from each line that has it, too: the lines of a string may
    have less."""
    if text[:1] not in " \t\r\n\f":
        return text
    lines = text.split("\n")
    margin = _margin(lines) or (_first_margin(lines) if is_notebook else "")
    if not margin:
        return text
    return "\n".join(
        line.removeprefix(margin) if line.strip(_BLANK) else line.lstrip(_INDENT) for line in lines
    )
