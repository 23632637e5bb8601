"""Results and displays in notebooks.

A guest writes displays, and a notebook's page can do all that its kernel can. So HTML and SVG of a
guest are shown in a frame without scripts, with an origin of its own, and without a network.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._result import ExecutionResult

_IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""Media types that a browser shows as a picture and nothing else."""
_POLICY = (
    "default-src 'none'; img-src data:; font-src data:; media-src data:; style-src 'unsafe-inline'"
)
_FRAME_STYLE = "width:100%;height:24em;border:1px solid #ccc;background:#fff"


def image_bytes(data: Mapping[str, Any], kind: str) -> bytes | None:
    """The bytes of an image; None when there is none, or no base64."""
    text = data.get(kind)
    if not isinstance(text, str):
        return None
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None


def display_html(data: Mapping[str, Any]) -> str:
    """A display as HTML that can do no harm in the page of a notebook."""
    for kind in ("text/html", "image/svg+xml"):
        if isinstance(data.get(kind), str):
            return _frame(data[kind])
    for kind in _IMAGES:
        image = image_bytes(data, kind)
        if image is not None:
            return f'<img src="data:{kind};base64,{base64.b64encode(image).decode()}">'
    return _preformatted(_plain(data))


def display_bundle(data: Mapping[str, Any]) -> dict[str, Any]:
    """The media types of a display that can do no harm in the page of a notebook."""
    images = {kind: data[kind] for kind in _IMAGES if image_bytes(data, kind) is not None}
    bundle: dict[str, Any] = {"text/plain": _plain(data), **images}
    if not images or "text/html" in data or "image/svg+xml" in data:
        bundle["text/html"] = display_html(data)
    return bundle


def result_text(result: ExecutionResult) -> str:
    """A result as text: its output, its error, its value."""
    parts = [result.stdout, result.stderr]
    if result.error is not None:
        parts.append("\n".join(result.error.traceback) or _error_line(result))
    elif result.results:
        main = result.results[0]
        parts.append(main.repr or main.text or json.dumps(main.json, ensure_ascii=False))
    return "\n".join(part.rstrip("\n") for part in parts if part)


def result_html(result: ExecutionResult) -> str:
    """A result as HTML: its output, its displays, its error or value."""
    parts = [_preformatted(text) for text in (result.stdout, result.stderr) if text]
    parts += [display_html(display.data) for display in result.displays]
    if result.error is not None:
        parts.append(_preformatted("\n".join(result.error.traceback) or _error_line(result)))
    elif result.results and not any(display.main for display in result.displays):
        main = result.results[0]
        text = main.repr or main.text or json.dumps(main.json, ensure_ascii=False)
        parts.append(_preformatted(text))
    return "".join(parts)


def _error_line(result: ExecutionResult) -> str:
    error = result.error
    return "" if error is None else f"{error.name}: {error.message}"


def _frame(html: str) -> str:
    page = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">{html}'
    return f'<iframe sandbox="" srcdoc="{escape(page)}" style="{_FRAME_STYLE}"></iframe>'


def _preformatted(text: str) -> str:
    return f"<pre>{escape(text)}</pre>"


def _plain(data: Mapping[str, Any]) -> str:
    for kind in ("text/plain", "text/markdown", "text/latex"):
        if isinstance(data.get(kind), str):
            return str(data[kind])
    structured = data.get("application/json")
    if structured is not None:
        return json.dumps(structured, ensure_ascii=False)
    return f"<{', '.join(data)}>"
