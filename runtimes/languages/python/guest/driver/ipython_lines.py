"""The lines of IPython in a program: `%name`, `%%name`, `!command`, and `name = !command`.

They are no Python, so only a program that does not compile can have any. They are found where a
statement begins, so not in strings and not in expressions of several lines. A notebook replaces each by a
call of `get_ipython()` on the same line; elsewhere an error names them.
"""

import re

_MARKS = ("%", "!")
_CELL = "%%"
# A text before `=` that can be assigned to.
_TARGET = re.compile(r"[^\W\d][\w., \t]*").fullmatch
_NAME = re.compile(r"[A-Za-z_]\w*").match
# The parts of a line that decide where its strings and brackets end.
_PART = re.compile(
    r"#.*|'''|\"\"\"|'(?:[^'\\\r\n]|\\.)*'|\"(?:[^\"\\\r\n]|\\.)*\"|[(\[{]|[)\]}]|\\\r?$|\\."
).finditer
_ENDS = {
    mark * 3: re.compile(rf"(?:[^\\{mark}]|\\.|{mark}(?!{mark}{mark}))*{mark}{mark}{mark}").match
    for mark in "'\""
}
# Cells whose lines are Python. Those of any other are text.
_PYTHON_CELLS = frozenset("capture prun py python python3 pypy time timeit".split())


class _Scan:
    """Finds the lines that begin a statement."""

    def __init__(self):
        self._quote = None
        self._depth = 0
        self._continues = False

    def begins_statement(self):
        return self._quote is None and self._depth == 0 and not self._continues

    def take(self, line):
        """Goes on by one line."""
        self._continues = False
        at = 0
        while at is not None:
            at = self._leave_string(line, at) if self._quote is not None else self._enter_string(line, at)

    def _leave_string(self, line, at):
        end = _ENDS[self._quote](line, at)
        if end is None:
            return None
        self._quote = None
        return end.end()

    def _enter_string(self, line, at):
        for part in _PART(line, at):
            text = part.group()
            if text in _ENDS:
                self._quote = text
                return part.end()
            if text in "([{":
                self._depth += 1
            elif text in ")]}":
                self._depth = max(0, self._depth - 1)
            elif text.rstrip("\r") == "\\":
                self._continues = True
        return None


def _parts(line):
    """What comes before a mark of IPython, and the rest from the mark on; None without one."""
    text = line.strip()
    if text.startswith(_MARKS):
        return line[: len(line) - len(line.lstrip())], text
    target, sign, value = line.partition("=")
    value = value.strip()
    if sign and value.startswith(_MARKS) and _TARGET(target.strip()) is not None:
        return f"{target}= ", value
    return None


def _found(lines):
    """Index and parts of each line of IPython."""
    scan = _Scan()
    for index, line in enumerate(lines):
        parts = _parts(line) if scan.begins_statement() else None
        if parts is None:
            scan.take(line)
        else:
            yield index, *parts


def has_any(text):
    """Whether a program has lines of IPython."""
    return next(_found(text.split("\n")), None) is not None


def _named(text):
    name = _NAME(text)
    word = "" if name is None else name.group()
    return word, text[len(word) :].strip()


def _call(before, text):
    if text.startswith("!"):
        method = "getoutput" if before.strip() else "system"
        return f"get_ipython().{method}({text.lstrip('!').strip()!r})"
    name, rest = _named(text.lstrip("%").lstrip())
    return f"get_ipython().run_line_magic({name!r}, {rest!r})"


def replaced(text):
    """The program as Python."""
    lines = text.split("\n")
    for index, before, text in _found(lines):
        if not text.startswith(_CELL) or any(line.strip() for line in lines[:index]):
            lines[index] = before + _call(before, text)
            continue
        name, rest = _named(text[len(_CELL) :])
        is_python = name in _PYTHON_CELLS
        body = "" if is_python else "\n".join(lines[index + 1 :])
        lines[index] = f"get_ipython().run_cell_magic({name!r}, {rest!r}, {body!r})"
        if not is_python:
            return "\n".join(lines[: index + 1])
    return "\n".join(lines)
