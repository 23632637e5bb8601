"""Native modules of the operator's wheels, and the modules that are preloaded into the image.

Runs in the interpreter after the driver is loaded, and only if there is a native module or a module to
preload; `given` is JSON with the paths of native modules and the names of modules to import.

The native modules are linked into the interpreter. A file with a line of text takes the place of each
`.so`, so that Python's finders and its loader of extension modules work unchanged. The C library's
`dlopen` asks the host, which knows only the paths of these files and the table indexes of their init
functions.
"""

import _imp
import gc
import importlib
import io
import json
import posix
import sys

_loaded = json.loads(given)
_paths = frozenset(_loaded["paths"])
_create_dynamic = sys.belljar_create_dynamic
del sys.belljar_create_dynamic


class PreloadError(Exception):
    """A module cannot be imported."""


def create_dynamic(spec, file=None):
    """Create an extension module."""
    if type(spec.origin) is str and spec.origin in _paths:
        return _create_dynamic(spec)
    raise ImportError("native extension modules cannot be loaded here", name=spec.name)


def _define_model(pydantic):
    """pydantic imports most of itself, and looks for plugins, when the first model is made."""
    model = pydantic.create_model("Model", field=(int, pydantic.Field(ge=0)))
    pydantic.TypeAdapter(list[model]).validate_json('[{"field": 1}]')


def _draw_figure(pyplot):
    """matplotlib finds fonts and imports what writes images when the first figure is drawn. The image has no
    open files, so the fonts are closed."""
    pyplot.plot([0, 1], label="a")
    pyplot.title("a")
    pyplot.legend()
    pyplot.savefig(io.BytesIO(), format="png", bbox_inches="tight")
    pyplot.close("all")
    sys.modules["matplotlib.font_manager"]._get_font.cache_clear()


# What a package does once, when it is first used.
_FIRST_USES = {"matplotlib.pyplot": _draw_figure, "pydantic": _define_model}


def _preload(names):
    """Imports the modules that the image holds."""
    for name in names:
        try:
            module = importlib.import_module(name)
            _FIRST_USES.get(name, id)(module)
        except BaseException as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise PreloadError(f"{name} cannot be imported: {reason}") from None


def _seeded(begin, mtrand, numpy):
    """The driver's `begin`, with numpy's global generator seeded before the first run.

    The generator is part of the image, so without this all runs would get the same numbers. Like a
    generator that a run imports, it is seeded once: later runs of a context continue its sequence."""
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
    # The host takes this attribute and removes it.
    sys.belljar_begin = _seeded(sys.belljar_begin, sys.modules["numpy.random.mtrand"], sys.modules["numpy"])
gc.collect()
gc.freeze()
