"""Maps the value of a program to what the answer shows: nothing, text or JSON."""

from _json import encode_basestring, encode_basestring_ascii, make_encoder

NONE = b"n"
TEXT = b"t"
JSON = b"j"


class NotJson(Exception):
    """A value that JSON cannot hold whole."""


def _refuse(value):
    raise NotJson


def _encoder(text):
    # markers, default, encoder, indent, key separator, item separator, sort, skip keys, NaN
    return lambda: make_encoder({}, _refuse, text, None, ": ", ", ", False, False, False)


_plain = _encoder(encode_basestring)
_escaped = _encoder(encode_basestring_ascii)


def _key_text(key):
    if isinstance(key, str):
        return str.__str__(key)
    if key is True:
        return "true"
    if key is False:
        return "false"
    if key is None:
        return "null"
    if isinstance(key, int):
        return int.__repr__(key)
    if isinstance(key, float):
        return float.__repr__(key)
    raise NotJson


def _check_keys(value):
    """Raises NotJson when two keys of a dict are alike as strings."""
    waiting = [value]
    seen = set()
    while waiting:
        container = waiting.pop()
        if id(container) in seen:
            continue
        seen.add(id(container))
        if isinstance(container, dict):
            children = list(dict.values(container))
            if not all(type(key) is str for key in dict.keys(container)):
                names = [_key_text(key) for key in dict.keys(container)]
                if len(set(names)) != len(names):
                    raise NotJson
        elif isinstance(container, list):
            children = list.__iter__(container)
        else:
            children = tuple.__iter__(container)
        for child in children:
            if isinstance(child, (dict, list, tuple)):
                waiting.append(child)


def as_json(value):
    """A value as JSON in UTF-8. Raises NotJson, and what its own methods raise."""
    _check_keys(value)
    try:
        return "".join(_plain()(value, 0)).encode()
    except UnicodeEncodeError:
        return "".join(_escaped()(value, 0)).encode()


def encode_text(text):
    """Text as bytes; lone surrogates pass, and what reads the bytes replaces them."""
    return text.encode("utf-8", "surrogatepass")


def map_value(value):
    """The kind of a value and its bytes."""
    if value is None:
        return NONE
    if isinstance(value, (dict, list)):
        try:
            return JSON + as_json(value)
        except MemoryError:
            raise
        except Exception:
            pass  # what JSON cannot hold is shown as Python shows it
    return TEXT + encode_text(repr(value))
