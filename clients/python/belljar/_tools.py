"""Functions of the caller that a program may call (docs/calls.md)."""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from ._errors import validation_failed
from ._json_shape import json_bytes
from ._validation import quoted

ToolFunction = Callable[..., Any]
"""Performs a call. It gets the arguments by name. Its value becomes the value of the call in the
program; None becomes null. An error that it raises becomes a `ToolError` with its message and its
attribute `data`; a `ToolDenied` becomes one of the same name."""

_WHOLE = ("arguments", "args", "input")
"""Names of the only parameter of a function that gets all arguments as one dict."""


class ToolDenied(Exception):
    """Raised by a tool: the program gets a `ToolDenied` with this message."""


@dataclass(frozen=True)
class Tool:
    """A tool with its description and schemas."""

    execute: ToolFunction
    """Performs a call."""
    description: str | None = None
    """The purpose of the tool."""
    input_schema: Mapping[str, Any] | None = None
    """JSON Schema. Arguments that break it raise `ToolError` in the program, and nobody is asked."""
    output_schema: Mapping[str, Any] | None = None
    """JSON Schema of the value."""
    timeout_ms: int | None = None
    """Milliseconds after which a call raises `ToolExpired`."""
    idempotent: bool | None = None
    """Whether repeating a call has no further effect."""


_FIELDS = {field.name: field.name for field in fields(Tool)}
_FIELDS |= {
    "inputSchema": "input_schema",
    "outputSchema": "output_schema",
    "timeoutMs": "timeout_ms",
}
_SENT = {
    "description": "description",
    "input_schema": "inputSchema",
    "output_schema": "outputSchema",
}
_SENT |= {"timeout_ms": "timeoutMs", "idempotent": "idempotent"}


def as_tool(name: str, tool: object) -> Tool:
    """A tool from a function, a Tool or a dict with the fields of one."""
    if isinstance(tool, Tool):
        made = tool
    elif isinstance(tool, Mapping):
        for field in tool:
            if field not in _FIELDS:
                raise validation_failed(
                    f"tools: {quoted(name)} has an unknown field {quoted(str(field))}"
                )
        made = Tool(**{"execute": None, **{_FIELDS[field]: value for field, value in tool.items()}})
    else:
        made = Tool(tool)  # type: ignore[arg-type]
    if not callable(made.execute):
        raise validation_failed(f"tools: {quoted(name)} must be a function or have one as execute")
    return made


def declared_tools(tools: object) -> list[dict[str, Any]]:
    """The declarations of tools, as requests have them. Raises ValidationFailedError."""
    if not isinstance(tools, Mapping):
        raise validation_failed("tools must be a dict")
    return [_declared(name, as_tool(str(name), tool)) for name, tool in tools.items()]


def _declared(name: str, tool: Tool) -> dict[str, Any]:
    declaration: dict[str, Any] = {"name": name}
    for field, sent in _SENT.items():
        value = getattr(tool, field)
        if value is not None:
            declaration[sent] = value
    return declaration


def bound_call(
    tools: Mapping[str, Any] | None, name: str, arguments: Mapping[str, Any]
) -> Callable[[], Any]:
    """A call of a tool, ready to be made."""
    if tools is None or name not in tools:
        return functools.partial(_no_tool, name)
    function = as_tool(name, tools[name]).execute
    if _takes_whole(function, arguments):
        return functools.partial(function, dict(arguments))
    return functools.partial(function, **arguments)


def _takes_whole(function: ToolFunction, arguments: Mapping[str, Any]) -> bool:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return False
    if len(parameters) != 1:
        return False
    only = parameters[0]
    if only.kind is inspect.Parameter.POSITIONAL_ONLY:
        return True
    is_named = only.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD and only.name in _WHOLE
    return is_named and set(arguments) != {only.name}


def _no_tool(name: str) -> None:
    raise RuntimeError(f"There is no tool {quoted(name)}")


def answer_value(key: str, value: object) -> dict[str, Any]:
    """The answer to a call that has a value."""
    try:
        return {"key": key, "value": json.loads(json_bytes(value))}
    except (TypeError, ValueError) as cause:
        return answer_error(
            key, TypeError(f"The value of the tool cannot be said in JSON: {cause}")
        )


def answer_error(key: str, thrown: Exception) -> dict[str, Any]:
    """The answer to a call that raised an error."""
    message = str(thrown) or type(thrown).__name__
    if isinstance(thrown, ToolDenied):
        return {"key": key, "deny": message}
    if isinstance(thrown, KeyError) and thrown.args:
        message = f"KeyError: {message}"
    error: dict[str, Any] = {"message": message}
    data = getattr(thrown, "data", None)
    if data is not None:
        try:
            error["data"] = json.loads(json_bytes(data))
        except (TypeError, ValueError):
            pass
    return {"key": key, "error": error}
