"""Checkpoints of a sandbox (docs/contract.md#checkpoints)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ._call import Endpoint
from ._json_shape import JsonShape
from ._validation import check_text, id_segment


@dataclass(frozen=True)
class Checkpoint:
    """A saved state of a sandbox: its contexts, files and variables."""

    id: str
    name: str | None
    created_at: datetime


Checkpoints = list[Checkpoint]


class AsyncCheckpoints:
    """The checkpoints of a sandbox."""

    def __init__(self, endpoint: Callable[[], Awaitable[Endpoint]]) -> None:
        self._endpoint = endpoint

    async def create(self, name: str | None = None) -> Checkpoint:
        """Saves the sandbox as of its last commits. `name`: 1 to 128 characters."""
        body: dict[str, Any] = {} if name is None else {"name": check_text("name", name)}
        endpoint = await self._endpoint()
        return await endpoint.json("POST", "/checkpoints", _read, body=body, status=201)

    async def list(self) -> Checkpoints:
        """All checkpoints, oldest first."""
        endpoint = await self._endpoint()
        return await endpoint.json(
            "GET", "/checkpoints", lambda body: body.list("checkpoints", _read)
        )

    async def restore(self, checkpoint: str | Checkpoint) -> None:
        """Restores the sandbox to a checkpoint, in one step. Runs in progress end with `CONFLICT`."""
        path = f"/checkpoints/{_segment(checkpoint)}/restore"
        endpoint = await self._endpoint()
        await endpoint.json("POST", path, lambda _body: None)

    async def delete(self, checkpoint: str | Checkpoint) -> None:
        """Deletes a checkpoint."""
        path = f"/checkpoints/{_segment(checkpoint)}"
        endpoint = await self._endpoint()
        await endpoint.json("DELETE", path, lambda _body: None)


def _segment(checkpoint: str | Checkpoint) -> str:
    id = checkpoint.id if isinstance(checkpoint, Checkpoint) else checkpoint
    return id_segment("checkpoint", id)


def _read(body: JsonShape) -> Checkpoint:
    return Checkpoint(
        id=body.string("id"),
        name=body.optional("name", body.string),
        created_at=body.date("createdAt"),
    )
