"""A dbm database in two plain files: `.dat` holds the values, `.dir` one line per key with the
offset and size of its value. `.bak` keeps the previous `.dir`."""

import ast
import io
import os
from collections.abc import MutableMapping

error = OSError
_BLOCK = 512


def _as_bytes(thing, what):
    if isinstance(thing, str):
        return thing.encode()
    if isinstance(thing, (bytes, bytearray)):
        return bytes(thing)
    raise TypeError(f"{what} must be bytes or strings")


class _Database(MutableMapping):
    def __init__(self, path, mode, flag):
        self._index = None
        self._mode = mode
        self._read_only = flag == "r"
        self._directory, self._data, self._backup = (f"{path}{end}" for end in (".dir", ".dat", ".bak"))
        self._changed = False
        if flag == "n":
            for name in (self._data, self._backup, self._directory):
                if os.path.exists(name):
                    os.remove(name)
        if not os.path.exists(self._data):
            if flag not in "cn":
                raise error("need 'c' or 'n' flag to open new db")
            self._new_file(self._data).close()
        self._index = self._read_index(flag)

    def _new_file(self, path):
        file = io.open(path, "w", encoding="latin-1")
        os.chmod(path, self._mode)
        return file

    def _read_index(self, flag):
        try:
            with io.open(self._directory, encoding="latin-1") as file:
                lines = [line.rstrip() for line in file]
        except OSError:
            if flag not in "cn":
                raise
            self._changed = True
            return {}
        pairs = (ast.literal_eval(line) for line in lines if line)
        return {key.encode("latin-1"): place for key, place in pairs}

    def _check_open(self):
        if self._index is None:
            raise error("DBM object has already been closed")

    def _check_writable(self):
        if self._read_only:
            raise error("The database is opened for reading only")
        self._check_open()

    def sync(self):
        if self._index is None or not self._changed:
            return
        if os.path.exists(self._directory):
            os.replace(self._directory, self._backup)
        with self._new_file(self._directory) as file:
            for key, place in self._index.items():
                file.write(f"{key.decode('latin-1')!r}, {place!r}\n")
        self._changed = False

    def __getitem__(self, key):
        key = _as_bytes(key, "keys")
        self._check_open()
        at, size = self._index[key]
        with io.open(self._data, "rb") as file:
            file.seek(at)
            return file.read(size)

    def _put(self, value, place):
        """Overwrites the old value if the new one needs no more blocks, else appends. Returns the place."""
        with io.open(self._data, "rb+") as file:
            at = None
            if place is not None and -(-len(value) // _BLOCK) <= -(-place[1] // _BLOCK):
                at = place[0]
            if at is None:
                at = -(-file.seek(0, os.SEEK_END) // _BLOCK) * _BLOCK
                file.write(bytes(at - file.tell()))
            file.seek(at)
            file.write(value)
        return at, len(value)

    def __setitem__(self, key, value):
        self._check_writable()
        key, value = _as_bytes(key, "keys"), _as_bytes(value, "values")
        self._changed = True
        self._index[key] = self._put(value, self._index.get(key))

    def __delitem__(self, key):
        self._check_writable()
        del self._index[_as_bytes(key, "keys")]
        self._changed = True
        self.sync()

    def __contains__(self, key):
        self._check_open()
        return _as_bytes(key, "keys") in self._index

    def __iter__(self):
        self._check_open()
        return iter(self._index)

    def keys(self):
        return list(iter(self))

    def items(self):
        return [(key, self[key]) for key in self]

    def __len__(self):
        self._check_open()
        return len(self._index)

    def close(self):
        try:
            self.sync()
        finally:
            self._index = None

    def __enter__(self):
        return self

    def __exit__(self, *details):
        self.close()

    def __del__(self):
        self.close()


def open(file, flag="c", mode=0o666):
    """Opens a database, as `dbm.open` does; "c" and "n" create an absent one, "r" and "w" do not."""
    if flag not in ("r", "w", "c", "n"):
        raise ValueError("Flag must be one of 'r', 'w', 'c', or 'n'")
    umask = os.umask(0)
    os.umask(umask)
    return _Database(os.fsdecode(file), mode & ~umask, flag)
