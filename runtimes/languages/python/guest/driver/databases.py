"""Keeps SQLite connections to files usable across the runs of a context.

The end of a run closes all descriptors, SQLite's too. The next run opens SQLite's files again,
under their old descriptor numbers."""

import logging
import posix
import sqlite3
from functools import partial

from .steps import attempt

Connection = sqlite3.Connection
_make_cursor = Connection.cursor
_execute = sqlite3.Cursor.execute
_ENDS = ("", "-journal", "-wal")
_DESCRIPTORS = range(3, 256)
_WRITING, _READING = posix.O_RDWR, posix.O_RDONLY
_stat, _fstat = posix.stat, posix.fstat
_open, _duplicate, _close = posix.open, posix.dup2, posix.close
_log_handlers = logging._handlerList
_FileHandler = logging.FileHandler
# Pairs of descriptor number and path.
_held = []


def _paths_of(connection):
    """The paths of a connection's database files."""
    cursor = _make_cursor(connection)
    cursor.row_factory = None
    return [row[2] for row in _execute(cursor, "PRAGMA database_list").fetchall()]


def _identity(status):
    return status.st_dev, status.st_ino


def _numbers_of(paths):
    """Pairs of descriptor number and path, for the databases at these paths."""
    files = {}
    for path in paths:
        for end in _ENDS:
            try:
                files[_identity(_stat(path + end))] = path + end
            except OSError:
                pass  # the database has no such file now
    found = []
    for number in _DESCRIPTORS:
        try:
            path = files.get(_identity(_fstat(number)))
        except OSError:
            continue
        if path is not None:
            found.append((number, path))
    return found


def hold(objects):
    """The steps of recording the descriptors that connections among these objects have open."""
    paths = []
    for found in objects:
        if issubclass(type(found), Connection):
            told = yield from attempt(partial(_paths_of, found), ())
            paths.extend(path for path in told if type(path) is str and path.startswith("/"))
    if paths:
        _held[:] = yield from attempt(partial(_numbers_of, paths), ())


def held():
    """Pairs of descriptor number and path that are recorded."""
    return _held


def _reopen(held):
    for number, path in held:
        try:
            try:
                opened = _open(path, _WRITING)
            except OSError:
                opened = _open(path, _READING)
        except OSError:
            continue  # the file is gone; the connection reports that when it is used
        if opened != number:
            _duplicate(opened, number)
            _close(opened)


def give_back():
    """The steps of reopening the descriptors that the end of the previous run recorded."""
    if _held:
        held = list(_held)
        _held.clear()
        yield from attempt(partial(_reopen, held))


def let_logs_open():
    """Lets log handlers reopen their files, in append mode, at the next record."""
    for reference in _log_handlers:
        handler = reference()
        if isinstance(handler, _FileHandler) and handler.stream is not None and handler.stream.closed:
            handler.stream = None
            handler.mode = handler.mode.replace("w", "a")
