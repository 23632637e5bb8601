"""The input and output that the client needs.

Everything of the client but this is written once, as coroutines over these interfaces. The blocking
client implements them with functions that never suspend, so that `run_blocking` can run the same
coroutines without an event loop.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, Union

import httpx

from ._errors import ConnectionFailed

T = TypeVar("T")


class Deadline:
    """When a call ends. `seconds` is its longest time; None: it has no end."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._at = None if seconds is None else time.monotonic() + seconds

    def left(self) -> float | None:
        """Seconds that are left; None without an end. Raises TimeoutError when none are."""
        if self._at is None:
            return None
        left = self._at - time.monotonic()
        if left <= 0:
            raise self.over()
        return left

    @property
    def is_over(self) -> bool:
        """Whether no time is left, within the precision of timers."""
        return self._at is not None and self._at - time.monotonic() < 0.002

    def over(self) -> TimeoutError:
        """The error of a call that took too long."""
        return TimeoutError(f"The call took longer than {self._seconds:g} s")


@dataclass(frozen=True)
class Request:
    """A request to the service."""

    method: str
    path: str
    """The path and query, below the address of the service."""
    headers: Mapping[str, str]
    body: bytes | None = None

    @property
    def outcome(self) -> str:
        """What a broken connection leaves open."""
        return (
            "The run may have happened"
            if "/execute" in self.path
            else "The call may have been done"
        )


class Answer(Protocol):
    """An answer whose body is read piece by piece."""

    status: int
    headers: Mapping[str, str]

    async def piece(self, deadline: Deadline) -> bytes | None:
        """The next bytes of the body; None at its end. Raises ConnectionFailed."""

    async def close(self) -> None:
        """Ends the answer, whether or not it is read."""

    def broke(self) -> ConnectionFailed:
        """The error for this answer, if it ends too early."""


@dataclass(frozen=True)
class Piece:
    """Bytes of the stream that an inbox follows; None at its end."""

    data: bytes | None
    of: Answer


@dataclass(frozen=True)
class Broken:
    """The stream that an inbox follows broke."""

    error: Exception
    of: Answer


@dataclass(frozen=True)
class Performed:
    """A function of the caller has ended."""

    key: str
    value: Any = None
    error: Exception | None = None
    is_question: bool = False


Item = Union[Piece, Broken, Performed]


class Inbox(Protocol):
    """Collects, for one run, the pieces of its stream and the outcomes of the caller's functions."""

    def follow(self, answer: Answer) -> None:
        """Begins to read an answer to its end, however slowly items are taken."""

    def perform(self, key: str, function: Callable[[], Any]) -> None:
        """Begins a tool beside everything else."""

    async def ask(self, key: str, function: Callable[[], Any]) -> None:
        """Begins a question to the caller."""

    async def take(self, seconds: float | None) -> Item | None:
        """The next item; None when there is none in time."""

    async def leave(self) -> None:
        """Ends the answer that it follows, if any."""

    async def close(self) -> None:
        """Ends everything that has begun."""


class IO(Protocol):
    """Sends requests, waits, and calls functions of the caller."""

    is_blocking: bool

    async def open(self, request: Request, deadline: Deadline) -> Answer:
        """Sends a request. Raises ConnectionFailed."""

    async def sleep(self, seconds: float, deadline: Deadline) -> None:
        """Waits. Raises TimeoutError."""

    async def invoke(
        self, function: Callable[..., Any], argument: object, deadline: Deadline
    ) -> Any:
        """Calls a callback, and awaits what it returns if that is awaitable."""

    def inbox(self) -> Inbox:
        """A new inbox."""

    async def close(self) -> None:
        """Closes all connections."""


def run_blocking(coroutine: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine over blocking input and output."""
    try:
        coroutine.send(None)
    except StopIteration as ended:
        result: T = ended.value
        return result
    finally:
        coroutine.close()
    raise RuntimeError("Blocking input and output never suspends")


def request_failed(address: str, request: Request, cause: Exception) -> ConnectionFailed:
    """The error for a request without an answer."""
    reason = _unsent_reason(cause)
    if reason is not None:
        message = f"Belljar at {address} does not answer ({reason}). Nothing was sent"
    else:
        message = f"Belljar at {address} did not answer, or the connection broke. {request.outcome}"
    sent = reason is None
    return ConnectionFailed(message, context={"address": address, "sent": sent})


def answer_broke(address: str, request: Request) -> ConnectionFailed:
    """The error for an answer that breaks off."""
    message = f"The connection to Belljar at {address} broke before its answer was whole. "
    context = {"address": address, "sent": True}
    return ConnectionFailed(message + request.outcome, context=context)


def _unsent_reason(cause: Exception) -> str | None:
    """Why nothing was sent; None if something may have been."""
    if isinstance(cause, (httpx.ConnectTimeout, httpx.PoolTimeout)):
        return "no answer to the connection"
    if isinstance(cause, httpx.ProxyError):
        return "its proxy refuses the connection"
    if not isinstance(cause, (httpx.ConnectError, httpx.UnsupportedProtocol)):
        return None
    text = str(cause).lower()
    if "refused" in text or "all connection attempts failed" in text:
        return "connection refused"
    if "certificate" in text:
        return "its certificate is not valid"
    names = ("name or service", "nodename", "name resolution", "getaddrinfo", "no address")
    return "unknown host" if any(name in text for name in names) else "no connection"
