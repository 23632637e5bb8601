"""Flushes and closes the files that a program leaves open."""

import gc
from _io import FileIO, TextIOWrapper, _BufferedIOBase, _IOBase
from posix import closerange as _close_range
from posix import posix_fadvise as _advise

# The host knows this number: advice on it fails while files are open.
_OPEN_FILES_DESCRIPTOR = 0x7FFF5EEE
_LAST_STREAM = 2
_DESCRIPTORS = 256
_collected = gc.get_objects


def _any_open():
    try:
        _advise(_OPEN_FILES_DESCRIPTOR, 0, 0, 0)
    except OSError:
        return True
    return False


def _rank(kind):
    """What writes into another file is closed before that one."""
    if issubclass(kind, TextIOWrapper):
        return 0
    if issubclass(kind, FileIO):
        return 3
    return 2 if kind.__module__ == "_io" and issubclass(kind, _BufferedIOBase) else 1


def _finish(file):
    try:
        if file.closed:
            return
        if file.fileno() > _LAST_STREAM:
            file.close()
        else:
            file.flush()
    except Exception:
        pass  # it stands on no descriptor, or what was left in it cannot be written any more


def close_all():
    """Closes what stands on a descriptor other than the three streams'."""
    if not _any_open():
        return
    files = [found for found in _collected() if issubclass(type(found), _IOBase)]
    files.sort(key=lambda file: _rank(type(file)))
    for file in files:
        _finish(file)
    if _any_open():
        _close_range(_LAST_STREAM + 1, _DESCRIPTORS)
