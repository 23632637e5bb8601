"""Information about sandboxes and their contexts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ._json_shape import JsonShape


@dataclass(frozen=True)
class CodeContext:
    """A durable interpreter of a sandbox: later runs see the definitions of earlier runs."""

    id: str
    binding: str
    language: str
    cwd: str
    created_at: datetime
    last_used: datetime


@dataclass(frozen=True)
class SnapshotInfo:
    """A stored memory snapshot of a context."""

    build: str
    pages: int
    """Pages of 4 KiB that differ from the baseline."""
    bytes: int
    stored_bytes: int
    taken_at: float
    """In epoch milliseconds."""


@dataclass(frozen=True)
class ContextInfo(CodeContext):
    """A context and its state."""

    engine: str
    executions: int
    snapshot: SnapshotInfo | None


@dataclass(frozen=True)
class WorkspaceUse:
    """The size of `/workspace`."""

    files: int
    bytes: int


@dataclass(frozen=True)
class SandboxInfo:
    """Information about a sandbox. One that was never used is shown as empty."""

    id: str
    created_at: datetime | None
    last_used: datetime | None
    env_vars: Sequence[str]
    """Names of its variables; values are never shown."""
    contexts: Sequence[ContextInfo]
    workspace: WorkspaceUse
    expires_at: float | None
    """When it is deleted unless it is used before, in epoch milliseconds; None: never."""


@dataclass(frozen=True)
class SandboxSummary:
    """A sandbox in the listing."""

    id: str
    created_at: datetime
    last_used: datetime
    expires_at: float | None
    contexts: int
    files: int
    bytes: int


@dataclass(frozen=True)
class TenantUsage:
    """A tenant's use of its quotas. Bytes are those of files, variables and snapshots."""

    sandboxes: int
    max_sandboxes: int
    bytes: int
    max_bytes: int


@dataclass(frozen=True)
class CommandResult:
    """The outcome of a command."""

    stdout: str
    """Standard output, as the command wrote it."""
    stderr: str
    exit_code: int
    """The exit code; 137 for a command that a limit ended."""
    error: Any = None
    """The limit that ended the command, an ExecutionError."""


def context_fields(body: JsonShape) -> dict[str, Any]:
    """The fields of a context."""
    return {
        "id": body.string("id"),
        "binding": body.string("binding"),
        "language": body.string("language"),
        "cwd": body.string("cwd"),
        "created_at": body.date("createdAt"),
        "last_used": body.date("lastUsed"),
    }


def read_sandbox_info(body: JsonShape) -> SandboxInfo:
    """Reads information about a sandbox."""
    workspace = body.object("workspace")
    return SandboxInfo(
        id=body.string("id"),
        created_at=body.optional("createdAt", body.date),
        last_used=body.optional("lastUsed", body.date),
        env_vars=body.strings("envVars"),
        contexts=body.list("contexts", _read_context_info),
        workspace=WorkspaceUse(workspace.integer("files"), workspace.integer("bytes")),
        expires_at=body.optional("expiresAt", body.number),
    )


def _read_context_info(context: JsonShape) -> ContextInfo:
    return ContextInfo(
        **context_fields(context),
        engine=context.string("engine"),
        executions=context.integer("executions"),
        snapshot=context.optional("snapshot", lambda key: _read_snapshot(context.object(key))),
    )


def _read_snapshot(snapshot: JsonShape) -> SnapshotInfo:
    return SnapshotInfo(
        build=snapshot.string("build"),
        pages=snapshot.integer("pages"),
        bytes=snapshot.integer("bytes"),
        stored_bytes=snapshot.integer("storedBytes"),
        taken_at=snapshot.number("takenAt"),
    )


def read_summary(sandbox: JsonShape) -> SandboxSummary:
    """Reads an entry of the listing of sandboxes."""
    return SandboxSummary(
        id=sandbox.string("id"),
        created_at=sandbox.date("createdAt"),
        last_used=sandbox.date("lastUsed"),
        expires_at=sandbox.optional("expiresAt", sandbox.number),
        contexts=sandbox.integer("contexts"),
        files=sandbox.integer("files"),
        bytes=sandbox.integer("bytes"),
    )


def read_tenant_usage(usage: JsonShape) -> TenantUsage:
    """Reads the use of quotas."""
    return TenantUsage(
        sandboxes=usage.integer("sandboxes"),
        max_sandboxes=usage.integer("maxSandboxes"),
        bytes=usage.integer("bytes"),
        max_bytes=usage.integer("maxBytes"),
    )
