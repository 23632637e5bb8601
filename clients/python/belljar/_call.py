"""One call: sends a request, retries where that is safe, and has the answer read.

The other side is not trusted: an endless body, one that is not JSON or has another shape, and a
proxy's page become a SandboxError.
"""

from __future__ import annotations

import random
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from ._errors import (
    ConnectionFailed,
    SandboxError,
    sandbox_error,
    unexpected_answer,
    validation_failed,
)
from ._io import IO, Answer, Deadline, Request
from ._json_shape import JsonShape, ShapeError, json_bytes

T = TypeVar("T")

MAX_ANSWER_BYTES = 64 * 1024 * 1024
"""Maximum answer that is read. Those of the service are a few MiB at most."""
NO_ANSWER = (502, 503, 504)
"""Statuses with which a proxy says that it got no answer from the service."""


@dataclass(frozen=True)
class Retry:
    """How to retry calls that the service refused before they started (429, 503), connections that
    could not be opened, and runs with an `idempotency_key` whose connection broke."""

    attempts: int = 4
    """Maximum number of attempts, including the first."""
    base_delay: float = 0.25
    """The jitter after the first refusal is below this, in seconds; it doubles each time."""
    max_delay: float = 30.0
    """Longest wait, in seconds. When the service asks for a longer one, the call fails at once."""


@dataclass(frozen=True)
class Endpoint:
    """Where calls go."""

    io: IO
    retry: Retry | Literal[False]
    timeout: float | None
    """Longest time of a call in seconds; None: no end."""
    prefix: str = ""
    """Begins each path."""

    def below(self, prefix: str) -> Endpoint:
        """The same, with a longer prefix."""
        return replace(self, prefix=self.prefix + prefix)

    def deadline(self, timeout: float | None = None) -> Deadline:
        """The end of a call that begins now."""
        return Deadline(checked_timeout(timeout) if timeout is not None else self.timeout)

    async def json(
        self,
        method: str,
        path: str,
        read: Callable[[JsonShape], T],
        *,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        status: int = 200,
        is_repeatable: bool = False,
        deadline: Deadline | None = None,
    ) -> T:
        """Performs a call with JSON. Raises SandboxError and TimeoutError."""

        async def receive(answer: Answer, end: Deadline) -> T:
            return await read_json(answer, end, status, read)

        request = json_request(method, path, body, headers)
        return await self.exchange(request, receive, is_repeatable=is_repeatable, deadline=deadline)

    async def exchange(
        self,
        request: Request,
        receive: Callable[[Answer, Deadline], Awaitable[T]],
        *,
        is_repeatable: bool = False,
        deadline: Deadline | None = None,
        keep_open: bool = False,
    ) -> T:
        """Sends a request and has its answer read, again while that is safe.

        `is_repeatable`: it has the same effect once and several times. `keep_open`: an answer that is
        received stays open.
        """
        end = self.deadline() if deadline is None else deadline
        request = replace(request, path=self.prefix + request.path)
        attempt = 1
        while True:
            try:
                return await self._attempt(request, receive, end, keep_open)
            except SandboxError as error:
                wait = self._retry_delay(error, attempt, is_repeatable)
                if wait is None:
                    raise
            await self.io.sleep(wait, end)
            attempt += 1

    async def _attempt(
        self,
        request: Request,
        receive: Callable[[Answer, Deadline], Awaitable[T]],
        end: Deadline,
        keep_open: bool,
    ) -> T:
        answer = await self.io.open(request, end)
        is_received = False
        try:
            result = await receive(answer, end)
            is_received = True
            return result
        finally:
            if not (keep_open and is_received):
                await answer.close()

    def _retry_delay(self, error: SandboxError, attempt: int, is_repeatable: bool) -> float | None:
        """Seconds to wait before a retry: as long as the service asked for, plus a jitter that grows
        with each attempt. None: no retry."""
        rules = self.retry
        may_repeat = error.retryable or (is_repeatable and isinstance(error, ConnectionFailed))
        if rules is False or attempt >= rules.attempts or not may_repeat:
            return None
        asked = (error.retry_after_ms or 0) / 1000
        if asked > rules.max_delay:
            return None
        jitter = random.random() * rules.base_delay * 2.0 ** (attempt - 1)
        return min(rules.max_delay, asked + jitter)


