"""The result of a run (docs/contract.md#executionresult)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import _notebook
from ._json_shape import JsonShape, ShapeError


@dataclass(frozen=True)
class Logs:
    """Output of a run: one entry for each line, without its newline."""

    stdout: Sequence[str]
    stderr: Sequence[str]


@dataclass(frozen=True)
class Result:
    """The value of the last top-level expression."""

    text: str | None = None
    """The language's native string representation; None when there is `json`."""
    json: Any = None
    """A container, as JSON."""
    repr: str | None = None
    """The value in its language's own form, if the run asked for it with `repr=True`."""

    def formats(self) -> list[str]:
        """The available formats of the value: `text`, `json`, or both."""
        return [name for name in ("text", "json") if getattr(self, name) is not None]


@dataclass(frozen=True)
class Display:
    """A rich form of a value, which the run showed. The guest wrote it: do not trust its HTML."""

    data: Mapping[str, Any]
    """Media type → value: text as a string, bytes as base64, structured types as JSON."""
    metadata: Mapping[str, Any] | None = None
    """The guest's metadata."""
    main: bool = False
    """It is the value of the last expression."""

    def _repr_html_(self) -> str:
        return _notebook.display_html(self.data)

    def _repr_png_(self) -> bytes | None:
        return _notebook.image_bytes(self.data, "image/png")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return _notebook.display_bundle(self.data)


@dataclass(frozen=True)
class ExecutionError:
    """A failure of the guest: an exception, or a limit (`name` is `ExecutionLimitError`)."""

    name: str
    message: str
    traceback: Sequence[str]
    line_number: int | None = None


@dataclass(frozen=True)
class Usage:
    """The cost of a run. Fuel is counted inside the WebAssembly."""

    fuel_consumed: int
    fuel_limit: int
    memory_bytes: int


@dataclass(frozen=True)
class ExecutionContext:
    """State of a context after a run."""

    id: str
    cwd: str
    executions: int
    """Runs of the context so far, this one included."""
    snapshot_ms: float | None = None
    """Milliseconds to write a memory snapshot, when one was written."""
    expires_at: float | None = None
    """When the idle sandbox expires, in epoch milliseconds; None: never."""
    rolled_back: bool = False
    """Whether a limit or a crash rolled back globals, files and cwd."""


@dataclass(frozen=True)
class PendingCall:
    """A call of the program that has no answer yet."""

    key: str
    name: str
    arguments: Mapping[str, Any]
    approval: str | None = None
    """`always` for a call of the operator's tools that is approved or denied; else None."""


@dataclass(frozen=True)
class PendingInput:
    """The program asks for a line of standard input."""

    key: str
    prompt: str


@dataclass(frozen=True)
class Waiting:
    """Why a run stands still. Times are epoch milliseconds."""

    run: str
    calls: Sequence[PendingCall]
    input: PendingInput | None = None
    until: float | None = None
    expires_at: float | None = None


@dataclass(frozen=True)
class ExecutionResult:
    """The result of a run. If the guest failed, `error` is set."""

    code: str
    language: str
    engine: str
    duration_ms: float
    logs: Logs
    results: Sequence[Result]
    """At most one entry; empty when `error` is set."""
    displays: Sequence[Display] = ()
    error: ExecutionError | None = None
    exit_code: int | None = None
    """The exit code of the shell."""
    unterminated: Sequence[str] = ()
    """The shell's streams whose last line has no newline."""
    execution_count: int | None = None
    """Runs of the context so far; None without a context."""
    usage: Usage | None = None
    context: ExecutionContext | None = None
    waiting: Waiting | None = None
    """Present only while the program waits for its caller."""

    @property
    def stdout(self) -> str:
        """Standard output as text: each line ends with a newline, except an unterminated one."""
        return stream_text(self.logs.stdout, "stdout" in self.unterminated)

    @property
    def stderr(self) -> str:
        """Standard error as text."""
        return stream_text(self.logs.stderr, "stderr" in self.unterminated)

    @property
    def value(self) -> Any:
        """The value of the main result: its JSON, or else its text; None without a result."""
        if not self.results:
            return None
        main = self.results[0]
        return main.text if main.json is None else main.json

    def _repr_html_(self) -> str:
        return _notebook.result_html(self)

    def _repr_png_(self) -> bytes | None:
        for display in reversed(self.displays):
            if display.main:
                return display._repr_png_()
        return None

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {"text/plain": _notebook.result_text(self), "text/html": self._repr_html_()}


