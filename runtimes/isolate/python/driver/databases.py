"""Connections to databases in files stay usable from one run of a context to the next: what SQLite
holds open is closed with a run, as all files are, and opened again under its old number before the
next one."""

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
# Numbers and paths.
_held = []


def _paths_of(connection):
    """The files of a connection."""
    cursor = _make_cursor(connection)
    cursor.row_factory = None
    return [row[2] for row in _execute(cursor, "PRAGMA database_list").fetchall()]


def _identity(status):
    return status.st_dev, status.st_ino


def _numbers_of(paths):
    """The open descriptors of files, each with the path."""
    files = {}
    for path in paths:
        for end in _ENDS:
            try:
                files[_identity(_stat(path + end))] = path + end
            except OSError:
                pass  # no such file of the database is there
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
    """The steps of noting what the connections among objects hold open."""
    paths = []
    for found in objects:
        if issubclass(type(found), Connection):
            told = yield from attempt(partial(_paths_of, found), ())
            paths.extend(path for path in told if type(path) is str and path.startswith("/"))
    if paths:
        _held[:] = yield from attempt(partial(_numbers_of, paths), ())


def _reopen(held):
    for number, path in held:
        try:
            try:
                opened = _open(path, _WRITING)
            except OSError:
                opened = _open(path, _READING)
        except OSError:
            continue  # the file is gone, and the connection says so
        if opened != number:
            _duplicate(opened, number)
            _close(opened)


def give_back():
    """The steps of opening again what was noted when the run before ended."""
    if _held:
        held = list(_held)
        _held.clear()
        yield from attempt(partial(_reopen, held))


def let_logs_open():
    """Handlers of log files open theirs again when something is logged, to write on at its end."""
    for reference in _log_handlers:
        handler = reference()
        if isinstance(handler, _FileHandler) and handler.stream is not None and handler.stream.closed:
            handler.stream = None
            handler.mode = handler.mode.replace("w", "a")
