"""Options of runs, and the parts of a request that are made of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict

from ._errors import validation_failed
from ._operator_tools import named_tools
from ._result import Display, ExecutionError, PendingCall, Result
from ._tools import Tool, ToolFunction, declared_tools
from ._validation import check_text, env_layer, quoted

MAX_SEED = 2**53 - 1
MAX_CLOCK_MS = 8_640_000_000_000_000


class OutputLine(str):
    """A line of output, without its newline."""

    timestamp: float
    """When the callback was called, in epoch milliseconds."""

    @property
    def text(self) -> str:
        """The line as a plain string."""
        return str(self)


class Limits(TypedDict, total=False):
    """Limits of one run, at most the service's own."""

    fuel: int
    """Units of fuel at which the run is ended."""
    wall_ms: int
    """Milliseconds at which the run is ended, virtual sleeps included."""


class RunOptions(TypedDict, total=False):
    """Options of a run without a context. A callback of AsyncClient may be asynchronous."""

    env_vars: Mapping[str, str | None] | None
    """Variables of this run. In a sandbox, None as a value unsets the name."""
    limits: Limits | Mapping[str, int] | None
    stdin: str | None
    """Standard input of the program."""
    seed: int | None
    """Fixes the random bytes of the run: an integer from 0 to 2^53-1."""
    clock: int | None
    """The start of the run's clock, in epoch milliseconds."""
    repr: bool | None
    """Adds `repr` to the result: the value in its language's own form."""
    timeout: float | None
    """Seconds until the call ends with a TimeoutError, and the run with it."""
    on_stdout: Callable[[OutputLine], Any] | None
    """Called for each line of standard output while the program runs."""
    on_stderr: Callable[[OutputLine], Any] | None
    """Called for each line of standard error."""
    on_display: Callable[[Display], Any] | None
    """Called for each display."""
    on_result: Callable[[Result], Any] | None
    """Called for the result, at the end."""
    on_error: Callable[[ExecutionError], Any] | None
    """Called if the guest failed or reached a limit."""
    tools: Mapping[str, ToolFunction | Tool | Mapping[str, Any]] | None
    """Functions that the program may call, by name: identifiers joined by dots."""
    operator_tools: Sequence[str] | None
    """Tools of the service's operator that the program may call, too: names, or patterns such as
    `crm.*`. The service performs these calls."""
    on_approval: Callable[[PendingCall], Any] | None
    """Called when a tool of the operator needs an approval: True approves the call, False denies it, and
    a text is the reason of a denial. Without it, the run waits until somebody else decides."""
    on_input: Callable[[str], Any] | None
    """Called with the prompt when the program reads past its standard input. Returns a line, or None
    for the end of input."""


class SandboxRunOptions(RunOptions, total=False):
    """Options of a run in a sandbox."""

    idempotency_key: str | None
    """Names the run, 1 to 255 visible ASCII characters: use a new one for each run. For 24 hours the
    same call with the same key has the first result and runs nothing."""
    if_executions: int | None
    """Run only if the context has had this number of runs."""


_CALLBACKS = (
    "on_stdout",
    "on_stderr",
    "on_display",
    "on_result",
    "on_error",
    "on_input",
    "on_approval",
)
_OPTIONS = RunOptions.__optional_keys__
_SANDBOX_OPTIONS = SandboxRunOptions.__optional_keys__
_LIMIT_NAMES = {"fuel": "fuel", "wall_ms": "wallMs", "wallMs": "wallMs"}


def check_names(options: Mapping[str, Any], in_sandbox: bool) -> None:
    """Raises TypeError for an option that no run has."""
    known = _SANDBOX_OPTIONS | _OPTIONS if in_sandbox else _OPTIONS
    for name in options:
        if name not in known:
            raise TypeError(f"run_code() got an unexpected keyword argument {name!r}")
    for name in _CALLBACKS:
        callback = options.get(name)
        if callback is not None and not callable(callback):
            raise validation_failed(f"{name} must be a function")


def common_fields(options: Mapping[str, Any], in_sandbox: bool) -> dict[str, Any]:
    """The fields of a body that runs of all kinds share; absent ones are omitted."""
    fields: dict[str, Any] = {}
    if options.get("env_vars") is not None:
        fields["envVars"] = env_layer(options["env_vars"], keep_none=in_sandbox)
    if options.get("limits") is not None:
        fields["limits"] = _limits(options["limits"])
    if options.get("stdin") is not None:
        fields["stdin"] = check_text("stdin", options["stdin"])
    for name, most in (("seed", MAX_SEED), ("clock", MAX_CLOCK_MS)):
        value = options.get(name)
        if value is not None:
            if not _is_integer(value) or not 0 <= value <= most:
                raise validation_failed(f"{name} must be an integer from 0 to {most}")
            fields[name] = value
    if options.get("repr") is not None:
        if not isinstance(options["repr"], bool):
            raise validation_failed("repr must be true or false")
        fields["repr"] = options["repr"]
    names, tools = options.get("operator_tools"), options.get("tools")
    if names is not None or tools is not None:
        named = [] if names is None else named_tools(names)
        fields["tools"] = [*named, *([] if tools is None else declared_tools(tools))]
    if options.get("on_input") is not None:
        fields["interactive"] = True
    return fields


def may_wait(options: Mapping[str, Any]) -> bool:
    """Whether the program may wait for its caller."""
    names = ("tools", "operator_tools", "on_input")
    return any(options.get(name) is not None for name in names)


def repeat_headers(options: Mapping[str, Any]) -> dict[str, str]:
    """The headers that make a run in a context safe to repeat, or conditional."""
    headers: dict[str, str] = {}
    key = options.get("idempotency_key")
    if key is not None:
        if not isinstance(key, str) or re.fullmatch(r"[\x21-\x7e]{1,255}", key) is None:
            raise validation_failed("idempotency_key must be 1 to 255 visible ASCII characters")
        headers["idempotency-key"] = key
    count = options.get("if_executions")
    if count is not None:
        if not _is_integer(count) or not 0 <= count <= MAX_SEED:
            raise validation_failed("if_executions must be an integer, 0 or more")
        headers["if-match"] = f'"{count}"'
    return headers


def _limits(limits: object) -> dict[str, int]:
    if not isinstance(limits, Mapping):
        raise validation_failed("limits must be a dict")
    fields: dict[str, int] = {}
    for name, amount in limits.items():
        if name not in _LIMIT_NAMES:
            raise validation_failed(
                f"Unknown limit {quoted(str(name))}: limits takes fuel and wall_ms"
            )
        if amount is None:
            continue
        if not _is_integer(amount) or amount < 1:
            raise validation_failed(f"limits.{name} must be a positive integer")
        fields[_LIMIT_NAMES[name]] = amount
    return fields


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
