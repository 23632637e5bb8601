"""What a program's own objects do when its process ends: `__del__` of what its variables hold.

Objects go before the classes, functions and modules that their `__del__` uses, and those that have
one before others. A run in a context leaves its variables to the runs that follow.
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
    """Names of the program's variables, in the order that they go in. None of their values is held."""
    kinds = [(name, type(value)) for name, value in _namespace.items() if type(name) is str]
    ranks = [], [], []
    for name, kind in kinds:
        if not (name.startswith("__") and name.endswith("__")):
            ranks[_rank(kind)].append(name)
    return ranks


def steps(text):
    """The steps of letting go what a program's variables hold."""
    if _DESTRUCTOR not in text:
        return
    for names in _ranked_names():
        yield from attempt(partial(_namespace.update, dict.fromkeys(names)))
        yield from attempt(_collect)
