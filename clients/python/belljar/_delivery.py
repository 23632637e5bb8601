"""The callbacks of a run: called in order, one after another, each line once."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from ._errors import FinalFailure
from ._io import IO, Deadline
from ._result import Display, ExecutionResult
from ._run_options import OutputLine

_CALLBACKS = ("on_stdout", "on_stderr", "on_display", "on_result", "on_error")


def has_callbacks(options: Mapping[str, Any]) -> bool:
    """Whether any callback is given."""
    return any(options.get(name) is not None for name in _CALLBACKS)


class Delivery:
    """The reports of one call, over all its attempts. A callback that raises is a FinalFailure."""

    def __init__(self, io: IO, options: Mapping[str, Any], deadline: Deadline) -> None:
        self._io = io
        self._options = options
        self._deadline = deadline
        self._reported = {"stdout": 0, "stderr": 0, "display": 0}
        self._heard = dict(self._reported)

    def restart(self) -> None:
        """An attempt begins. Events of earlier attempts are not reported again."""
        self._heard = {"stdout": 0, "stderr": 0, "display": 0}

    async def line(self, stream: str, text: str) -> None:
        """A line has arrived."""
        if self._is_new(stream):
            line = OutputLine(text)
            line.timestamp = time.time() * 1000
            await self._call(f"on_{stream}", line)

    async def display(self, display: Display) -> None:
        """A display has arrived."""
        if self._is_new("display"):
            await self._call("on_display", display)

    async def finish(self, result: ExecutionResult) -> None:
        """The result has arrived: reports it, and all that was not streamed."""
        for stream, lines in (("stdout", result.logs.stdout), ("stderr", result.logs.stderr)):
            for text in lines[self._heard[stream] :]:
                await self.line(stream, text)
        for display in result.displays[self._heard["display"] :]:
            await self.display(display)
        for entry in result.results:
            await self._call("on_result", entry)
        if result.error is not None:
            await self._call("on_error", result.error)

    def _is_new(self, kind: str) -> bool:
        self._heard[kind] += 1
        if self._heard[kind] <= self._reported[kind]:
            return False
        self._reported[kind] += 1
        return True

    async def _call(self, name: str, argument: object) -> None:
        callback = self._options.get(name)
        if callback is None:
            return
        try:
            await self._io.invoke(callback, argument, self._deadline)
        except Exception as thrown:
            raise FinalFailure(thrown, is_callback=True) from thrown
