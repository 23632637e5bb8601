"""Lets a run import again what was changed in /workspace since an earlier run imported it.

When any file that a module was read from is not what it was, all modules of /workspace are
forgotten: what imported the changed one must see it too. Names that the program has bound keep
what they are bound to.
"""

import importlib.machinery
import posix
import sys
import types

_FOLDER = "/workspace/"
_Loader = importlib.machinery.SourceFileLoader
_read = _Loader.get_data
_modules = sys.modules
_finders = sys.path_importer_cache
_main = sys.modules["__main__"]
# By path: size and hash of what was read.
_contents = {}


def _mark(data):
    return (len(data), hash(data))


def _get_data(self, path):
    """Return the data from path as raw bytes."""
    data = _read(self, path)
    if type(path) is str and path.startswith(_FOLDER):
        _contents[path] = _mark(data)
    return data


def _current(path):
    try:
        descriptor = posix.open(path, posix.O_RDONLY)
    except OSError:
        return None
    try:
        return _mark(posix.read(descriptor, posix.fstat(descriptor).st_size))
    except OSError:
        return None  # a directory stands there now
    finally:
        posix.close(descriptor)


def _is_of_workspace(module):
    if type(module) is not types.ModuleType or module is _main:
        return False
    file = module.__dict__.get("__file__")
    return type(file) is str and file.startswith(_FOLDER)


def forget_changed():
    """Called at the beginning of a run."""
    for path in [path for path in _finders if type(path) is str and path.startswith("/workspace")]:
        del _finders[path]
    if all(_current(path) == mark for path, mark in _contents.items()):
        return
    _contents.clear()
    for name in [name for name, module in _modules.items() if _is_of_workspace(module)]:
        del _modules[name]


def install():
    """Puts the reading of modules in place. Called once, before the image is taken."""
    _Loader.get_data = _get_data
