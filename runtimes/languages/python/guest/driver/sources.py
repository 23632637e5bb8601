"""The sources of programs, for the lines that tracebacks and `inspect` show.

All programs of a context are called main.py, and functions of earlier programs stay alive. The
code object decides which program a line is from: when the next program comes, the code objects of
the previous one are recorded with its source.
"""

import inspect
import linecache
import traceback
from types import CodeType, FunctionType, ModuleType
from weakref import ref

from . import ipython_lines

FILE_NAME = "main.py"
_cache = linecache.cache
_summary_lines = traceback.FrameSummary._set_lines
_find_source = inspect.findsource
_present = None
# By id of a code object: a weak reference to it, and the lines of its program.
_earlier = {}


class Source:
    """A program."""

    __slots__ = ("text", "lines", "codes", "is_notebook")

    def __init__(self, text, is_notebook=False):
        self.text = text
        # Whether the lines of IPython are part of its language.
        self.is_notebook = is_notebook
        self.lines = [line + "\n" for line in text.split("\n")]
        # The code objects that the program was compiled to.
        self.codes = ()


def _note_codes(source):
    waiting = list(source.codes)
    while waiting:
        code = waiting.pop()
        _earlier[id(code)] = (ref(code), source.lines)
        waiting.extend(part for part in code.co_consts if type(part) is CodeType)


def remember(text, is_notebook=False):
    """Sets the program of this run, and forgets earlier programs whose code objects are gone."""
    global _present
    if _present is not None:
        _note_codes(_present)
    _present = Source(text, is_notebook)
    for key in [key for key, (code, _) in _earlier.items() if code() is None]:
        del _earlier[key]
    _cache[FILE_NAME] = (len(text), None, list(_present.lines), FILE_NAME)
    return _present


def has_ipython_lines():
    """Whether the program of this run has lines of IPython."""
    return _present is not None and ipython_lines.has_any(_present.text)


def forget_all():
    """Forgets all programs."""
    global _present
    _present = None
    _earlier.clear()
    _cache.clear()


def _earlier_lines(code):
    known, lines = _earlier.get(id(code), (None, None))
    return lines if known is not None and known() is code else None


def is_present(code):
    """Whether a code object is from this run's program."""
    return code.co_filename == FILE_NAME and _earlier_lines(code) is None


def line(code, number):
    """A line of a program without surrounding whitespace; empty if there is none."""
    lines = _earlier_lines(code)
    if lines is None and _present is not None and code.co_filename == FILE_NAME:
        lines = _present.lines
    return lines[number - 1].strip() if lines and 0 < number <= len(lines) else ""


def line_of(frame):
    """The source line that a frame is at."""
    return line(frame.f_code, frame.f_lineno)


def _set_lines(self):
    if self._lines is None and self.lineno is not None and self.end_lineno is not None:
        lines = None if self._code is None else _earlier_lines(self._code)
        if lines is not None:
            shown = [text.rstrip() for text in lines[self.lineno - 1 : self.end_lineno]]
            self._lines = "\n".join(shown) + "\n"
    _summary_lines(self)


def _place_of(thing):
    """A code object of a thing and the thing's first line; None if it has no code."""
    if isinstance(thing, type):
        methods = [part for part in vars(thing).values() if type(part) is FunctionType]
        number = vars(thing).get("__firstlineno__", 0)
        return (methods[0].__code__ if methods else None), number
    for name in ("__func__", "__code__", "tb_frame", "f_code"):
        thing = getattr(thing, name, thing)
    return (thing, thing.co_firstlineno) if type(thing) is CodeType else (None, None)


def _is_of_main(thing):
    """Whether a thing is the program's module, or a class of it: `inspect` reads the file of the
    module, which does not exist."""
    if type(thing) is ModuleType:
        return vars(thing).get("__name__") == "__main__"
    return isinstance(thing, type) and thing.__module__ == "__main__"


def findsource(object):
    """Replaces `inspect`'s function, which knows only one program called main.py."""
    code, number = _place_of(object)
    lines = None if code is None else _earlier_lines(code)
    if lines is None and _present is not None and _is_of_main(object):
        lines = _present.lines
        if number is None:
            return list(lines), 0
        first = "".join(lines[number - 1 : number]).lstrip()
        if not first.startswith(("@", f"class {object.__name__}")):
            lines = None
    if lines is None or not 0 < number <= len(lines):
        return _find_source(object)
    return list(lines), number - 1


def install():
    """Makes tracebacks and `inspect` take their lines from here. Called once, before the image is
    taken."""
    _set_lines.__module__ = "traceback"
    traceback.FrameSummary._set_lines = _set_lines
    findsource.__module__ = "inspect"
    inspect.findsource = findsource
