"""Input and output of the asynchronous client: tasks of asyncio."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from typing import Any, TypeVar

import httpx

from ._blocking_io import ordinary, time_limits
from ._errors import ConnectionFailed
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

T = TypeVar("T")


class AsyncAnswer:
    """An answer of the asynchronous client."""

    def __init__(self, response: httpx.Response, address: str, request: Request) -> None:
        self.status = response.status_code
        self.headers: Mapping[str, str] = response.headers
        self._response = response
        self._address = address
        self._request = request
        self._pieces: AsyncIterator[bytes] = response.aiter_bytes()

    async def piece(self, deadline: Deadline) -> bytes | None:
        try:
            return await _within(deadline, anext(self._pieces, None))
        except (httpx.HTTPError, httpx.StreamError, OSError) as cause:
            deadline.left()
            raise self.broke() from cause

    async def close(self) -> None:
        await self._response.aclose()

    def broke(self) -> ConnectionFailed:
        return answer_broke(self._address, self._request)


class AsyncInbox:
    """An inbox whose items come from tasks."""

    def __init__(self) -> None:
        self._items: asyncio.Queue[Item] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()
        self._followed: Answer | None = None
        self._reader: asyncio.Task[None] | None = None

    def follow(self, answer: Answer) -> None:
        self._followed = answer
        self._reader = self._start(self._read(answer))

    async def _read(self, answer: Answer) -> None:
        try:
            while True:
                data = await answer.piece(Deadline(None))
                self._items.put_nowait(Piece(data, answer))
                if data is None:
                    return
        except Exception as error:  # noqa: BLE001 - it is told where the item is taken
            self._items.put_nowait(Broken(error, answer))

    def perform(self, key: str, function: Callable[[], Any]) -> None:
        self._start(self._perform(key, function, False))

    async def ask(self, key: str, function: Callable[[], Any]) -> None:
        self._start(self._perform(key, function, True))

    async def _perform(self, key: str, function: Callable[[], Any], is_question: bool) -> None:
        try:
            value = await _called(function)
            self._items.put_nowait(Performed(key, value, is_question=is_question))
        except Exception as error:  # noqa: BLE001 - it is told where the item is taken
            self._items.put_nowait(Performed(key, error=error, is_question=is_question))

    async def take(self, seconds: float | None) -> Item | None:
        if not self._items.empty():
            return self._items.get_nowait()
        try:
            return await asyncio.wait_for(self._items.get(), seconds)
        except asyncio.TimeoutError:
            return None

    async def leave(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)
        answer, self._followed = self._followed, None
        if answer is not None:
            await answer.close()

    async def close(self) -> None:
        tasks, self._tasks = self._tasks, set()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.leave()

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


class AsyncIO:
    """Requests of the asynchronous client, of one event loop."""

    is_blocking = False

    def __init__(
        self,
        address: str,
        headers: Mapping[str, str],
        transport: httpx.AsyncBaseTransport | None,
    ) -> None:
        self._address = address
        self._client = httpx.AsyncClient(
            headers=headers,
            transport=transport,
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=20),
        )

    async def open(self, request: Request, deadline: Deadline) -> Answer:
        built = self._client.build_request(
            request.method,
            self._address + request.path,
            headers=request.headers,
            content=request.body,
            timeout=time_limits(deadline.left()),
        )
        try:
            response = await _within(deadline, self._client.send(built, stream=True))
        except (httpx.HTTPError, OSError) as cause:
            deadline.left()
            raise request_failed(self._address, request, cause) from cause
        return AsyncAnswer(response, self._address, request)

    async def sleep(self, seconds: float, deadline: Deadline) -> None:
        await _within(deadline, asyncio.sleep(seconds))

    async def invoke(
        self, function: Callable[..., Any], argument: object, deadline: Deadline
    ) -> Any:
        value = function(argument)
        return await _within(deadline, value) if inspect.isawaitable(value) else value

    def inbox(self) -> AsyncInbox:
        return AsyncInbox()

    async def close(self) -> None:
        await self._client.aclose()


async def _within(deadline: Deadline, work: Awaitable[T]) -> T:
    left = deadline.left()
    if left is None:
        return await work
    try:
        return await asyncio.wait_for(work, left)
    except asyncio.TimeoutError:
        if deadline.is_over:
            raise deadline.over() from None
        raise


async def _called(function: Callable[[], Any]) -> Any:
    """Calls a function: one that is not asynchronous in a thread, so that it may block."""
    if is_asynchronous(function):
        return await function()
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[Any] = loop.create_future()

    def settle(value: Any, error: Exception | None) -> None:
        if outcome.done():
            return
        if error is None:
            outcome.set_result(value)
        else:
            outcome.set_exception(error)

    def work() -> None:
        value, error = None, None
        try:
            value = function()
        except BaseException as thrown:  # noqa: BLE001 - it is raised where the outcome is awaited
            error = ordinary(thrown)
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, value, error)

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(work,), daemon=True).start()
    value = await outcome
    return await value if inspect.isawaitable(value) else value


def is_asynchronous(function: Callable[..., Any]) -> bool:
    """Whether calling a function gives a coroutine."""
    function = getattr(function, "func", function)
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)
    )
