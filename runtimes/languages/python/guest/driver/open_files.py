"""Flushes and closes the files that a program leaves open."""

import gc
import operator
import sys
from _io import FileIO, TextIOWrapper, _BufferedIOBase, _IOBase
from posix import closerange as _close_range
from functools import partial
from posix import posix_fadvise as _advise

from . import databases, readers
from .steps import attempt

# The host intercepts this number: `posix_fadvise` on it fails while files are open.
_OPEN_FILES_DESCRIPTOR = 0x7FFF5EEE
_LAST_STREAM = 2
_DESCRIPTORS = 256
_collected = gc.get_objects
_is_closed = operator.attrgetter("closed")
_number_of = operator.methodcaller("fileno")
_close = operator.methodcaller("close")
_flush = operator.methodcaller("flush")


def _any_open():
    try:
        _advise(_OPEN_FILES_DESCRIPTOR, 0, 0, 0)
    except OSError:
        return True
    return False


def _rank(kind):
    """The order of closing: a file that wraps another is closed before the one it wraps."""
    if issubclass(kind, TextIOWrapper):
        return 0
    if issubclass(kind, FileIO):
        return 3
    return 2 if kind.__module__ == "_io" and issubclass(kind, _BufferedIOBase) else 1


def _is_in_memory(file):
    """Whether a temporary file has none yet: asked for its descriptor, it would make one."""
    kind = getattr(sys.modules.get("tempfile"), "SpooledTemporaryFile", None)
    return kind is not None and issubclass(type(file), kind) and not file._rolled


def _in_memory(files):
    return {id(file) for file in files if _is_in_memory(file)}


def _finish(file):
    """Closes a file, or flushes a standard stream. Skips closed files and files without a descriptor."""
    closed = yield from attempt(partial(_is_closed, file))
    number = None
    if closed is False:
        number = yield from attempt(partial(_number_of, file))
    if type(number) is int:
        yield from attempt(partial(_close if number > _LAST_STREAM else _flush, file))


def close_all():
    """The steps of closing all files except the three standard streams."""
    if not _any_open():
        return
    kinds = (_IOBase, databases.Connection)
    files = [found for found in _collected() if issubclass(type(found), kinds)]
    yield from databases.hold(files)
    kept = yield from attempt(partial(_in_memory, files), ())
    files = [found for found in files if issubclass(type(found), _IOBase) and id(found) not in kept]
    staying = yield from readers.record(files)
    files = [file for file in files if id(file) not in staying]
    files.sort(key=lambda file: _rank(type(file)))
    for index in range(len(files)):
        yield from _finish(files[index])
    yield from attempt(files.clear)
    yield from attempt(databases.let_logs_open)
    if _any_open():
        held = {number for number, path in databases.held()}
        yield from readers.record_others([n for n in range(_LAST_STREAM + 1, _DESCRIPTORS) if n not in held])
        _close_range(_LAST_STREAM + 1, _DESCRIPTORS)
