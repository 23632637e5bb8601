"""Lets a run import files that were added to /workspace since the interpreter last listed it.

Modules stay imported across the runs of a context, as in any Python session; a program reads a
changed file with `importlib.reload`.
"""

import sys

_FOLDER = "/workspace"
_finders = sys.path_importer_cache


def forget_listings():
    """Called at the beginning of a run."""
    for path in [path for path in _finders if type(path) is str and path.startswith(_FOLDER)]:
        del _finders[path]
