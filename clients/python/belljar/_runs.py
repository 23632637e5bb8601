"""Runs of a sandbox whose programs can wait (docs/calls.md)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ._call import Endpoint
from ._json_shape import JsonShape
from ._result import ExecutionResult, Waiting, one_of, read_execution_result, read_waiting
from ._validation import LANGUAGES, id_segment

RUN_STATES = ("queued", "running", "waiting", "ended", "failed", "cancelled", "expired")
"""The states of a run. The last four are final."""


@dataclass(frozen=True)
class RunSummary:
    """A run in a listing."""

    id: str
    state: str
    language: str
    created_at: datetime
    context_id: str | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True)
class RunInfo(RunSummary):
    """A run."""

    waiting: Waiting | None = None
    """Present while it waits."""
    execution: ExecutionResult | None = None
    """Its result, once it has ended."""


RunSummaries = list[RunSummary]


class AsyncRuns:
    """Runs that began with `tools` or `on_input`, and what their programs wait for."""

    def __init__(self, endpoint: Callable[[], Awaitable[Endpoint]]) -> None:
        self._endpoint = endpoint

    async def list(self) -> RunSummaries:
        """The latest runs, newest first."""
        endpoint = await self._endpoint()
        return await endpoint.json("GET", "/runs", lambda body: body.list("runs", _read_summary))

    async def get(self, id: str) -> RunInfo:
        """A run. Raises a SandboxError: `RUN_NOT_FOUND`."""
        path = f"/runs/{id_segment('run', id)}"
        endpoint = await self._endpoint()
        return await endpoint.json("GET", path, _read_run)

    async def answer(self, id: str, answers: Sequence[Mapping[str, Any]]) -> ExecutionResult:
        """Answers calls and questions, all or none: `{"key", "value"}`, `{"key", "error": {"message"}}`
        or `{"key", "deny"}`. Returns when the program waits again or has ended: `waiting` of the
        result says which. An empty list asks for the present state. The same answer again changes
        nothing. Raises a SandboxError: `RUN_NOT_FOUND`, `CALL_NOT_FOUND`, `CALL_ANSWERED`.
        """
        path = f"/runs/{id_segment('run', id)}/answers"
        body = {"answers": [dict(answer) for answer in answers]}
        endpoint = await self._endpoint()
        return await endpoint.json(
            "POST", path, read_execution_result, body=body, is_repeatable=True
        )

    async def cancel(self, id: str) -> None:
        """Ends a run: its context is as before the run."""
        path = f"/runs/{id_segment('run', id)}"
        endpoint = await self._endpoint()
        await endpoint.json("DELETE", path, lambda _body: None)


def _read_summary(run: JsonShape) -> RunSummary:
    return RunSummary(**_fields(run))


def _read_run(run: JsonShape) -> RunInfo:
    return RunInfo(
        **_fields(run),
        waiting=run.optional("waiting", lambda key: read_waiting(run.object(key))),
        execution=run.optional("execution", lambda key: read_execution_result(run.object(key))),
    )


def _fields(run: JsonShape) -> dict[str, Any]:
    return {
        "id": run.string("id"),
        "state": one_of(run.string("state"), RUN_STATES, "state"),
        "language": one_of(run.string("language"), tuple(LANGUAGES), "language"),
        "created_at": run.date("createdAt"),
        "context_id": run.optional("contextId", run.string),
        "started_at": run.optional("startedAt", run.date),
        "ended_at": run.optional("endedAt", run.date),
    }
