"""Runs actions around the import of named modules."""

import sys
from importlib.machinery import PathFinder

_find = PathFinder.find_spec
_actions = {}


def _take_part(spec, action):
    """The modules of an archive share a loader, so the loader is as before when this one is executed."""
    loader = spec.loader
    execute = loader.exec_module

    def exec_module(module):
        if module.__spec__ is not spec:
            execute(module)
            return
        loader.__dict__.pop("exec_module", None)
        action(module, lambda: execute(module))

    loader.exec_module = exec_module


class _Finder:
    """Comes before the other finders, finds modules through PathFinder, and wraps their loaders."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        action = _actions.get(name)
        if action is None:
            return None
        spec = _find(name, path, target)
        if spec is not None and spec.loader is not None:
            _take_part(spec, action)
        return spec


def add(name, action):
    """Registers an action for the import of a module. It is called with the module and with a
    function that executes it."""
    if not _actions:
        sys.meta_path.insert(0, _Finder)
    _actions[name] = action
