"""Maps the value of a program to its form in the answer: nothing, text or JSON."""

from _json import encode_basestring, encode_basestring_ascii, make_encoder
from functools import partial

from .steps import Raised

NONE = b"n"
TEXT = b"t"
JSON = b"j"
# Characters of a value's own form; the host cuts it at 64 KiB.
_MAX_REPR = slice(0, 65_540)


class NotJson(Exception):
    """The value cannot be represented in JSON without loss."""


def _refuse(value):
    raise NotJson


def _encoder(text):
    # markers, default, encoder, indent, key separator, item separator, sort, skip keys, NaN
    return make_encoder({}, _refuse, text, None, ": ", ", ", False, False, False)


def _key_text(key):
    kind = type(key)
    if issubclass(kind, str):
        return str.__str__(key)
    if key is True:
        return "true"
    if key is False:
        return "false"
    if key is None:
        return "null"
    if issubclass(kind, int):
        return int.__repr__(key)
    if issubclass(kind, float):
        return float.__repr__(key)
    raise NotJson


def _check_keys(value):
    """Raises NotJson if two keys of a dict are equal as strings."""
    waiting = [value]
    seen = set()
    while waiting:
        container = waiting.pop()
        if id(container) in seen:
            continue
        seen.add(id(container))
        if issubclass(type(container), dict):
            children = list(dict.values(container))
            if not all(type(key) is str for key in dict.keys(container)):
                names = [_key_text(key) for key in dict.keys(container)]
                if len(set(names)) != len(names):
                    raise NotJson
        elif issubclass(type(container), list):
            children = list.__iter__(container)
        else:
            children = tuple.__iter__(container)
        for child in children:
            if issubclass(type(child), (dict, list, tuple)):
                waiting.append(child)


def _encoding(value, text):
    """The step of encoding a value; its result is pieces of JSON."""
    return partial(_encoder(text), value, 0)


def as_json(value):
    """A value of the driver's own as JSON in UTF-8."""
    try:
        return "".join(_encoding(value, encode_basestring)()).encode()
    except UnicodeEncodeError:
        return "".join(_encoding(value, encode_basestring_ascii)()).encode()


def _guest_json(value):
    """The steps of encoding a guest's value as JSON. Raises NotJson, or Raised if a step raised."""
    _check_keys(value)
    pieces = yield _encoding(value, encode_basestring)
    try:
        return "".join(pieces).encode()
    except UnicodeEncodeError:
        pieces = yield _encoding(value, encode_basestring_ascii)
        return "".join(pieces).encode()


def _is_no_json(error):
    return issubclass(type(error), Exception) and not issubclass(type(error), MemoryError)


def with_repr(answer, value):
    """The steps of putting the value's own form before its answer: `r`, the form's length in bytes, `:`, the
    form. Text is that form already; a value whose own code fails has none."""
    if not answer.startswith(JSON):
        return answer
    try:
        form = str.__getitem__((yield partial(repr, value)), _MAX_REPR)
    except Raised:
        return answer
    form = str.encode(form, "utf-8", "surrogatepass")
    return b"r%d:%b%b" % (len(form), form, answer)


def map_value(value):
    """The steps of mapping a value to the letter of its kind and its bytes."""
    if value is None:
        return NONE
    if issubclass(type(value), (dict, list)):
        try:
            return JSON + (yield from _guest_json(value))
        except NotJson:
            pass  # a value that JSON cannot represent is shown as Python shows it
        except Raised as raised:
            if not _is_no_json(raised.error):
                raise
    # Lone surrogates are kept: the reader of the bytes replaces them.
    return TEXT + str.encode((yield partial(repr, value)), "utf-8", "surrogatepass")
