"""Makes `sys.stdin` begin anew: what one run has left in its buffers is not read by the next of the
context, and what one has closed is open again. The objects stay the same, as programs keep them.
"""

import sys
from _io import BufferedReader, FileIO, TextIOWrapper
from functools import partial

from .steps import attempt

_NAME = "<stdin>"
# Where a file that was closed keeps that, in C too.
_CLOSED = "__IOBase_closed"
# What separates lines: Python's own stream translates none, others do unless they say so.
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
    """Keeps the encoding, if it can still be found."""
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
    """The steps of beginning anew; a text stream of the program's own over the same buffer does too."""
    current = sys.__dict__.get("stdin")
    is_current_over_buffer = yield from _is_over_buffer(current)
    yield from attempt(partial(_open_file, _file, 0, "rb", closefd=False))
    yield from attempt(partial(_set, _file, "name", _NAME))
    yield from attempt(partial(_delete, _file, _CLOSED))
    yield from attempt(partial(_open_buffer, _buffer, _file))
    yield from _begin_text(_text, _OWN_NEWLINE)
    if is_current_over_buffer:
        yield from _begin_text(current, _ANY_NEWLINE)
