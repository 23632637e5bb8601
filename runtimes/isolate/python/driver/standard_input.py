"""Resets `sys.stdin` between the runs of a context: a run does not read what an earlier one left in
the buffers, and a closed stream is open again. The objects stay the same: programs may hold them.
"""

import sys
from _io import BufferedReader, FileIO, TextIOWrapper
from functools import partial

from .steps import attempt

_NAME = "<stdin>"
# The attribute that marks a file as closed; C code reads it too.
_CLOSED = "__IOBase_closed"
# Values of `newline`: Python's own stream translates no line ends, other streams do by default.
_OWN_NEWLINE = "\n"
_ANY_NEWLINE = None
_OWN_ENCODING = "utf-8"
_FAILED = object()
_open_file, _open_buffer, _open_text = FileIO.__init__, BufferedReader.__init__, TextIOWrapper.__init__
_encoding_of = TextIOWrapper.encoding.__get__
_errors_of = TextIOWrapper.errors.__get__
_buffer_of = TextIOWrapper.buffer.__get__
_set, _delete = object.__setattr__, object.__delattr__
_text = sys.stdin
_buffer = _text.buffer
_file = _buffer.raw


def _begin_text(text, newline):
    """Initializes a text stream again. Keeps its encoding, if that can still be read."""
    encoding = yield from attempt(partial(_encoding_of, text), _OWN_ENCODING)
    errors = yield from attempt(partial(_errors_of, text))
    begin = partial(_open_text, text, _buffer, newline=newline)
    begun = yield from attempt(partial(begin, encoding=encoding, errors=errors), _FAILED)
    if begun is _FAILED:
        yield from attempt(partial(begin, encoding=_OWN_ENCODING, errors=errors))


def _is_over_buffer(stream):
    if type(stream) is not TextIOWrapper or stream is _text:
        return False
    return (yield from attempt(partial(_buffer_of, stream))) is _buffer


def steps():
    """The steps of resetting `sys.stdin`, and a stream of the program's own over the same buffer."""
    current = sys.__dict__.get("stdin")
    is_current_over_buffer = yield from _is_over_buffer(current)
    yield from attempt(partial(_open_file, _file, 0, "rb", closefd=False))
    yield from attempt(partial(_set, _file, "name", _NAME))
    yield from attempt(partial(_delete, _file, _CLOSED))
    yield from attempt(partial(_open_buffer, _buffer, _file))
    yield from _begin_text(_text, _OWN_NEWLINE)
    if is_current_over_buffer:
        yield from _begin_text(current, _ANY_NEWLINE)
