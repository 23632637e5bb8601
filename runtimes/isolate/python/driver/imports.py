"""Lets a run find files that came into /workspace since the interpreter last listed its folders.

Modules stay imported from one run of a context to the next, as in any session of Python: what
was changed is read by `importlib.reload`.
"""

import sys

_FOLDER = "/workspace"
_finders = sys.path_importer_cache


def forget_listings():
    """Called at the beginning of a run."""
    for path in [path for path in _finders if type(path) is str and path.startswith(_FOLDER)]:
        del _finders[path]
