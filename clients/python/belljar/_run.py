"""A run: its request, and its stream while it happens (docs/contract.md#streaming).

A program with tools or `on_input` may wait for its caller: what it waits for is performed and
answered meanwhile. When the connection breaks, such a run is followed by single requests
(docs/calls.md).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ._call import (
    MAX_ANSWER_BYTES,
    Endpoint,
    expect_shape,
    json_request,
    raise_answer,
    read_json,
    service_error,
)
from ._delivery import Delivery, has_callbacks
from ._errors import ConnectionFailed, FinalFailure, SandboxError, unexpected_answer
from ._io import Answer, Broken, Deadline, Performed
from ._json_shape import JsonShape
from ._operator_tools import decision
from ._result import (
    ExecutionResult,
    PendingCall,
    PendingInput,
    Waiting,
    read_call,
    read_display,
    read_execution_result,
    read_input,
)
from ._run_options import may_wait
from ._tools import answer_error, answer_value, bound_call

NDJSON = "application/x-ndjson"
STREAM_OR_JSON = f"{NDJSON}, application/json;q=0.9"
MAX_LINE_BYTES = MAX_ANSWER_BYTES + 1024
"""A line holds at most a whole answer, and the name of its event."""
MAX_STREAM_BYTES = 2 * MAX_ANSWER_BYTES
"""A stream has output and displays twice: as events, and in the result."""
CLOSING_S = 0.1
"""How long the end of the stream may come after its last event, in seconds."""
LOOK_S = 1.0
"""Between two looks at a run that goes on by itself, in seconds."""
CANCEL_S = 5.0
"""For the cancellation of a run whose call has ended, in seconds."""
REFUSALS = ("CALL_ANSWERED", "CALL_NOT_FOUND", "RUN_NOT_FOUND", "VALIDATION_FAILED")
"""Refusals of answers that leave the run as it is."""


async def perform_run(
    endpoint: Endpoint,
    path: str,
    body: Mapping[str, Any],
    headers: Mapping[str, str],
    options: Mapping[str, Any],
) -> ExecutionResult:
    """Performs a run below an endpoint, and has its callbacks called.

    `path`: of the run, below the endpoint. Its runs are at `/runs`. Raises SandboxError,
    TimeoutError, and what a callback raises.
    """
    deadline = endpoint.deadline(options.get("timeout"))
    is_repeatable = "idempotency-key" in headers
    if may_wait(options) or has_callbacks(options):
        run = _HeardRun(endpoint, path, body, headers, options, deadline)
        return await run.perform(is_repeatable)
    return await endpoint.json(
        "POST",
        path,
        read_execution_result,
        body=body,
        headers=headers,
        is_repeatable=is_repeatable,
        deadline=deadline,
    )


class _HeardRun:
    """A run whose callbacks are called while it happens."""

    def __init__(
        self,
        endpoint: Endpoint,
        path: str,
        body: Mapping[str, Any],
        headers: Mapping[str, str],
        options: Mapping[str, Any],
        deadline: Deadline,
    ) -> None:
        self._endpoint = endpoint
        self._request = json_request("POST", path, body, {"accept": STREAM_OR_JSON, **headers})
        self._options = options
        self._deadline = deadline
        self._delivery = Delivery(endpoint.io, options, deadline)
        self._inbox = endpoint.io.inbox()
        self._run: str | None = None
        self._known: set[str] = set()
        self._approvals: set[str] = set()

    async def perform(self, is_repeatable: bool) -> ExecutionResult:
        try:
            result = await self._begin(is_repeatable)
            if result.waiting is not None and may_wait(self._options):
                return await self._follow(result.waiting)
            return result
        except FinalFailure as failure:
            if failure.is_callback:
                await self._cancel()
            # what a callback raises reaches the caller as it is
            raise failure.thrown from failure.thrown.__cause__
        except SandboxError:
            raise
        except BaseException:
            # an ended call must not leave a program that waits for nobody
            await self._cancel()
            raise
        finally:
            await self._inbox.close()

    async def _begin(self, is_repeatable: bool) -> ExecutionResult:
        """The result, or a state in which the program waits."""

        async def receive(answer: Answer, deadline: Deadline) -> ExecutionResult:
            self._delivery.restart()
            if is_run_stream(answer):
                return await self._hear(answer, is_repeatable)
            result = await read_json(answer, deadline, 200, read_execution_result)
            if result.waiting is None:
                await self._delivery.finish(result)
            return result

        try:
            return await self._endpoint.exchange(
                self._request, receive, is_repeatable=is_repeatable, deadline=self._deadline
            )
        except FinalFailure as failure:
            broken = failure.thrown
            is_broken = isinstance(broken, ConnectionFailed) and not failure.is_callback
            if self._run is None or not is_broken:
                raise
            return await self._look(broken)

    async def _hear(self, answer: Answer, is_repeatable: bool) -> ExecutionResult:
        """Reads the stream of the run to its result, and answers meanwhile."""
        self._inbox.follow(answer)
        try:
            return await self._listen(answer)
        except SandboxError as error:
            # once its stream exists, a run has begun: it is repeated only if the service can
            # recognise it, and one that can wait is followed
            if is_repeatable and self._run is None:
                raise
            raise FinalFailure(error, is_callback=False) from error
        finally:
            await self._inbox.leave()

    async def _listen(self, answer: Answer) -> ExecutionResult:
        lines = _Lines()
        while True:
            item = await self._inbox.take(self._deadline.left())
            if item is None:
                raise self._deadline.over()
            if isinstance(item, Performed):
                await self._give([self._answer(item)], self._confirm)
            elif item.of is not answer:
                continue  # of an earlier attempt
            elif isinstance(item, Broken):
                raise item.error
            elif item.data is None:
                raise answer.broke()
            else:
                for line in lines.of(item.data):
                    result = await self._event(line)
                    if result is not None:
                        # so that the connection can be used again
                        await self._inbox.take(CLOSING_S)
                        await self._delivery.finish(result)
                        return result

    async def _event(self, line: bytes) -> ExecutionResult | None:
        """Takes one event; the result with the last one. Types of later versions are ignored."""
        if line.strip() == b"":
            return None
        event = expect_shape(200, lambda: JsonShape.parse(line))
        kind = expect_shape(200, lambda: event.string("type"))
        if kind in ("stdout", "stderr"):
            await self._delivery.line(kind, expect_shape(200, lambda: event.string("text")))
        elif kind == "display":
            await self._delivery.display(
                expect_shape(200, lambda: read_display(event.object("display")))
            )
        elif kind == "start":
            if event.has("run"):
                self._run = expect_shape(200, lambda: event.string("run"))
        elif kind == "call":
            await self._call(expect_shape(200, lambda: read_call(event.object("call"))))
        elif kind == "input":
            await self._ask(expect_shape(200, lambda: read_input(event)))
        elif kind == "end":
            return expect_shape(200, lambda: read_execution_result(event.object("execution")))
        elif kind == "failed":
            raise expect_shape(200, lambda: _failure_of(event.object("error")))
        return None

    async def _call(self, call: PendingCall) -> None:
        """Begins a call of a tool, or the decision about one of the operator's."""
        if call.key in self._known:
            return
        self._known.add(call.key)
        if call.approval is None:
            function = bound_call(self._options.get("tools"), call.name, call.arguments)
            return self._inbox.perform(call.key, function)
        on_approval = self._options.get("on_approval")
        if on_approval is not None:
            self._approvals.add(call.key)
            await self._inbox.ask(call.key, partial(on_approval, call))

    async def _ask(self, question: PendingInput) -> None:
        """Begins a question to the caller."""
        on_input = self._options.get("on_input")
        if question.key not in self._known and on_input is not None:
            self._known.add(question.key)
            await self._inbox.ask(question.key, partial(on_input, question.prompt))

    def _answer(self, done: Performed) -> dict[str, Any]:
        if done.error is None and done.key in self._approvals:
            return decision(done.key, done.value)
        if done.error is None:
            return answer_value(done.key, done.value)
        if done.is_question:
            raise FinalFailure(done.error, is_callback=True)
        return answer_error(done.key, done.error)

    async def _follow(self, waiting: Waiting) -> ExecutionResult:
        """Follows the run by single requests, to its result."""
        while True:
            self._run = waiting.run
            for call in waiting.calls:
                await self._call(call)
            if waiting.input is not None:
                await self._ask(waiting.input)
            answers = await self._ready(_look_in(waiting))
            result = await self._post_each(answers)
            if result is None:
                result = await self._post([])
            if result.waiting is None:
                self._delivery.restart()
                await self._delivery.finish(result)
                return result
            waiting = result.waiting

    async def _ready(self, seconds: float) -> list[dict[str, Any]]:
        """The answers that are ready. Waits for the first, at most so many seconds."""
        answers: list[dict[str, Any]] = []
        left = self._deadline.left()
        longest = seconds if left is None else min(left, seconds)
        item = await self._inbox.take(longest)
        while item is not None:
            # what is left of a stream that broke is not needed
            if isinstance(item, Performed):
                answers.append(self._answer(item))
            item = await self._inbox.take(0)
        self._deadline.left()
        return answers

    async def _post_each(self, answers: list[dict[str, Any]]) -> ExecutionResult | None:
        latest: list[ExecutionResult] = []

        async def send(some: list[dict[str, Any]]) -> None:
            latest.append(await self._post(some))

        await self._give(answers, send)
        return latest[-1] if latest else None

    async def _look(self, broken: Exception) -> ExecutionResult:
        """The present state of a run whose connection broke with this error."""
        try:
            result = await self._post([])
        except SandboxError as error:
            if error.code == "RUN_NOT_FOUND":
                raise broken from None
            raise
        if result.waiting is None:
            self._delivery.restart()
            await self._delivery.finish(result)
        return result

    async def _give(self, answers: list[dict[str, Any]], send: Any) -> None:
        """Gives answers. The service takes all of a list or none: when it refuses one, each is given
        alone. A call that is withdrawn or answered by somebody else needs no answer, and a value that
        the service refuses becomes an error of the call."""
        if not answers:
            return
        try:
            await send(answers)
        except SandboxError as error:
            if error.code not in REFUSALS:
                raise
            if len(answers) > 1:
                for answer in answers:
                    await self._give([answer], send)
            elif error.code == "VALIDATION_FAILED":
                if "value" not in answers[0]:
                    raise
                refused = {"key": answers[0]["key"], "error": {"message": error.message}}
                await self._give([refused], send)

    async def _confirm(self, answers: list[dict[str, Any]]) -> None:
        """Returns when the answers are stored; the stream of the run tells the rest."""

        async def receive(answer: Answer, deadline: Deadline) -> None:
            if answer.status != 200:
                await raise_answer(answer, deadline)

        path = f"/runs/{self._run}/answers"
        headers = {"accept": STREAM_OR_JSON}
        request = json_request("POST", path, {"answers": answers}, headers)
        await self._endpoint.exchange(request, receive, is_repeatable=True, deadline=self._deadline)

    async def _post(self, answers: list[dict[str, Any]]) -> ExecutionResult:
        return await self._endpoint.json(
            "POST",
            f"/runs/{self._run}/answers",
            read_execution_result,
            body={"answers": answers},
            is_repeatable=True,
            deadline=self._deadline,
        )

    async def _cancel(self) -> None:
        """Cancels a run that has begun and can wait. One that has ended is not changed by that."""
        if self._run is None:
            return
        try:
            await replace(self._endpoint, retry=False).json(
                "DELETE", f"/runs/{self._run}", lambda _body: None, deadline=Deadline(CANCEL_S)
            )
        except (SandboxError, TimeoutError):
            pass


