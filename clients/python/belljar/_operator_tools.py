"""The tools that the service's operator gives a tenant (docs/tools.md#in-a-request)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._errors import validation_failed
from ._json_shape import JsonShape
from ._result import one_of

NOT_APPROVED = "The call was not approved"
"""The reason of a denial without one."""


@dataclass(frozen=True)
class AvailableTool:
    """A tool of the operator."""

    name: str
    """Identifiers joined by dots."""
    description: str | None
    """The purpose of the tool, for people and models."""
    input_schema: Mapping[str, Any]
    """JSON Schema of the arguments."""
    output_schema: Mapping[str, Any] | None
    """JSON Schema of the result."""
    approval: str
    """`always`: each call waits until somebody approves it; else `never`."""
    idempotent: bool
    """Whether repeating a call has no further effect."""


def read_tools(body: JsonShape) -> list[AvailableTool]:
    """Reads the listing."""
    return body.list("tools", _read_tool)


def _read_tool(tool: JsonShape) -> AvailableTool:
    return AvailableTool(
        name=tool.string("name"),
        description=tool.optional("description", tool.string),
        input_schema=tool.object("inputSchema").fields,
        output_schema=tool.optional("outputSchema", lambda key: tool.object(key).fields),
        approval=one_of(tool.string("approval"), ("never", "always"), "approval"),
        idempotent=tool.boolean("idempotent"),
    )


def named_tools(names: object) -> list[str]:
    """Names and patterns, as requests have them. Raises ValidationFailedError."""
    if isinstance(names, str) or not isinstance(names, (list, tuple, set, frozenset)):
        raise validation_failed("operator_tools must be a list of names")
    if not all(isinstance(name, str) for name in names):
        raise validation_failed("operator_tools must be a list of names")
    return sorted(names) if isinstance(names, (set, frozenset)) else list(names)


def decision(key: str, value: object) -> dict[str, Any]:
    """The answer to a call that needs an approval: only True approves, a text is the reason."""
    if value is True:
        return {"key": key, "approve": True}
    return {"key": key, "deny": value if isinstance(value, str) else NOT_APPROVED}
