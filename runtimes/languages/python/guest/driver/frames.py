"""Series of pandas, where it is installed. Unlike frames, they have no HTML of their own."""

import sys
from functools import partial

_modules = sys.modules
_bases_of = type.__dict__["__mro__"].__get__
_MODULE, _CLASS, _FRAME = "pandas", "Series", "to_frame"
_HTML = "_repr_html_"


def is_series(value):
    """The steps of telling whether a value is a series."""
    module = _modules.get(_MODULE)
    if module is None:
        return False
    series = yield partial(getattr, module, _CLASS, None)
    return any(base is series for base in _bases_of(type(value)))


def html_of(series):
    """The steps of making the HTML of a series: that of a frame with one column."""
    name = yield partial(getattr, series, "name", None)
    to_frame = yield partial(getattr, series, _FRAME)
    frame = yield partial(to_frame, name="" if name is None else name)
    method = yield partial(getattr, frame, _HTML)
    return (yield method)