def checked_timeout(timeout: object) -> float:
    """A number of seconds. Raises ValidationFailedError."""
    is_number = isinstance(timeout, (int, float)) and not isinstance(timeout, bool)
    if not is_number or not 0 <= timeout < float("inf"):  # type: ignore[operator]
        raise validation_failed("timeout must be a number of seconds, 0 or more")
    return float(timeout)  # type: ignore[arg-type]


def json_request(
    method: str,
    path: str,
    body: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Request:
    """A request whose body, if there is one, is sent as JSON."""
    all_headers = {"accept": "application/json", **(headers or {})}
    if body is None:
        return Request(method, path, all_headers)
    try:
        encoded = json_bytes(body)
    except (TypeError, ValueError) as cause:
        raise validation_failed(f"The call cannot be said in JSON: {cause}") from cause
    return Request(method, path, {**all_headers, "content-type": "application/json"}, encoded)


async def read_json(
    answer: Answer,
    deadline: Deadline,
    status: int,
    read: Callable[[JsonShape], T],
) -> T:
    """Reads an answer. Raises the error that it contains, or the error of reading it."""
    text = await read_body(answer, deadline)
    if answer.status != status:
        raise error_of(answer, text)
    return expect_shape(answer.status, lambda: read(JsonShape.parse(text)))


async def read_body(answer: Answer, deadline: Deadline, max_bytes: int = MAX_ANSWER_BYTES) -> bytes:
    """Reads the whole body of an answer, of at most so many bytes."""
    pieces: list[bytes] = []
    length = 0
    while (piece := await answer.piece(deadline)) is not None:
        length += len(piece)
        if length > max_bytes:
            raise unexpected_answer(f"The answer is larger than {max_bytes} bytes", answer.status)
        pieces.append(piece)
    return b"".join(pieces)


async def raise_answer(answer: Answer, deadline: Deadline) -> None:
    """Reads an answer that is no success, and raises the error that it contains."""
    raise error_of(answer, await read_body(answer, deadline))


def expect_shape(status: int, read: Callable[[], T]) -> T:
    """Reads a successful answer; another shape than the expected one is a SandboxError."""
    try:
        return read()
    except ShapeError as cause:
        message = f"The service answered with something unexpected: {cause}"
        raise unexpected_answer(message, status) from cause


def service_error(shape: JsonShape, http_status: int, retry_after_ms: float | None) -> SandboxError:
    """The error of an ErrorResponse (docs/contract.md#errorresponse)."""
    context = shape.fields.get("context")
    timestamp = shape.fields.get("timestamp")
    operation = shape.fields.get("operation")
    return sandbox_error(
        shape.string("message"),
        code=shape.string("code"),
        http_status=http_status,
        context=context if isinstance(context, dict) else None,
        timestamp=timestamp if isinstance(timestamp, str) else None,
        operation=operation if isinstance(operation, str) else None,
        retry_after_ms=exact_wait(shape) if retry_after_ms is None else retry_after_ms,
    )


def exact_wait(shape: JsonShape) -> float | None:
    """The milliseconds to wait in an ErrorResponse."""
    context = shape.fields.get("context")
    wait = context.get("retryAfterMs") if isinstance(context, dict) else None
    if isinstance(wait, bool) or not isinstance(wait, (int, float)) or wait < 0:
        return None
    return wait


def error_of(answer: Answer, text: bytes) -> SandboxError:
    """The error in an answer with another status."""
    header = answer.headers.get("retry-after", "")
    wait = float(header) * 1000 if re.fullmatch(r"[0-9]{1,9}", header) else None
    try:
        shape = JsonShape.parse(text)
        if shape.string("code") != "" and shape.string("message") != "":
            exact = exact_wait(shape)
            return service_error(shape, answer.status, wait if exact is None else exact)
    except ShapeError:
        pass
    return _foreign_error(answer.status, wait)


def _foreign_error(status: int, retry_after_ms: float | None) -> SandboxError:
    """An error that is not from the service: from a proxy, or something else at that address."""
    message = f"The service answered with status {status}"
    details: dict[str, Any] = {"http_status": status, "retry_after_ms": retry_after_ms}
    if status in NO_ANSWER:
        return ConnectionFailed(message, code="INTERNAL_ERROR", **details)
    codes = {401: "UNAUTHORIZED", 429: "RATE_LIMITED"}
    return sandbox_error(message, code=codes.get(status, "INTERNAL_ERROR"), **details)
