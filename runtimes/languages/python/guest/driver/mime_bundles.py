"""What a value shows of itself: MIME types with their content, by the methods that notebooks look
for on the class of a value."""

import json
import re
from _json import encode_basestring, make_encoder
from binascii import b2a_base64
from functools import partial
from types import FunctionType

from . import figures, frames
from .display_objects import DisplayObject
from .steps import Raised

PLAIN = "text/plain"
_HTML = "text/html"
_JSON = "application/json"
_PNG = "image/png"
_SVG = "image/svg+xml"
_BUNDLE_METHOD = "_repr_mimebundle_"
_METHODS = (
    ("_repr_html_", _HTML),
    ("_repr_markdown_", "text/markdown"),
    ("_repr_svg_", _SVG),
    ("_repr_png_", _PNG),
    ("_repr_jpeg_", "image/jpeg"),
    ("_repr_latex_", "text/latex"),
    ("_repr_json_", _JSON),
)
_KINDS_WITHOUT = (
    type(None), bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset,
    range, type, FunctionType, type(len), type(json),
)
_METHOD_NAMES = frozenset(name for name, _ in _METHODS) | {_BUNDLE_METHOD}
# Known by their ids: a class can have a hash of the guest's own.
_ids_without = frozenset(map(id, _KINDS_WITHOUT))
# They tell nothing but the name of the class.
_SILENT_REPRS = (object.__repr__, DisplayObject.__repr__)
# The host takes a type and a subtype, so many types together, and so many levels of JSON.
_is_media_type = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}"
).fullmatch
_MOST_TYPES = 32
_MOST_LEVELS = 250
_find_brackets = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]').finditer
_TAKES_ANY_NAME = 8
_INCLUDE = "include"
_bases_of = type.__dict__["__mro__"].__get__
_names_of = type.__dict__["__dict__"].__get__
_whole = slice(None)
quoted = encode_basestring


def _refuse_constant(name):
    raise ValueError(name)


_decode_json = json.JSONDecoder(parse_constant=_refuse_constant).decode


def _refuse(value):
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def _check_levels(text):
    """Raises ValueError for JSON that is nested too deep."""
    if text.count("[") + text.count("{") <= _MOST_LEVELS:
        return
    level = 0
    for found in _find_brackets(text):
        if found[0] in "[{":
            level += 1
            if level > _MOST_LEVELS:
                raise ValueError(f"JSON of more than {_MOST_LEVELS} levels cannot be displayed")
        elif found[0] in "]}":
            level -= 1


def json_of(value):
    """The steps of making JSON text of a guest's value."""
    # markers, default, encoder, indent, key separator, item separator, sort, skip keys, NaN
    encoder = make_encoder({}, _refuse, encode_basestring, None, ":", ",", False, False, False)
    text = "".join((yield partial(encoder, value, 0)))
    _check_levels(text)
    return text


class Bundle:
    """What is shown: JSON text by MIME type, and metadata, which are the guest's own objects."""

    __slots__ = ("data", "metadata", "is_wanted")

    def __init__(self, is_wanted):
        self.data = {}
        self.metadata = {}
        self.is_wanted = is_wanted

    def lacks(self, mime):
        """Whether a type is wanted and not there yet."""
        return mime not in self.data and self.is_wanted(mime)

    def add(self, mime, content):
        """The steps of adding a type; None and what is neither text nor bytes are nothing."""
        text = yield from _shown(mime, content)
        if text is None:
            return
        if not _is_media_type(mime):
            raise ValueError(f"{mime!r} is not a MIME type")
        self.data[mime] = text
        if len(self.data) > _MOST_TYPES:
            raise ValueError(f"more than {_MOST_TYPES} MIME types cannot be displayed together")

    def add_metadata(self, given):
        """Adds metadata by their names, to what is there of the same name."""
        if not issubclass(type(given), dict):
            return
        for name, value in list(dict.items(given)):
            if not issubclass(type(name), str):
                continue
            name = str.__str__(name)
            known = self.metadata.get(name)
            if issubclass(type(value), dict) and issubclass(type(known), dict):
                value = {**dict(dict.items(known)), **dict(dict.items(value))}
            self.metadata[name] = value

    def add_all(self, given):
        """The steps of adding a guest's dict of types."""
        for mime, content in list(dict.items(given)):
            if issubclass(type(mime), str):
                mime = str.__str__(mime)
                if self.is_wanted(mime):
                    yield from self.add(mime, content)

    def is_rich(self):
        """Whether it has more than text and JSON."""
        return any(mime != PLAIN and mime != _JSON for mime in self.data)


