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
# Whether the run has warned of characters that are not drawn as they are written.
_warned = []
_warn_explicit = warnings.warn_explicit
# Ranges of characters, and the scripts that have no font.
_SCRIPTS = (
    (0x0900, 0x0DFF, "Indic"), (0x0E00, 0x0EFF, "Thai and Lao"), (0x2600, 0x27BF, "emoji"),
    (0x2E80, 0xA4CF, "Chinese, Japanese or Korean"), (0xAC00, 0xD7FF, "Chinese, Japanese or Korean"),
    (0xF900, 0xFAFF, "Chinese, Japanese or Korean"), (0xFE0F, 0xFE0F, "emoji"),
    (0xFE30, 0xFFEF, "Chinese, Japanese or Korean"), (0x1F000, 0x1FAFF, "emoji"),
    (0x20000, 0x3FFFF, "Chinese, Japanese or Korean"),
)


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


def _script_of(codepoint):
    """The name of a script that the fonts lack; None for other characters."""
    for first, last, script in _SCRIPTS:
        if first <= codepoint <= last:
            return script
    return None


def _warn(message):
    """Warns of characters that are not drawn as they are written: once in a run, however many they are."""
    if not _warned:
        _warned.append(True)
        _warn_explicit(message, UserWarning, "matplotlib", 1, registry={})


def warn_of_glyph(codepoint, fontnames):
    """Warns of a character that no font has."""
    script = _script_of(codepoint)
    lacks = f"The fonts have no {script} characters" if script else "The fonts do not have all characters"
    _warn(
        f"{lacks} of a figure: U+{codepoint:04X} and the like are drawn as boxes. The fonts are for Latin, Greek"
        " and Cyrillic."
    )


def warn_of_text(text):
    """Warns of letters that the fonts have, and that matplotlib neither joins nor draws from right to left."""
    if not text.isascii():
        for character in text:
            if "\u0590" <= character <= "\u08ff":
                script = "Hebrew" if character < "\u0600" else "Arabic"
                _warn(
                    f"The letters of {script} text of a figure are drawn apart and from left to right. The fonts are"
                    " for Latin, Greek and Cyrillic."
                )
                return


def end_run():
    """The next run may warn again."""
    _warned.clear()


def close_all():
    """The steps of closing them."""
    close = yield from _function("close")
    if close is not None:
        yield partial(close, "all")
