"""The objects of `IPython.display`: content of a type, given as such, by a file or by an address."""

import json
import posix
import stat
from binascii import b2a_base64
from pathlib import PurePath

_status_of = posix.stat
_is_regular = stat.S_ISREG
_read_json = json.loads
_OFFLINE_PREFIX = "http"
# What data of a format begins with; the first is assumed for data that is none of them.
_MAGIC = {
    "png": (b"\x89PNG\r\n\x1a\n",),
    "jpeg": (b"\xff\xd8",),
    "gif": (b"GIF87a", b"GIF89a"),
    "webp": (b"RIFF",),
}
_OTHER_NAMES = {"jpg": "jpeg"}
_ESCAPES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#x27;"))


def _is_file(text):
    try:
        return _is_regular(_status_of(text).st_mode)
    except (OSError, ValueError):
        return False


def _as_path(given):
    return str(given) if isinstance(given, PurePath) else given


def _read_address(address):
    from urllib.request import urlopen

    return urlopen(address).read()


class DisplayObject:
    """Content to be displayed, from data, from a file or from an address."""

    _mode = "r"

    def __init__(self, data=None, url=None, filename=None, metadata=None):
        data = _as_path(data)
        if isinstance(data, str) and filename is None and url is None and _is_file(data):
            data, filename = None, data
        self.url = url
        self.filename = filename
        self.data = data
        self.metadata = {} if metadata is None else metadata
        self.reload()
        self._check_data()

    def __repr__(self):
        return f"<{type(self).__module__}.{type(self).__name__} object>"

    def reload(self):
        """Reads the file or the address again."""
        if self.filename is not None:
            encoding = None if "b" in self._mode else "utf-8"
            with open(self.filename, self._mode, encoding=encoding) as file:
                self.data = file.read()
        elif self.url is not None:
            content = _read_address(self.url)
            self.data = content if "b" in self._mode else content.decode("utf-8", "replace")

    def _check_data(self):
        """For classes that take some data only."""

    def _data_and_metadata(self):
        return (self.data, dict(self.metadata)) if self.metadata else self.data


class TextDisplayObject(DisplayObject):
    """Content that is text."""

    def _check_data(self):
        if self.data is not None and not isinstance(self.data, str):
            raise TypeError(f"{type(self).__name__} expects text, not {self.data!r}")


class HTML(TextDisplayObject):
    """HTML."""

    def _repr_html_(self):
        return self._data_and_metadata()

    def __html__(self):
        return self.data


class Markdown(TextDisplayObject):
    """Markdown."""

    def _repr_markdown_(self):
        return self._data_and_metadata()


class Latex(TextDisplayObject):
    """LaTeX."""

    def _repr_latex_(self):
        return self._data_and_metadata()


class SVG(DisplayObject):
    """An SVG image: its `svg` element, without what is around it."""

    _mode = "rb"

    def _check_data(self):
        text = self.data
        if isinstance(text, bytes):
            text = text.decode("utf-8", "replace")
        if text is None:
            return
        if not isinstance(text, str):
            raise TypeError(f"{type(self).__name__} expects text or bytes, not {text!r}")
        start, end = text.find("<svg"), text.rfind("</svg>")
        self.data = text[start : end + len("</svg>")] if 0 <= start < end else text

    def _repr_svg_(self):
        return self._data_and_metadata()


class JSON(DisplayObject):
    """A dict or a list to be displayed as JSON; keywords become metadata."""

    def __init__(self, data=None, url=None, filename=None, expanded=None, metadata=None, root=None, **kwargs):
        told = {"expanded": expanded, "root": root}
        told = {name: value for name, value in told.items() if value is not None}
        super().__init__(data, url, filename, {**told, **(metadata or {}), **kwargs})

    def _check_data(self):
        if isinstance(self.data, str):
            self.data = _read_json(self.data)
        if self.data is not None and not isinstance(self.data, (dict, list)):
            raise TypeError(f"{type(self).__name__} expects JSONable dict or list, not {self.data!r}")

    def _repr_json_(self):
        return self._data_and_metadata()


def _format_of(data):
    for name, beginnings in _MAGIC.items():
        if isinstance(data, bytes) and data.startswith(beginnings):
            return name
    return next(iter(_MAGIC))


def _extension(path):
    name = str(path).rpartition("/")[2].partition("?")[0]
    return name.rpartition(".")[2].lower() or None if "." in name else None


def _escaped(text):
    for char, entity in _ESCAPES:
        text = text.replace(char, entity)
    return text


class Image(DisplayObject):
    """A PNG, JPEG, GIF or WebP image. One that is given by an address is not read, but shown by it,
    unless `embed` is true."""

    _mode = "rb"

    def __init__(
        self, data=None, url=None, filename=None, format=None, embed=None, width=None, height=None,
        unconfined=False, metadata=None, alt=None,
    ):
        data = _as_path(data)
        if isinstance(data, str) and data.startswith(_OFFLINE_PREFIX) and url is None and filename is None:
            data, url = None, data
        if data is None and url is None and filename is None:
            raise ValueError("No image data found. Expecting filename, url, or data.")
        self.embed = url is None if embed is None else embed
        self.width, self.height = width, height
        self.unconfined, self.alt = unconfined, alt
        self.format = format
        super().__init__(data, url, filename, metadata)
        told = self.metadata.get
        self.width = told("width") if width is None else width
        self.height = told("height") if height is None else height
        self.alt = told("alt") if alt is None else alt

    def reload(self):
        """Reads the file or the address again."""
        if self.embed:
            super().reload()

    def _check_data(self):
        if isinstance(self.data, (bytearray, memoryview)):
            self.data = bytes(self.data)
        if isinstance(self.data, str):
            raise FileNotFoundError(f"No such file or directory: {self.data!r}")
        if self.embed and not isinstance(self.data, bytes):
            raise TypeError(f"{type(self).__name__} expects bytes, not {self.data!r}")
        place = self.url if self.filename is None else self.filename
        known = self.format or (None if place is None else _extension(place)) or _format_of(self.data)
        self.format = _OTHER_NAMES.get(known.lower(), known.lower())
        if self.embed and self.format not in _MAGIC:
            raise ValueError(f"Cannot embed the '{self.format}' image format")

    def _element(self):
        attributes = {"src": self.filename if self.url is None else self.url}
        attributes.update(width=self.width, height=self.height)
        attributes["class"] = "unconfined" if self.unconfined else None
        attributes["alt"] = self.alt
        shown = [f' {name}="{_escaped(str(value))}"' for name, value in attributes.items() if value]
        return f"<img{''.join(shown)}/>"

    def _repr_mimebundle_(self, include=None, exclude=None):
        if not self.embed:
            return {"text/html": self._element()}
        mime = f"image/{self.format}"
        told = dict(self.metadata)
        for name in ("width", "height", "unconfined", "alt"):
            if getattr(self, name):
                told[name] = getattr(self, name)
        content = b2a_base64(self.data, newline=False).decode("ascii")
        return {mime: content}, ({mime: told} if told else {})
