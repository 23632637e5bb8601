"""Displays: what a program shows besides its text. Each goes to the host as a line of JSON, written
to a device."""

import posix
import sys
from functools import partial

from . import exits, figures, mime_bundles
from .steps import Raised
from .values import TEXT

_DEVICE = "/dev/display"
_WRITING = posix.O_WRONLY
_open, _write, _close = posix.open, posix.write, posix.close
_random = posix.urandom
_ID_BYTES = 16
# The module of drawings, and its function that displays the part of a drawing that was not displayed yet.
_TURTLE, _SHOW_DRAWING = "turtle", "_show_drawing"
_modules = sys.modules


def write_line(line):
    """Displays a line."""
    number = _open(_DEVICE, _WRITING)
    try:
        rest = memoryview(line)
        while rest:
            rest = rest[_write(number, rest) :]
    finally:
        _close(number)


def _line_of(bundle, is_main=False):
    """The steps of making the line of a bundle."""
    parts = []
    for mime, text in bundle.data.items():
        # The newline ends what the program itself may have written to the device.
        parts += ("," if parts else '\n{"data":{'), mime_bundles.quoted(mime), ":", text
    parts.append("}")
    if bundle.metadata:
        parts += ',"metadata":', (yield from mime_bundles.json_of(bundle.metadata))
    parts.append(',"main":true}\n' if is_main else "}\n")
    # Only strings hold anything but ASCII, and there a lone surrogate's escape is JSON's own.
    return "".join(parts).encode("utf-8", "backslashreplace")


def _show(bundle):
    """The steps of displaying a bundle, unless there is nothing in it."""
    if bundle.data:
        yield partial(write_line, (yield from _line_of(bundle)))


def _show_value(value, is_wanted, metadata=None, is_figure=False):
    bundle = yield from mime_bundles.of_value(value, is_wanted, is_figure)
    if mime_bundles.has_text(bundle, value):
        yield from bundle.add(mime_bundles.PLAIN, (yield partial(repr, value)))
    bundle.add_metadata(metadata)
    yield from _show(bundle)


def _show_types(given, is_wanted, metadata):
    if not issubclass(type(given), dict):
        raise TypeError(f"display(raw=True) takes dicts of MIME types, not {type(given).__name__}")
    bundle = mime_bundles.Bundle(is_wanted)
    yield from bundle.add_all(given)
    bundle.add_metadata(metadata)
    yield from _show(bundle)


def _show_figures(shown=None):
    """The steps of displaying the open figures but one, and of closing all."""
    failure = None
    try:
        for figure in (yield from figures.open_figures()):
            if figure is not shown:
                yield from _show_value(figure, mime_bundles.is_any, is_figure=True)
    except (Exception, Raised) as error:
        failure = error
    yield from figures.close_all()
    if failure is not None:
        raise failure


def _show_drawing():
    """The steps of displaying the drawing of turtles."""
    show = yield partial(getattr, _modules[_TURTLE], _SHOW_DRAWING, None)
    if callable(show):
        yield show


def _main_line(value, answer):
    """The steps of making the line of a run's value; None when it shows no more than the answer."""
    bundle = yield from mime_bundles.of_value(value)
    if not bundle.is_rich():
        return None
    if answer.startswith(TEXT) and mime_bundles.has_text(bundle, value):
        text = answer[len(TEXT) :].decode("utf-8", "surrogatepass")
        yield from bundle.add(mime_bundles.PLAIN, text)
    return (yield from _line_of(bundle, is_main=True))


def end_run(value, answer):
    """The steps of displaying the figures and the drawing of a run; gives the line of its value, which comes
    last, if this has more to show than text and JSON. Takes what the answer shows of the value."""
    try:
        return (yield from _end_run(value, answer))
    finally:
        figures.end_run()


def _end_run(value, answer):
    line = None
    if exits.is_under_way():
        return line
    if mime_bundles.shows_more(value):
        line = yield from _main_line(value, answer)
    if figures.are_there():
        yield from _show_figures(shown=value)
    if _TURTLE in _modules:
        yield from _show_drawing()
    return line


def end_failed_run():
    """The steps of displaying the figures and the drawing of a run that has failed; one failure is enough."""
    if not exits.is_under_way():
        try:
            if figures.are_there():
                yield from _show_figures()
            if _TURTLE in _modules:
                yield from _show_drawing()
        except (Exception, Raised):
            pass  # the run's own error is told
    figures.end_run()


def _take(steps):
    """Takes steps, one after the other, in the middle of a program."""
    failure = None
    try:
        step = steps.send(None)
        while True:
            try:
                value = step()
            except BaseException as error:
                step = steps.throw(Raised(error))
            else:
                step = steps.send(value)
    except StopIteration:
        return
    except Raised as raised:
        failure = raised.error
    raise failure


def _types(given):
    return frozenset((given,) if isinstance(given, str) else given or ())


class DisplayHandle:
    """What `display` gives for a `display_id`. Nothing that was displayed changes: each update is
    a display of its own."""

    def __init__(self, display_id=None):
        self.display_id = _random(_ID_BYTES).hex() if display_id is None else display_id

    def __repr__(self):
        return f"<{type(self).__name__} display_id={self.display_id}>"

    def display(self, obj, **kwargs):
        """Displays an object."""
        display(obj, **kwargs)

    def update(self, obj, **kwargs):
        """Displays an object."""
        display(obj, **kwargs)


def display(
    *objs, include=None, exclude=None, metadata=None, transient=None, display_id=None, raw=False,
    clear=False, **kwargs,
):
    """Display objects, each as all that it shows of itself: `_repr_mimebundle_`, `_repr_html_`,
    `_repr_markdown_`, `_repr_svg_`, `_repr_png_`, `_repr_jpeg_`, `_repr_latex_`, `_repr_json_`; and its
    text.

    With raw=True, objects are dicts from MIME types to content. `include` and `exclude` choose among
    the types, `metadata` goes with them. Other options are taken and have no effect.
    """
    included, excluded = _types(include), _types(exclude)

    def is_wanted(mime):
        return mime not in excluded and (include is None or mime in included)

    show = _show_types if raw else _show_value
    for value in objs:
        _take(show(value, is_wanted, metadata))
    if display_id:
        return DisplayHandle(None if display_id is True else display_id)


def update_display(obj, *, display_id, **kwargs):
    """Displays an object; what was displayed before stays."""
    display(obj, **kwargs)


def clear_output(wait=False):
    """Has no effect: what was displayed stays."""


def show_figures(*args, **kwargs):
    """Display all open figures, and close them."""
    _take(_show_figures())
