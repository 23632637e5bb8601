"""Figures of matplotlib, where it is installed: those that are open in pyplot, and their images."""

import sys
import warnings
from _io import BytesIO
from functools import partial

from .steps import Raised

_PYPLOT = "matplotlib.pyplot"
_FIGURE = "matplotlib.figure"
_modules = sys.modules
_bases_of = type.__dict__["__mro__"].__get__
# Whether the figures that are open have warned of a missing glyph.
_warned = []
_warn = warnings.warn_explicit


def are_there():
    """Whether there can be figures."""
    return _PYPLOT in _modules or _FIGURE in _modules


def is_figure(value):
    """The steps of telling whether a value is a figure."""
    for name in (_PYPLOT, _FIGURE):
        module = _modules.get(name)
        if module is not None:
            figure = yield partial(getattr, module, "Figure", None)
            if any(base is figure for base in _bases_of(type(value))):
                return True
    return False


def png_of(figure):
    """The steps of drawing a figure."""
    save = yield partial(getattr, figure, "savefig")
    buffer = BytesIO()
    try:
        yield partial(save, buffer, format="png", bbox_inches="tight")
    except Raised as raised:
        if not issubclass(type(raised.error), TypeError):
            raise
        # What is like a figure may know no boxes.
        buffer = BytesIO()
        yield partial(save, buffer, format="png")
    return buffer.getvalue() or None


def _function(name):
    """The steps of finding a function of pyplot; None where there is none."""
    pyplot = _modules.get(_PYPLOT)
    if pyplot is None:
        return None
    found = yield partial(getattr, pyplot, name, None)
    return found if callable(found) else None


def open_figures():
    """The steps of listing the figures that are open."""
    numbers_of = yield from _function("get_fignums")
    figure_of = yield from _function("figure")
    if numbers_of is None or figure_of is None:
        return ()
    figures = []
    for number in (yield partial(list, (yield numbers_of))):
        figures.append((yield partial(figure_of, number)))
    return figures


def warn_of_glyph(codepoint, fontnames):
    """Warns of a character that no font has; once for the figures that are open, however many are missing."""
    if _warned:
        return
    _warned.append(True)
    message = (
        f"No font here has the character {chr(codepoint)!a} of a figure: it is drawn as a box, and so are others"
        " that the fonts do not have. They have Latin, Greek and Cyrillic."
    )
    _warn(message, UserWarning, "matplotlib", 1, registry={})


def close_all():
    """The steps of closing them."""
    _warned.clear()
    close = yield from _function("close")
    if close is not None:
        yield partial(close, "all")