def stream_text(lines: Sequence[str], is_unterminated: bool = False) -> str:
    """The text of a stream, from its lines."""
    if not lines:
        return ""
    return "\n".join(lines) + ("" if is_unterminated else "\n")


def read_execution_result(body: JsonShape) -> ExecutionResult:
    """Reads an answer to a run."""
    logs = body.object("logs")
    return ExecutionResult(
        code=body.string("code"),
        language=body.string("language"),
        engine=body.string("engine"),
        duration_ms=body.number("durationMs"),
        logs=Logs(logs.strings("stdout"), logs.strings("stderr")),
        results=body.list("results", _read_result),
        displays=body.list("displays", read_display) if body.has("displays") else (),
        error=body.optional("error", lambda key: _read_error(body.object(key))),
        exit_code=body.optional("exitCode", body.integer),
        unterminated=body.optional("unterminated", body.strings) or (),
        execution_count=body.optional("executionCount", body.integer),
        usage=body.optional("usage", lambda key: _read_usage(body.object(key))),
        context=body.optional("context", lambda key: _read_context(body.object(key))),
        waiting=body.optional("waiting", lambda key: read_waiting(body.object(key))),
    )


def read_display(display: JsonShape) -> Display:
    """Reads an entry of `displays`."""
    return Display(
        data=display.object("data").fields,
        metadata=display.optional("metadata", lambda key: display.object(key).fields),
        main=display.optional("main", display.boolean) or False,
    )


def read_waiting(waiting: JsonShape) -> Waiting:
    """Reads why a run stands still."""
    return Waiting(
        run=waiting.string("run"),
        calls=waiting.list("calls", read_call),
        input=waiting.optional("input", lambda key: read_input(waiting.object(key))),
        until=waiting.optional("until", waiting.number),
        expires_at=waiting.optional("expiresAt", waiting.number),
    )


def read_call(call: JsonShape) -> PendingCall:
    """Reads a call of a program."""
    return PendingCall(
        key=call.string("key"),
        name=call.string("name"),
        arguments=call.object("arguments").fields,
        approval=call.optional("approval", call.string),
    )


def read_input(question: JsonShape) -> PendingInput:
    """Reads a question of a program."""
    return PendingInput(question.string("key"), question.string("prompt"))


def _read_result(entry: JsonShape) -> Result:
    return Result(
        text=entry.optional("text", entry.string),
        json=entry.fields.get("json"),
        repr=entry.optional("repr", entry.string),
    )


def _read_error(error: JsonShape) -> ExecutionError:
    return ExecutionError(
        name=error.string("name"),
        message=error.string("message"),
        traceback=error.strings("traceback"),
        line_number=error.optional("lineNumber", error.integer),
    )


def _read_usage(usage: JsonShape) -> Usage:
    return Usage(
        fuel_consumed=usage.integer("fuelConsumed"),
        fuel_limit=usage.integer("fuelLimit"),
        memory_bytes=usage.integer("memoryBytes"),
    )


def _read_context(context: JsonShape) -> ExecutionContext:
    return ExecutionContext(
        id=context.string("id"),
        cwd=context.string("cwd"),
        executions=context.integer("executions"),
        snapshot_ms=context.optional("snapshotMs", context.number),
        expires_at=context.optional("expiresAt", context.number),
        rolled_back=context.optional("rolledBack", context.boolean) or False,
    )


def one_of(value: str, values: Sequence[str], name: str) -> str:
    """A value that must be one of several."""
    if value not in values:
        raise ShapeError(f"{name} has an unknown value")
    return value
