"""Input and output of the blocking client: threads beside the caller's own."""

from __future__ import annotations

import contextlib
import contextvars
import inspect
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import httpx

from ._errors import ConnectionFailed, validation_failed
from ._io import (
    Answer,
    Broken,
    Deadline,
    Item,
    Performed,
    Piece,
    Request,
    answer_broke,
    request_failed,
)

CONNECT_S = 30.0
"""The longest time until a connection is open, in seconds."""


class BlockingAnswer:
    """An answer of the blocking client."""

    def __init__(self, response: httpx.Response, address: str, request: Request) -> None:
        self.status = response.status_code
        self.headers: Mapping[str, str] = response.headers
        self._response = response
        self._address = address
        self._request = request
        self._pieces: Iterator[bytes] = response.iter_bytes()

    async def piece(self, deadline: Deadline) -> bytes | None:
        return self.read(deadline)

    def read(self, deadline: Deadline) -> bytes | None:
        """The next bytes; None at the end."""
        deadline.left()
        try:
            return next(self._pieces, None)
        except (httpx.HTTPError, httpx.StreamError, OSError) as cause:
            deadline.left()
            raise self.broke() from cause

    async def close(self) -> None:
        self._response.close()

    def broke(self) -> ConnectionFailed:
        return answer_broke(self._address, self._request)

    def interrupt(self) -> None:
        """Ends a read of another thread, which closing alone does not."""
        stream = self._response.extensions.get("network_stream")
        with contextlib.suppress(Exception):
            connection = stream.get_extra_info("socket") if stream is not None else None
            if connection is not None:
                connection.shutdown(socket.SHUT_RDWR)


class BlockingInbox:
    """An inbox whose items come from threads."""

    def __init__(self) -> None:
        self._items: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self._followed: BlockingAnswer | None = None
        self._is_read = threading.Event()

    def follow(self, answer: Answer) -> None:
        assert isinstance(answer, BlockingAnswer)
        self._followed = answer
        self._is_read = threading.Event()
        _start(self._read, answer, self._is_read)

    def _read(self, answer: BlockingAnswer, is_read: threading.Event) -> None:
        try:
            while True:
                data = answer.read(Deadline(None))
                if data is None:
                    # before the last item, so that whoever takes it may close the answer
                    is_read.set()
                self._items.put(Piece(data, answer))
                if data is None:
                    return
        except Exception as error:  # noqa: BLE001 - it is told where the item is taken
            self._items.put(Broken(error, answer))
        finally:
            is_read.set()

    def perform(self, key: str, function: Callable[[], Any]) -> None:
        _start(self._perform, key, function, False)

    async def ask(self, key: str, function: Callable[[], Any]) -> None:
        # in the caller's own thread, which may read from a terminal
        self._perform(key, function, True)

    def _perform(self, key: str, function: Callable[[], Any], is_question: bool) -> None:
        try:
            value = _not_awaitable(function())
            self._items.put(Performed(key, value, is_question=is_question))
        except Exception as error:  # noqa: BLE001 - it is told where the item is taken
            self._items.put(Performed(key, error=error, is_question=is_question))
        except BaseException as error:
            if is_question:  # it is the caller's own thread
                raise
            self._items.put(Performed(key, error=ordinary(error)))

    async def take(self, seconds: float | None) -> Item | None:
        try:
            return self._items.get(timeout=seconds)
        except queue.Empty:
            return None

    async def close(self) -> None:
        # threads of tools cannot be ended: their outcomes reach nobody
        await self.leave()

    async def leave(self) -> None:
        answer, self._followed = self._followed, None
        if answer is None:
            return
        if not self._is_read.is_set():
            answer.interrupt()
            self._is_read.wait(1)
        if self._is_read.is_set():
            await answer.close()


class BlockingIO:
    """Requests of the blocking client. Threads may share it."""

    is_blocking = True

    def __init__(
        self,
        address: str,
        headers: Mapping[str, str],
        transport: httpx.BaseTransport | None,
    ) -> None:
        self._address = address
        self._client = httpx.Client(
            headers=headers,
            transport=transport,
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=20),
        )

    async def open(self, request: Request, deadline: Deadline) -> Answer:
        left = deadline.left()
        built = self._client.build_request(
            request.method,
            self._address + request.path,
            headers=request.headers,
            content=request.body,
            timeout=time_limits(left),
        )
        try:
            return BlockingAnswer(self._client.send(built, stream=True), self._address, request)
        except (httpx.HTTPError, OSError) as cause:
            deadline.left()
            raise request_failed(self._address, request, cause) from cause

    async def sleep(self, seconds: float, deadline: Deadline) -> None:
        left = deadline.left()
        time.sleep(seconds if left is None else min(seconds, left))
        deadline.left()

    async def invoke(
        self, function: Callable[..., Any], argument: object, deadline: Deadline
    ) -> Any:
        deadline.left()
        return _not_awaitable(function(argument))

    def inbox(self) -> BlockingInbox:
        return BlockingInbox()

    async def close(self) -> None:
        self._client.close()


def time_limits(left: float | None) -> httpx.Timeout:
    """The time limits of a request, for the seconds that are left."""
    connect = CONNECT_S if left is None else min(left, CONNECT_S)
    return httpx.Timeout(left, connect=connect)


def ordinary(thrown: BaseException) -> Exception:
    """An error for what a function throws in a thread of its own, `sys.exit()` among it."""
    if isinstance(thrown, Exception) and not isinstance(thrown, StopIteration):
        return thrown
    return RuntimeError(f"{type(thrown).__name__}: {thrown}")


def _not_awaitable(value: Any) -> Any:
    if not inspect.isawaitable(value):
        return value
    if inspect.iscoroutine(value):
        value.close()
    raise validation_failed("An asynchronous function needs AsyncClient")


def _start(function: Callable[..., None], *arguments: Any) -> threading.Thread:
    """Runs a function in a thread, which does not keep the process alive, with the same context."""
    context = contextvars.copy_context()
    thread = threading.Thread(target=context.run, args=(function, *arguments), daemon=True)
    thread.start()
    return thread
