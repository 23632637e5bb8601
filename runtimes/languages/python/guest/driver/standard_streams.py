"""Resets the standard streams between the runs of a context: a run does not read what an earlier one left
in the buffers, closed streams are open again, and `sys.stdin`, `sys.stdout` and `sys.stderr` are the
streams of the process again. The objects stay the same: programs may hold them.
"""

import sys
from _io import BufferedReader, BufferedWriter, FileIO, TextIOWrapper
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
_open_writer = BufferedWriter.__init__
_is_closed = TextIOWrapper.closed.__get__
_set, _delete = object.__setattr__, object.__delattr__
_text = sys.stdin
_buffer = _text.buffer
_file = _buffer.raw
_names = sys.__dict__
# Name, stream, buffer, file, descriptor, error handler and line buffering of each stream that is written to.
_written = tuple(
    (name, stream, stream.buffer, getattr(stream.buffer, "raw", stream.buffer), number, stream.errors,
     stream.line_buffering, stream.write_through)
    for number, (name, stream) in enumerate((("stdout", sys.stdout), ("stderr", sys.stderr)), 1)
)


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


def _reopen(name, stream, buffer, file, number, errors, line_buffering, write_through):
    """The steps of opening a closed stream again."""
    yield from attempt(partial(_open_file, file, number, "wb", closefd=False))
    yield from attempt(partial(_set, file, "name", f"<{name}>"))
    yield from attempt(partial(_delete, file, _CLOSED))
    if buffer is not file:
        yield from attempt(partial(_open_writer, buffer, file))
    begin = partial(_open_text, stream, buffer, _OWN_ENCODING, errors, _OWN_NEWLINE, line_buffering)
    yield from attempt(partial(begin, write_through))


def _is_open(stream):
    """Runs no code of a program: none of the types can be changed."""
    try:
        return not _is_closed(stream)
    except ValueError:
        return False


def restored():
    """The steps of putting the streams of the process in place, and of opening closed ones again. A stream
    of the program's own over the same buffer stays."""
    own = (("stdin", _text, _buffer), *((name, stream, buffer) for name, stream, buffer, *_ in _written))
    for name, stream, buffer in own:
        current = _names.get(name)
        if current is not stream and not (
            type(current) is TextIOWrapper and _is_open(current) and _buffer_of(current) is buffer
        ):
            setattr(sys, name, stream)
    del current
    if not _is_open(_text):
        yield from steps()
    for name, stream, *rest in _written:
        if not _is_open(stream):
            yield from _reopen(name, stream, *rest)
