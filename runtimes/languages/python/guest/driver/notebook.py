"""What programs written for notebooks expect: the builtin `display`, the module `IPython.display`,
and figures of matplotlib that are displayed by `show`."""

import builtins
import os
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

from . import display_objects, displays, import_hooks, libraries, notebook_shell
from .notebook_shell import get_ipython

_PACKAGE, _CORE = "IPython", "IPython.core"
_DISPLAY, _CORE_DISPLAY = "IPython.display", "IPython.core.display"
_CLASSES = (
    display_objects.DisplayObject, display_objects.TextDisplayObject, display_objects.HTML,
    display_objects.Image, display_objects.JSON, display_objects.Latex, display_objects.Markdown,
    display_objects.SVG, displays.DisplayHandle,
)
_FUNCTIONS = (displays.clear_output, displays.display, displays.update_display)
_BACKEND, _OWN_BACKEND = b"MPLBACKEND", b"agg"
_ORIGIN = "built-in"
_modules = {}
_variables = os.environ._data


class NotebookFinder:
    """Stands behind the finders of modules, and finds what no other has."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in _modules:
            return None
        parent = name.rpartition(".")[0]
        if parent and sys.modules.get(parent) is not _modules[parent]:
            return None
        return ModuleSpec(name, NotebookFinder, origin=_ORIGIN, is_package=name in (_PACKAGE, _CORE))

    @staticmethod
    def create_module(spec):
        return _modules[spec.name]

    @staticmethod
    def exec_module(module):
        """The module is complete."""


def _make_module(name, doc, contents=()):
    module = _modules[name] = ModuleType(name, doc)
    for content in contents:
        setattr(module, content.__name__, content)
    parent, _, own_name = name.rpartition(".")
    if parent:
        setattr(_modules[parent], own_name, module)
    return module


def _make_stand_in():
    """The modules in place of IPython, for import only: nothing is imported yet."""
    contents = _CLASSES + _FUNCTIONS
    for content in contents:
        content.__module__ = _CORE_DISPLAY
    get_ipython.__module__ = _PACKAGE
    _make_module(_PACKAGE, "What notebooks use of IPython to display.", (get_ipython, displays.display))
    _make_module(_CORE, "Holds the older name of IPython.display.")
    for name in (_DISPLAY, _CORE_DISPLAY):
        module = _make_module(name, "Functions and classes to display rich content.", contents)
        module.__all__ = sorted(content.__name__ for content in contents)
    sys.meta_path.append(NotebookFinder)


def _join_ipython(module, execute):
    """IPython's own functions display in a shell only."""
    execute()
    for function in (displays.display, displays.clear_output):
        setattr(module, function.__name__, function)


def _choose_backend(module, execute):
    """The variable is read when the package is executed."""
    is_chosen = _BACKEND in _variables
    _variables.setdefault(_BACKEND, _OWN_BACKEND)
    try:
        libraries.with_configuration(module, execute)
    finally:
        if not is_chosen:
            _variables.pop(_BACKEND, None)


def _stay_open(self, warn=True):
    """Show the figure: all that are open are displayed when the run ends."""


def _join_pyplot(module, execute):
    execute()
    module.show = displays.show_figures
    figure = getattr(module, "Figure", None)
    if hasattr(figure, "show"):
        figure.show = _stay_open


def install(packages):
    """Puts everything in place. Called once, before the image is taken. Takes installed packages, each a
    name and a version."""
    names = {package.partition(" ")[0].lower() for package in packages}
    builtins.display = displays.display
    notebook_shell.install(packages)
    displays.show_figures.__module__, displays.show_figures.__name__ = "matplotlib.pyplot", "show"
    displays.show_figures.__qualname__ = "show"
    if "matplotlib" in names:
        import_hooks.add("matplotlib", _choose_backend)
        import_hooks.add("matplotlib.pyplot", _join_pyplot)
    if "ipython" in names:
        import_hooks.add("IPython.core.display_functions", _join_ipython)
    else:
        _make_stand_in()
