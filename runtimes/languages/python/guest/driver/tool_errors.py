"""The errors of calls of tools."""

_MAX_NEAR = 3


class ToolError(Exception):
    """A call of a tool failed. `tool` is its name, `data` what the caller added, or None. `unknown` is
    whether nobody knows if the call took place, as `data` says."""

    def __init__(self, message="", tool=None, data=None):
        super().__init__(message)
        self.tool = tool
        self.data = data
        self.unknown = isinstance(data, dict) and data.get("unknown") is True


class ToolDenied(ToolError):
    """The caller has denied a call. The message holds the reason."""


class ToolExpired(ToolError):
    """A call of a tool had no answer in time."""


class _Undeclared(ToolError, AttributeError):
    """A name that is not declared: also the error of an attribute, so that `hasattr` says no."""


_Undeclared.__name__ = _Undeclared.__qualname__ = "ToolError"
for _error in (ToolError, ToolDenied, ToolExpired, _Undeclared):
    _error.__module__ = "builtins"


def _distance(a, b):
    """Number of letters to insert, remove or replace."""
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(b, 1):
            before, row[j] = row[j], min(before + (letter != other), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def undeclared(name, names):
    """The error of a name that is none of the names; it names near ones."""
    most = min(3, max(1, len(name) // 3))
    distances = [(_distance(name, other), other) for other in names if abs(len(name) - len(other)) <= most]
    near = [other for distance, other in sorted(distances) if distance <= most][:_MAX_NEAR]
    hint = f"; did you mean {', '.join(near)}?" if near else ""
    return _Undeclared(f"there is no tool {name!r}{hint}", name)
