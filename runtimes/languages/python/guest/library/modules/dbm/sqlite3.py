"""A dbm database in an SQLite file: one table of keys and values."""

import os
import sqlite3
from collections.abc import MutableMapping
from pathlib import Path

_MODES = {"r": "ro", "w": "rw", "c": "rwc", "n": "rwc"}
_TABLE = "CREATE TABLE IF NOT EXISTS Dict (key BLOB UNIQUE NOT NULL, value BLOB NOT NULL)"


class error(OSError):
    """Raised by a database."""


def _as_blob(thing):
    if isinstance(thing, (bytes, bytearray, memoryview)):
        return bytes(thing)
    return str(thing).encode()


class _Database(MutableMapping):
    def __init__(self, path, *, flag, mode):
        if flag not in _MODES:
            raise ValueError(f"Flag must be one of 'r', 'w', 'c', or 'n', not {flag!r}")
        if flag == "n":
            Path(path).unlink(missing_ok=True)
        if flag in "cn":
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, mode))
        uri = f"{Path(path).absolute().as_uri()}?mode={_MODES[flag]}"
        try:
            self._connection = sqlite3.connect(uri, autocommit=True, uri=True)
        except sqlite3.Error as problem:
            raise error(str(problem)) from problem
        if flag != "r":
            self._ask("PRAGMA journal_mode = OFF")
            self._ask(_TABLE)

    def _ask(self, statement, *values):
        if self._connection is None:
            raise error("DBM object has already been closed")
        try:
            return self._connection.execute(statement, values)
        except sqlite3.Error as problem:
            raise error(str(problem)) from problem

    def __len__(self):
        return self._ask("SELECT COUNT(*) FROM Dict").fetchone()[0]

    def __getitem__(self, key):
        row = self._ask("SELECT value FROM Dict WHERE key = ?", _as_blob(key)).fetchone()
        if row is None:
            raise KeyError(key)
        return row[0]

    def __setitem__(self, key, value):
        self._ask("REPLACE INTO Dict (key, value) VALUES (?, ?)", _as_blob(key), _as_blob(value))

    def __delitem__(self, key):
        if self._ask("DELETE FROM Dict WHERE key = ?", _as_blob(key)).rowcount == 0:
            raise KeyError(key)

    def __iter__(self):
        for (key,) in self._ask("SELECT key FROM Dict"):
            yield key

    def keys(self):
        return list(super().keys())

    def close(self):
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __enter__(self):
        return self

    def __exit__(self, *details):
        self.close()


def open(filename, /, flag="r", mode=0o666):
    """Opens a database, as `dbm.open` does."""
    return _Database(os.fsdecode(filename), flag=flag, mode=mode)
