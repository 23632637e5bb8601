"""Checks before anything is sent. The messages are those of the service."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from ._errors import SandboxError, ValidationFailedError, sandbox_error, validation_failed

WORKSPACE = "/workspace"
LANGUAGES: Mapping[str, Sequence[str]] = {
    "javascript": ("js", "node", "typescript", "ts"),
    "python": ("python3", "py"),
    "perl": ("pl",),
    "ruby": ("rb",),
    "shell": ("bash", "sh"),
}
"""The languages, and their aliases."""
_MAX_QUOTED = 64


def quoted(text: str) -> str:
    """A caller's text in quotation marks, truncated."""
    return f"'{text}'" if len(text) <= _MAX_QUOTED else f"'{text[:_MAX_QUOTED]}…'"


def check_text(name: str, value: object) -> str:
    """A value that must be a string."""
    if not isinstance(value, str):
        raise validation_failed(f"{name} must be a string")
    return value


def check_code(code: object) -> str:
    """Program text: not empty. The service knows how long it may be."""
    if check_text("code", code) == "":
        raise validation_failed("code must not be empty")
    return str(code)


def check_language(name: object) -> tuple[str, bool]:
    """The language with a name, which is its id or an alias, in any case; whether it is TypeScript."""
    lower = check_text("language", name).lower()
    for language, aliases in LANGUAGES.items():
        if lower == language or lower in aliases:
            return language, lower in ("typescript", "ts")
    *most, last = LANGUAGES
    raise validation_failed(f"Unknown language {quoted(lower)}: {', '.join(most)} or {last}")


def check_sandbox_id(name: object) -> str:
    """The name of a sandbox."""
    if not isinstance(name, str):
        raise validation_failed("The id of a sandbox must be a string")
    pattern = r"(?!-)[A-Za-z0-9._-]{1,63}(?<!-)"
    if re.fullmatch(pattern, name) is None or name in (".", ".."):
        raise validation_failed(
            f"Invalid sandbox id {quoted(name)}: it is 1 to 63 letters, digits, dots, underscores "
            "and hyphens, no hyphen at either end, and not '.' or '..'"
        )
    return name


def check_path(path: object, name: str = "path") -> str:
    """The path of a file."""
    if not isinstance(path, str):
        raise validation_failed(f"{name} must be a string")
    if path == "":
        raise validation_failed(f"{name} must not be empty")
    return path


def check_condition(name: str, condition: object) -> str:
    """A condition on a file; only the service knows its syntax."""
    pattern = r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?"
    if not isinstance(condition, str) or re.fullmatch(pattern, condition) is None:
        raise validation_failed(f"{name} must be * or entity tags in quotation marks")
    return condition


def env_layer(env_vars: object, *, keep_none: bool) -> dict[str, str | None]:
    """Variables as JSON carries them: None unsets, or is omitted."""
    if not isinstance(env_vars, Mapping):
        raise validation_failed("env_vars must be a dict")
    layer: dict[str, str | None] = {}
    for name, text in env_vars.items():
        if not isinstance(name, str) or re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is None:
            raise validation_failed(f"Invalid environment variable name {quoted(str(name))}")
        if text is not None and not isinstance(text, str):
            raise validation_failed(
                f"The value of environment variable {quoted(name)} must be a string"
            )
        if text is not None and "\0" in text:
            raise validation_failed(
                f"The value of environment variable {quoted(name)} must not contain NUL"
            )
        if text is not None or keep_none:
            layer[name] = text
    return layer


def file_segments(path: str) -> str:
    """The path of a file below `/files/`: percent-encoded by segment.

    A path with a segment that URLs and proxies resolve or drop (`..`, `.`, none) is one segment. So
    the service gets it as it is, and refuses what leaves the workspace.
    """
    check_path(path)
    try:
        path.encode()
    except UnicodeEncodeError:
        raise validation_failed("path must be well-formed Unicode") from None
    inside = path[len(WORKSPACE) + 1 :] if path.startswith(f"{WORKSPACE}/") else path
    segments = inside.split("/")
    if all(segment not in ("", ".", "..") for segment in segments):
        return "/".join(quote(segment, safe="") for segment in segments)
    # alone, `.` and `..` would be resolved even when they are encoded
    return quote(f"./{path}" if path in (".", "..") else path, safe="")


def id_segment(kind: str, id: object) -> str:
    """The id of a context, checkpoint or run as one segment of a path.

    A text that cannot be a segment (empty, `..`) is nobody's id; sent as it is, it would address
    something else.
    """
    if not isinstance(id, str):
        raise validation_failed(f"The id of a {kind} must be a string")
    try:
        if id not in ("", ".", ".."):
            return quote(id, safe="")
    except UnicodeEncodeError:
        pass
    raise _not_found(kind, id)


def _not_found(kind: str, id: str) -> SandboxError:
    key = "run" if kind == "run" else f"{kind}Id"
    details: dict[str, Any] = {"http_status": 404, "context": {key: id}}
    return sandbox_error(
        f"There is no {kind} {quoted(id)}", code=f"{kind.upper()}_NOT_FOUND", **details
    )


def base_url(url: object) -> str:
    """The address of a service without query, fragment and trailing slash."""
    from httpx import URL, InvalidURL

    try:
        parsed = URL(str(url))
    except InvalidURL:
        raise _bad_url() from None
    if parsed.scheme not in ("http", "https") or parsed.host == "":
        raise _bad_url()
    if parsed.userinfo:
        raise validation_failed("Pass the token as an argument, not in the URL")
    return str(parsed.copy_with(query=None, fragment=None)).rstrip("/")


def _bad_url() -> ValidationFailedError:
    return validation_failed("The URL of the service must begin with http:// or https://")


def check_token(token: object) -> str:
    """A token. It is never shown."""
    if isinstance(token, str) and re.fullmatch(r"[\x21-\x7e]+", token) is not None:
        return token
    raise validation_failed("The token must be visible ASCII characters without spaces")
