"""Prepares the interpreter before its image is taken."""

import gc
import marshal
import os
import sys

from . import additions, date_format, entry, errors, event_loop, executors, exits, hashes
from . import libraries, notebook, preload, restrictions, sources, word_size

_WARM_UP = """
import asyncio, dataclasses
@dataclasses.dataclass
class Point:
    x: int
    y: int = 0
async def main():
    await asyncio.sleep(0)
    return [Point(1), f"{3.5:.2f}"]
print(end="")
asyncio.run(main())
"""
_FAILING = "def f():\n    return [1][2]\ntry:\n    f()\nexcept IndexError as e:\n    raise KeyError('k') from e\n"


def _run(source):
    step = entry.begin(marshal.dumps((source, ("A", "1"), "run")))
    while type(step) is not bytes:
        try:
            value = step()
        except BaseException as error:
            step = entry.fail(error)
        else:
            step = entry.resume(value)
    entry.forget()


def _clean_main():
    namespace = sys.modules["__main__"].__dict__
    for name in list(namespace):
        if name not in ("__name__", "__doc__", "__loader__", "__spec__", "__builtins__"):
            del namespace[name]
    namespace["__doc__"] = None
    namespace["__file__"] = "/workspace/main.py"
    namespace["__package__"] = None


def prepare(packages):
    """Installs, loads and warms up everything."""
    notebook.install(packages)
    preload.load()
    additions.install()
    hashes.install()
    word_size.install()
    date_format.install()
    restrictions.install()
    sources.install()
    errors.install()
    exits.install()
    event_loop.install()
    executors.install()
    libraries.install(packages)
    entry.packages = tuple(packages)
    for source in (_WARM_UP + "1", _WARM_UP + "await main()", _FAILING, "1 +", "{1: 2}"):
        _run(source)
    sys.argv[:] = ["main.py"]
    sys.orig_argv[:] = ["python3", "main.py"]
    sources.forget_all()
    os.environ.clear()
    _clean_main()
    for name in [name for name in sys.modules if name.partition(".")[0] == __package__]:
        del sys.modules[name]
    sys.path_importer_cache.pop("/lib/belljar", None)
    gc.collect()
    gc.freeze()
    # The host takes these attributes and removes them.
    sys.belljar_begin, sys.belljar_resume, sys.belljar_fail = entry.begin, entry.resume, entry.fail
    sys.belljar_line = sources.line_of
