"""Key-value databases in files. The content of a file decides between `dbm.sqlite3` and `dbm.dumb`.

The interface is that of CPython's module, which Pyodide's library lacks.
"""

import importlib
import os

__all__ = ["open", "whichdb", "error"]


class error(Exception):
    """Raised by this module itself, not by a database."""


error = (error, OSError)
_default = "dbm.sqlite3"
_SQLITE_HEAD = b"SQLite format 3\0"
_ABSENT = "db file doesn't exist; use 'c' or 'n' flag to create a new db"


def open(file, flag="r", mode=0o666):
    """Opens the database at a path: for reading ("r"), for reading and writing ("w"), for both and
    created if it does not exist ("c"), or always as a new, empty one ("n")."""
    kind = _default if "n" in flag else whichdb(file)
    if kind is None:
        if "c" not in flag:
            raise error[0](_ABSENT)
        kind = _default
    elif kind == "":
        raise error[0]("db type could not be determined")
    elif kind not in ("dbm.sqlite3", "dbm.dumb"):
        raise error[0](f"db type is {kind}, but the module is not available")
    return importlib.import_module(kind).open(file, flag, mode)


def _first_bytes(path, count):
    try:
        with io_open(path, "rb") as file:
            return file.read(count)
    except OSError:
        return None


def whichdb(filename):
    """The name of the module that can open the database at a path; "" if the file is not a
    database, None if there is no file."""
    path = os.fsdecode(filename)
    if os.path.isfile(f"{path}.dat") and os.path.isfile(f"{path}.dir"):
        head = _first_bytes(f"{path}.dir", 1)
        if head in (b"", b"'", b'"'):
            return "dbm.dumb"
    head = _first_bytes(path, len(_SQLITE_HEAD))
    if head is None:
        return None
    return "dbm.sqlite3" if head == _SQLITE_HEAD else ""


from io import open as io_open  # this module defines `open` itself
