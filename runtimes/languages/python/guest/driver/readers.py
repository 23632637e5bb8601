"""Keeps files that are open for reading usable across the runs of a context: images, archives, fonts.

The end of a run closes all descriptors. The next run opens the files again, under their old descriptor
numbers and at their old positions. Their objects stay as they are."""

import operator
import posix
from functools import partial
from _io import FileIO

from .steps import attempt

_LAST_STREAM = 2
_OWN_FOLDER = "/lib/belljar/"
_READING = posix.O_RDONLY
_stat, _fstat = posix.stat, posix.fstat
_open, _duplicate, _close, _seek = posix.open, posix.dup2, posix.close, posix.lseek
_is_closed = operator.attrgetter("closed")
_number_of = operator.methodcaller("fileno")
_is_writable = operator.methodcaller("writable")
# Of each file: descriptor number, path and position.
_recorded = []


def _identity(status):
    return status.st_dev, status.st_ino


def _place_of(file):
    """Descriptor number, path and position of a file that only reads; None for others, and where its path
    leads to no or to another file now."""
    name = file.name
    if file.closed or file.mode != "rb" or type(name) not in (str, bytes):
        return None
    number = file.fileno()
    path = posix.fspath(name)
    path = path.decode() if type(path) is bytes else path
    if not path.startswith("/"):
        path = f"{posix.getcwd()}/{path}"
    if number <= _LAST_STREAM or path.startswith(_OWN_FOLDER):
        return None
    if _identity(_stat(path)) != _identity(_fstat(number)):
        return None
    return number, path, _seek(number, 0, 1)


def record(files):
    """The steps of recording the files that are open for reading only. Returns the ids of the objects, of those
    given, that stay open: these files and objects that read from them."""
    _recorded.clear()
    numbers = set()
    for file in files:
        if type(file) is FileIO:
            place = yield from attempt(partial(_place_of, file))
            if place is not None:
                _recorded.append(place)
                numbers.add(place[0])
    staying = set()
    if not numbers:
        return staying
    for file in files:
        if (yield from attempt(partial(_is_closed, file))) is not False:
            continue
        number = yield from attempt(partial(_number_of, file))
        if type(number) is int and number in numbers:
            if type(file) is FileIO or (yield from attempt(partial(_is_writable, file))) is False:
                staying.add(id(file))
    return staying


def _reopen(places):
    for number, path, position in places:
        try:
            opened = _open(path, _READING)
        except OSError:
            continue  # the file is gone; its object reports that when it is used
        if opened != number:
            _duplicate(opened, number)
            _close(opened)
        _seek(number, position, 0)


def reopen():
    """The steps of opening the files that the end of the previous run recorded."""
    if _recorded:
        places = list(_recorded)
        _recorded.clear()
        yield from attempt(partial(_reopen, places))
