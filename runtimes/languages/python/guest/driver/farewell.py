"""Runs `__del__` of the objects in a program's variables when its process ends.

Objects with a `__del__` are released first, then other objects, then the classes, functions and
modules that a `__del__` may use. A run in a context keeps its variables for later runs.
"""

import gc
import sys
import types
from functools import partial

from .steps import attempt

_DESTRUCTOR = "__del__"
_LASTING = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType)
_bases_of = type.__dict__["__mro__"].__get__
_names_of = type.__dict__["__dict__"].__get__
_collect = gc.collect
_namespace = sys.modules["__main__"].__dict__


def _rank(kind):
    if any(_DESTRUCTOR in _names_of(base) for base in _bases_of(kind)):
        return 0
    return 2 if issubclass(kind, _LASTING) else 1


def _ranked_names():
    """Names of the program's variables in order of release. Keeps no reference to their values."""
    kinds = [(name, type(value)) for name, value in _namespace.items() if type(name) is str]
    ranks = [], [], []
    for name, kind in kinds:
        if not (name.startswith("__") and name.endswith("__")):
            ranks[_rank(kind)].append(name)
    return ranks


def steps(text):
    """The steps of releasing the values of a program's variables."""
    if _DESTRUCTOR not in text:
        return
    for names in _ranked_names():
        yield from attempt(partial(_namespace.update, dict.fromkeys(names)))
        yield from attempt(_collect)
