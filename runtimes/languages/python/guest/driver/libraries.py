"""How packages meet a machine without network, processes, threads and foreign functions, where they would fail
or warn at their import."""

import functools
import os
import posix
import sys
import warnings

from . import displays, figures, import_hooks

_variables = os.environ._data
_CONFIGURATION = b"MPLCONFIGDIR", b"/tmp/matplotlib"
_PLOTLY_RENDERER = b"PLOTLY_RENDERER", b"plotly_mimetype"
# The list of fonts that the build made.
FONT_LISTS = "/lib/belljar/fonts"


def _with_variable(name, value, execute):
    """Executes a module that reads a variable of the environment; a value of the program comes first."""
    is_set = name in _variables
    _variables.setdefault(name, value)
    try:
        execute()
    finally:
        if not is_set:
            _variables.pop(name, None)


def _without_processes(module, execute):
    """joblib warns where it finds processes and cannot use them."""
    _with_variable(b"JOBLIB_MULTIPROCESSING", b"0", execute)


def _without_browser(module, execute):
    """urllib3 takes this machine for a browser's, and its own module for one would be in charge."""
    module.inject_into_urllib3 = lambda: None


def _quietly(module, execute):
    """urllib3 warns where `ssl` is not made by OpenSSL. Here it has no network to protect."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        execute()


def _without_libraries(module, execute):
    """threadpoolctl looks for libraries that are loaded, and warns that it cannot look."""
    execute()
    module.ThreadpoolController._find_libraries_with_dl_iterate_phdr = lambda self: None


def with_configuration(module, execute):
    """Executes matplotlib, whose configuration and caches are temporary files. It reads the names of their
    folders once."""

    def execute_and_read():
        execute()
        for name in ("get_configdir", "get_cachedir"):
            getattr(module, name, int)()

    _with_variable(*_CONFIGURATION, execute_and_read)


def _with_one_warning(module, execute):
    """matplotlib warns of each missing glyph each time it draws one."""
    execute()
    module.warn_on_missing_glyph = figures.warn_of_glyph


def _with_script_warning(module, execute):
    """matplotlib says nothing of scripts whose letters are joined and go from right to left."""
    execute()
    renderer = module.RendererAgg
    draw_text = renderer.draw_text

    @functools.wraps(draw_text)
    def draw_and_warn(self, gc, x, y, s, *args, **kwargs):
        figures.warn_of_text(s)
        return draw_text(self, gc, x, y, s, *args, **kwargs)

    renderer.draw_text = draw_and_warn


def _with_bundles(module, execute):
    """plotly shows figures in a browser where there is no notebook. Here it shows the bundle of a figure, as in
    a notebook; a renderer that a program chooses comes first."""
    _with_variable(*_PLOTLY_RENDERER, execute)
    show_elsewhere = module.show

    def show(fig, renderer=None, validate=True, **kwargs):
        content = module.validate_coerce_fig_to_dict(fig, validate)
        bundle = module.renderers._build_mime_bundle(content, renderers_string=renderer, **kwargs)
        if not bundle:
            show_elsewhere(fig, renderer, validate, **kwargs)
            return
        if "text/html" not in bundle:
            to_html = sys.modules["plotly.io"].to_html
            config = kwargs.get("config")
            bundle["text/html"] = to_html(
                content, config=config, full_html=False, include_plotlyjs="cdn", validate=False
            )
        displays.display(bundle, raw=True)

    show.__doc__, show.__module__ = show_elsewhere.__doc__, show_elsewhere.__module__
    module.show = show


def _copy(source, target):
    with open(source, "rb") as file, open(target, "xb") as copy:
        copy.write(file.read())


def _with_fonts(module, execute):
    """The search for fonts takes seconds; the build has done it."""
    try:
        folder = __import__("matplotlib").get_cachedir()
        for name in posix.listdir(FONT_LISTS):
            _copy(f"{FONT_LISTS}/{name}", f"{folder}/{name}")
    except OSError:
        pass  # it is there, or matplotlib makes it
    execute()


# By package: modules, and what happens around their import.
_ACTIONS = {
    "joblib": (("joblib._multiprocessing_helpers", _without_processes),),
    "matplotlib": (
        ("matplotlib.font_manager", _with_fonts), ("matplotlib._text_helpers", _with_one_warning),
        ("matplotlib.backends.backend_agg", _with_script_warning),
    ),
    "plotly": (("plotly.io._renderers", _with_bundles),),
    "threadpoolctl": (("threadpoolctl", _without_libraries),),
    "urllib3": (("urllib3", _quietly), ("urllib3.contrib.emscripten", _without_browser)),
}


def install(packages):
    """Called once, before the image is taken. Takes installed packages, each a name and a version."""
    for package in packages:
        for module, action in _ACTIONS.get(package.partition(" ")[0].lower(), ()):
            import_hooks.add(module, action)
