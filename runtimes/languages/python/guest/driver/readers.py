"""Keeps files that are open for reading usable across the runs of a context: images, archives, fonts.

The end of a run closes all descriptors. The next run opens the files again, under their old descriptor
numbers and at their old positions. Their objects stay as they are."""

import fcntl
import operator
import posix
from functools import partial
from _io import FileIO

from .steps import attempt

_LAST_STREAM = 2
_OWN_FOLDER = "/lib/belljar/"
_READING = posix.O_RDONLY
_ACCESS_MODE = posix.O_RDONLY | posix.O_WRONLY | posix.O_RDWR
_GET_FLAGS = fcntl.F_GETFL
_control = fcntl.fcntl
_stat, _fstat, _path_of = posix.stat, posix.fstat, posix.readlink
_open, _duplicate, _close, _seek = posix.open, posix.dup2, posix.close, posix.lseek
_is_closed = operator.attrgetter("closed")
_number_of = operator.methodcaller("fileno")
_is_writable = operator.methodcaller("writable")
# Of each file: descriptor number, path and position.
_recorded = []


def _identity(status):
    return status.st_dev, status.st_ino


def _place_at(number):
    """Descriptor number, path and position of a file that its path still leads to; None for others."""
    if number <= _LAST_STREAM:
        return None
    path = _path_of(f"/proc/self/fd/{number}")
    if path.startswith(_OWN_FOLDER) or _identity(_stat(path)) != _identity(_fstat(number)):
        return None
    return number, path, _seek(number, 0, 1)


def _place_of(file):
    """The place of a file object that only reads; None for others."""
    return None if file.closed or file.mode != "rb" else _place_at(file.fileno())


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


def _record_others(numbers):
    recorded = {number for number, path, position in _recorded}
    for number in numbers:
        if number not in recorded:
            try:
                if _control(number, _GET_FLAGS) & _ACCESS_MODE == _READING:
                    place = _place_at(number)
                    if place is not None:
                        _recorded.append(place)
            except OSError:
                pass  # it is not open, or no file


def record_others(numbers):
    """The steps of recording the files that no object of Python has: those of C libraries, such as fonts, and
    bare descriptors. Takes the numbers to look at."""
    yield from attempt(partial(_record_others, numbers))


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