class _Lines:
    """The lines of a stream, without their newlines. What follows the last newline is no line."""

    def __init__(self) -> None:
        self._rest: list[bytes] = []
        self._length = 0
        self._total = 0

    def of(self, data: bytes) -> list[bytes]:
        """The lines that end in these bytes."""
        self._total += len(data)
        if self._total > MAX_STREAM_BYTES:
            raise unexpected_answer(f"The answer is larger than {MAX_STREAM_BYTES} bytes", 200)
        *ended, rest = data.split(b"\n")
        lines = []
        for piece in ended:
            lines.append(b"".join([*self._rest, piece]))
            self._rest, self._length = [], 0
        if rest:
            self._rest.append(rest)
            self._length += len(rest)
        if self._length > MAX_LINE_BYTES:
            raise unexpected_answer(
                f"A line of the answer is larger than {MAX_LINE_BYTES} bytes", 200
            )
        return lines


def is_run_stream(answer: Answer) -> bool:
    """Whether an answer is a stream of events."""
    kind = answer.headers.get("content-type", "").split(";")[0].strip().lower()
    return answer.status == 200 and kind == NDJSON


def _failure_of(error: JsonShape) -> SandboxError:
    return service_error(error, error.integer("httpStatus"), None)


def _look_in(waiting: Waiting) -> float:
    """Seconds to wait for an answer before the next look at the run."""
    if waiting.until is not None:
        return min(LOOK_S, max(0.0, waiting.until / 1000 - time.time()))
    return LOOK_S if waiting.calls or waiting.input is not None else 0.0
