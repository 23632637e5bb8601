"""Reads untrusted JSON: each field is read by name and kind."""

from __future__ import annotations

import builtins
import json
import math
from collections.abc import Callable
from datetime import datetime
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")


class ShapeError(Exception):
    """A value is not of the expected shape. The message names the field, never its value."""


class JsonShape:
    """A JSON object whose fields are read with a check."""

    def __init__(self, value: object, path: str = "") -> None:
        if not isinstance(value, dict):
            raise ShapeError(f"{path or 'the answer'} is not an object")
        self.fields: dict[str, Any] = value
        self._path = path

    @staticmethod
    def parse(text: bytes) -> JsonShape:
        """Parses bytes that must be a JSON object."""
        return JsonShape(parse_json(text))

    def has(self, key: str) -> bool:
        """Whether the field exists."""
        return key in self.fields

    def string(self, key: str) -> str:
        """A field that must be a string."""
        value = self.fields.get(key)
        return value if isinstance(value, str) else self._wrong(key, "a string")

    def number(self, key: str) -> int | float:
        """A field that must be a finite number."""
        value = self.fields.get(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self._wrong(key, "a number")
        return (
            value
            if isinstance(value, int) or math.isfinite(value)
            else self._wrong(key, "a number")
        )

    def integer(self, key: str) -> int:
        """A field that must be a whole number."""
        value = self.number(key)
        return int(value) if value == int(value) else self._wrong(key, "a whole number")

    def boolean(self, key: str) -> bool:
        """A field that must be a boolean."""
        value = self.fields.get(key)
        return value if isinstance(value, bool) else self._wrong(key, "a boolean")

    def date(self, key: str) -> datetime:
        """A field that must be a date as ISO-8601 with a time zone."""
        text = self.string(key)
        try:
            # Python 3.10 knows no `Z`
            date = datetime.fromisoformat(text[:-1] + "+00:00" if text.endswith("Z") else text)
        except ValueError:
            self._wrong(key, "a date")
        return date if date.tzinfo is not None else self._wrong(key, "a date")

    def object(self, key: str) -> JsonShape:
        """A field that must be an object."""
        return JsonShape(self.fields.get(key), self._name(key))

    def strings(self, key: str) -> builtins.list[str]:
        """A field that must be an array of strings."""
        items = self._array(key)
        if not all(isinstance(item, str) for item in items):
            self._wrong(key, "an array of strings")
        return items

    def list(self, key: str, read: Callable[[JsonShape], T]) -> builtins.list[T]:
        """A field that must be an array of objects."""
        name = self._name(key)
        return [read(JsonShape(item, f"{name}[{at}]")) for at, item in enumerate(self._array(key))]

    def optional(self, key: str, read: Callable[[str], T]) -> T | None:
        """The result of `read` for the field; None when it is absent or null."""
        return None if self.fields.get(key) is None else read(key)

    def _array(self, key: str) -> builtins.list[Any]:
        value = self.fields.get(key)
        return value if isinstance(value, list) else self._wrong(key, "an array")

    def _name(self, key: str) -> str:
        return key if self._path == "" else f"{self._path}.{key}"

    def _wrong(self, key: str, kind: str) -> NoReturn:
        raise ShapeError(f"{self._name(key)} is not {kind}")


def parse_json(text: bytes) -> Any:
    """Parses UTF-8 that must be JSON."""
    try:
        return json.loads(text.decode("utf-8"), parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise ShapeError("the answer is not UTF-8") from None
    except (ValueError, RecursionError):
        raise ShapeError("the answer is not JSON") from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def json_bytes(value: object) -> bytes:
    """Encodes a value as JSON. Raises ValueError or TypeError for what JSON cannot say."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode()
    except UnicodeEncodeError:  # a lone surrogate
        return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()
    except RecursionError:
        raise ValueError("the value is nested too deeply") from None
