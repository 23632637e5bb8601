"""Native modules of the operator's wheels, and the modules that are in the image from the start.

Run in the interpreter once the driver is loaded, and only where there is something for it to do; `given`
is JSON of the paths of native modules and of the names of modules to import.

The native modules are part of the interpreter, and nothing else is. A file with a line of text stands
where each one's `.so` would be, so that finders and the loader of extension modules do what they do
elsewhere. The C library's `dlopen` asks the host, which knows the paths of these files and the places of
their init functions, and no others.
"""

import _imp
import gc
import importlib
import json
import posix
import sys

_loaded = json.loads(given)
_paths = frozenset(_loaded["paths"])
_create_dynamic = sys.belljar_create_dynamic
del sys.belljar_create_dynamic


class PreloadError(Exception):
    """A module that cannot be imported."""


def create_dynamic(spec, file=None):
    """Create an extension module."""
    if type(spec.origin) is str and spec.origin in _paths:
        return _create_dynamic(spec)
    raise ImportError("native extension modules cannot be loaded here", name=spec.name)


def _define_model(pydantic):
    """pydantic imports most of itself, and looks for plugins, when the first model is made."""
    model = pydantic.create_model("Model", field=(int, pydantic.Field(ge=0)))
    pydantic.TypeAdapter(list[model]).validate_json('[{"field": 1}]')


# What a package does once, when it is first used.
_FIRST_USES = {"pydantic": _define_model}


def _preload(names):
    """Imports what is to be in the image."""
    for name in names:
        try:
            module = importlib.import_module(name)
            _FIRST_USES.get(name, id)(module)
        except BaseException as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise PreloadError(f"{name} cannot be imported: {reason}") from None


def _seeded(begin, mtrand, numpy):
    """The driver's `begin`, with numpy's global generator seeded before the first run.

    The generator is in the image, so all runs would get the same numbers from it. Imported by a run, it
    is seeded then, and so it is here: later runs of a context go on with its state."""
    seed, frombuffer, word, random_bytes = mtrand._rand.seed, numpy.frombuffer, numpy.uint32, posix.urandom
    fresh = [True]

    def begin_seeded(request):
        if fresh:
            fresh.clear()
            seed(frombuffer(random_bytes(32), word))
        return begin(request)

    return begin_seeded


create_dynamic.__module__ = "_imp"
_imp.create_dynamic = create_dynamic
_preload(_loaded["names"])
if "numpy.random.mtrand" in sys.modules:
    # The host takes it away from here.
    sys.belljar_begin = _seeded(sys.belljar_begin, sys.modules["numpy.random.mtrand"], sys.modules["numpy"])
gc.collect()
gc.freeze()