def _is_json(mime):
    return mime == _JSON or mime.endswith("+json")


def _is_image(mime):
    return mime.startswith("image/") and mime != _SVG


def _shown(mime, content):
    """The steps of making JSON text of a content; None for what shows nothing."""
    if issubclass(type(content), str):
        text = str.__str__(content)
        return quoted("".join(text.split()) if _is_image(mime) else text)
    if issubclass(type(content), bytes):
        encoded = b2a_base64(bytes.__getitem__(content, _whole), newline=False)
        return f'"{encoded.decode("ascii")}"'
    if content is None or not _is_json(mime):
        return None
    return (yield from json_of(content))


def shows_more(value):
    """Whether a value may show more than its text: a quick look, as most show no more."""
    kind = type(value)
    if id(kind) in _ids_without:
        return False
    for base in _bases_of(kind):
        if _names_of(base).keys() & _METHOD_NAMES:
            return True
    return figures.are_there()


def _found(kind, name):
    """What a class has of a name, in itself and its bases."""
    for base in _bases_of(kind):
        names = _names_of(base)
        if name in names:
            return names[name]
    return None


def _method_of(value, name):
    """The steps of finding a method of the class of a value; None when it has none."""
    found = _found(type(value), name)
    if type(found) is FunctionType:
        return partial(found, value)
    get = None if found is None else _found(type(found), "__get__")
    if get is not None:
        try:
            found = yield partial(get, found, value, type(value))
        except Raised as raised:
            if not issubclass(type(raised.error), AttributeError):
                raise
            return None
    return found if callable(found) else None


def _called(method):
    """The steps of calling a method; one that is not implemented gives nothing."""
    try:
        return (yield method)
    except Raised as raised:
        if not issubclass(type(raised.error), NotImplementedError):
            raise
        return None


def _knows_include(method):
    function = method.func if type(method) is partial else None
    if type(function) is not FunctionType:
        return True
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return bool(code.co_flags & _TAKES_ANY_NAME) or _INCLUDE in names


def _with_metadata(given):
    """Content and metadata: methods give the one, or a tuple of both."""
    if issubclass(type(given), tuple) and tuple.__len__(given) == 2:
        return tuple.__getitem__(given, 0), tuple.__getitem__(given, 1)
    return given, None


def _add_bundle(bundle, value):
    method = yield from _method_of(value, _BUNDLE_METHOD)
    if method is None:
        return
    if _knows_include(method):
        method = partial(method, include=None, exclude=None)
    given, metadata = _with_metadata((yield from _called(method)))
    if issubclass(type(given), dict):
        yield from bundle.add_all(given)
        bundle.add_metadata(metadata)


def _read_json(content):
    """A text of JSON is read; any other stays a text."""
    if not issubclass(type(content), str):
        return content
    try:
        return _decode_json(str.__str__(content))
    except ValueError:
        return content


def _add_method(bundle, value, name, mime):
    method = yield from _method_of(value, name)
    if method is None:
        return
    content, metadata = _with_metadata((yield from _called(method)))
    yield from bundle.add(mime, _read_json(content) if mime == _JSON else content)
    if mime in bundle.data and issubclass(type(metadata), dict):
        bundle.add_metadata({mime: metadata})


def is_any(mime):
    """Wants every type."""
    return True


def of_value(value, is_wanted=is_any, is_figure=False):
    """The steps of making the bundle of a value, without its text."""
    bundle = Bundle(is_wanted)
    if not is_figure and not shows_more(value):
        return bundle
    yield from _add_bundle(bundle, value)
    for name, mime in _METHODS:
        if bundle.lacks(mime):
            yield from _add_method(bundle, value, name, mime)
    if bundle.lacks(_HTML) and (yield from frames.is_series(value)):
        yield from bundle.add(_HTML, (yield from frames.html_of(value)))
    if bundle.lacks(_PNG) and (is_figure or (yield from figures.is_figure(value))):
        yield from bundle.add(_PNG, (yield from figures.png_of(value)))
    return bundle


def has_text(bundle, value):
    """Whether the text of a value belongs to its bundle: there is no other, or it tells something."""
    if not bundle.lacks(PLAIN):
        return False
    return not bundle.data or _found(type(value), "__repr__") not in _SILENT_REPRS

