"""The blocking client: the coroutines of the asynchronous one, run without an event loop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

import httpx

from ._async_client import AsyncClient, AsyncContext, AsyncSandbox
from ._blocking_io import BlockingIO
from ._call import Retry
from ._checkpoints import AsyncCheckpoints, Checkpoint
from ._checkpoints import Checkpoints as CheckpointList
from ._files import AsyncDownload, AsyncFiles, FileInfo, FileInfos
from ._io import run_blocking
from ._operator_tools import AvailableTool
from ._result import ExecutionResult
from ._runs import AsyncRuns, RunInfo, RunSummaries
from ._sandbox_info import CodeContext, CommandResult, SandboxInfo, SandboxSummary, TenantUsage
from ._upload import FileContent
from ._validation import WORKSPACE

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from ._run_options import RunOptions, SandboxRunOptions


class _BlockingCore(AsyncClient):
    """The asynchronous client over blocking input and output."""

    def __init__(
        self,
        url: str,
        token: str | None,
        retry: Retry | Literal[False] | None,
        timeout: float | None,
        transport: httpx.BaseTransport | None,
    ) -> None:
        self._begin(
            url, token, retry, timeout, lambda url, headers: BlockingIO(url, headers, transport)
        )


class Download:
    """A file that is read as it arrives: an iterator of bytes. Close it, or use it with `with`, if it
    is not read to its end."""

    def __init__(self, core: AsyncDownload) -> None:
        self._core = core

    def close(self) -> None:
        """Ends the download."""
        run_blocking(self._core.close())

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        piece = run_blocking(self._core.read_piece())
        if piece is None:
            raise StopIteration
        return piece

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class Files:
    """The files of a sandbox. A failing call raises a FileSystemError."""

    def __init__(self, core: AsyncFiles) -> None:
        self._core = core

    def read(self, path: str) -> str:
        """Reads a file as text; invalid UTF-8 becomes U+FFFD."""
        return run_blocking(self._core.read(path))

    def read_bytes(self, path: str) -> bytes:
        """Reads a file as bytes."""
        return run_blocking(self._core.read_bytes(path))

    def write(self, path: str, content: str | bytes, *, recursive: bool = False) -> None:
        """Creates a file or replaces its contents. `recursive`: also creates missing parents."""
        run_blocking(self._core.write(path, content, recursive=recursive))

    def mkdir(self, path: str, *, recursive: bool = False) -> None:
        """Creates a directory. `recursive`: also missing parents; accepts an existing directory."""
        run_blocking(self._core.mkdir(path, recursive=recursive))

    def delete(self, path: str, *, recursive: bool = False, force: bool = False) -> None:
        """Deletes a file, or with `recursive` a directory. `force`: ignores a missing path."""
        run_blocking(self._core.delete(path, recursive=recursive, force=force))

    def rename(self, path: str, new_path: str) -> None:
        """Moves a file or directory to another path; replaces a file there."""
        run_blocking(self._core.rename(path, new_path))

    def move(self, path: str, new_path: str) -> None:
        """The same as `rename`."""
        run_blocking(self._core.move(path, new_path))

    def list(
        self, path: str = WORKSPACE, *, recursive: bool = False, include_hidden: bool = False
    ) -> FileInfos:
        """Lists a directory, sorted by path."""
        core = self._core.list(path, recursive=recursive, include_hidden=include_hidden)
        return run_blocking(core)

    def exists(self, path: str) -> bool:
        """Whether a file or directory exists."""
        return run_blocking(self._core.exists(path))

    def stat(self, path: str) -> FileInfo:
        """Returns information about a file or directory."""
        return run_blocking(self._core.stat(path))

    def upload(
        self,
        path: str,
        content: FileContent,
        *,
        if_none_match: str | None = None,
        if_match: str | None = None,
    ) -> None:
        """Creates a file or replaces its contents. Missing parent directories are created.

        A file that can be read again, text and bytes of more than 4 MiB are sent in pieces, which go
        on after a broken connection; the timeout holds for each of them. Other iterables are read into
        memory first. `if_none_match="*"` only creates. `if_match` only replaces the contents with this
        SHA-256, in hexadecimal and in quotation marks; otherwise `PRECONDITION_FAILED`.
        """
        core = self._core.upload(path, content, if_none_match=if_none_match, if_match=if_match)
        run_blocking(core)

    def download(self, path: str) -> bytes:
        """Reads a file."""
        return run_blocking(self._core.download(path))

    def download_stream(self, path: str) -> Download:
        """Reads a file as it arrives. Returns once the file is found."""
        return Download(run_blocking(self._core.download_stream(path)))


class Checkpoints:
    """The checkpoints of a sandbox."""

    def __init__(self, core: AsyncCheckpoints) -> None:
        self._core = core

    def create(self, name: str | None = None) -> Checkpoint:
        """Saves the sandbox as of its last commits. `name`: 1 to 128 characters."""
        return run_blocking(self._core.create(name))

    def list(self) -> CheckpointList:
        """All checkpoints, oldest first."""
        return run_blocking(self._core.list())

    def restore(self, checkpoint: str | Checkpoint) -> None:
        """Restores the sandbox to a checkpoint, in one step. Runs in progress end with `CONFLICT`."""
        run_blocking(self._core.restore(checkpoint))

    def delete(self, checkpoint: str | Checkpoint) -> None:
        """Deletes a checkpoint."""
        run_blocking(self._core.delete(checkpoint))


class Runs:
    """Runs that began with `tools` or `on_input`, and what their programs wait for."""

    def __init__(self, core: AsyncRuns) -> None:
        self._core = core

    def list(self) -> RunSummaries:
        """The latest runs, newest first."""
        return run_blocking(self._core.list())

    def get(self, id: str) -> RunInfo:
        """A run. Raises a SandboxError: `RUN_NOT_FOUND`."""
        return run_blocking(self._core.get(id))

    def answer(self, id: str, answers: Sequence[Mapping[str, Any]]) -> ExecutionResult:
        """Answers calls and questions, all or none: `{"key", "value"}`, `{"key", "error": {"message"}}`
        or `{"key", "deny"}`. Returns when the program waits again or has ended: `waiting` of the
        result says which. An empty list asks for the present state. The same answer again changes
        nothing. Raises a SandboxError: `RUN_NOT_FOUND`, `CALL_NOT_FOUND`, `CALL_ANSWERED`.
        """
        return run_blocking(self._core.answer(id, answers))

    def cancel(self, id: str) -> None:
        """Ends a run: its context is as before the run."""
        run_blocking(self._core.cancel(id))


@dataclass(frozen=True)
class Context(CodeContext):
    """A context that can be forked."""

    _core: AsyncContext = field(repr=False, compare=False)

    def fork(self) -> Context:
        """Creates a context with the memory, working directory and variables of this one."""
        return _context(run_blocking(self._core.fork()))

    def run_code(self, code: str, **options: Unpack[SandboxRunOptions]) -> ExecutionResult:
        """Runs code in this context."""
        return run_blocking(self._core.run_code(code, **options))

    def delete(self) -> None:
        """Deletes the context and its state. Files in `/workspace` stay."""
        run_blocking(self._core.delete())


class Sandbox:
    """A sandbox: contexts, and the files that they share. The first use creates it."""

    def __init__(self, core: AsyncSandbox) -> None:
        self._core = core
        self.id = core.id
        """The name that it is found by."""
        self.files = Files(core.files)
        """Its files."""
        self.checkpoints = Checkpoints(core.checkpoints)
        """Its checkpoints: saved states, to restore later."""
        self.runs = Runs(core.runs)
        """Its runs whose programs can wait."""

    def run_code(
        self,
        language: str,
        code: str,
        context: CodeContext | str | None = None,
        **options: Unpack[SandboxRunOptions],
    ) -> ExecutionResult:
        """Runs code in `context`, or else in the default context of the language: its oldest one, or a
        new one. A language without contexts runs it statelessly.

        A failure of the guest is `error` of the result. Raises a SandboxError when the code could not
        be run.
        """
        return run_blocking(self._core.run_code(language, code, context, **options))

    def create_context(
        self,
        language: str,
        *,
        cwd: str | None = None,
        env_vars: Mapping[str, str | None] | None = None,
    ) -> Context:
        """Creates a context. `cwd`: an existing directory under `/workspace`."""
        core = self._core.create_context(language, cwd=cwd, env_vars=env_vars)
        return _context(run_blocking(core))

    def contexts(self) -> list[Context]:
        """All contexts of the sandbox, of every language."""
        return [_context(core) for core in run_blocking(self._core.contexts())]

    def fork_context(self, context: CodeContext | str) -> Context:
        """Creates a context with the memory, working directory and variables of another one."""
        return _context(run_blocking(self._core.fork_context(context)))

    def delete_context(self, context: CodeContext | str) -> None:
        """Deletes a context and its state. Files in `/workspace` stay."""
        run_blocking(self._core.delete_context(context))

    def exec(
        self, command: str, *, cwd: str | None = None, **options: Unpack[SandboxRunOptions]
    ) -> CommandResult:
        """Runs a command in a fresh shell on the files of the sandbox, where the service has Shell. A
        code other than 0 is a result, not an error."""
        return run_blocking(self._core.exec(command, cwd=cwd, **options))

    def set_env_vars(self, env_vars: Mapping[str, str | None]) -> None:
        """Sets variables for all contexts of the sandbox; None unsets the name."""
        run_blocking(self._core.set_env_vars(env_vars))

    def info(self) -> SandboxInfo:
        """Returns information about the sandbox. Does not create it."""
        return run_blocking(self._core.info())

    def fork(self, name: str, *, checkpoint: Checkpoint | str | None = None) -> Sandbox:
        """Creates a sandbox of that name with all contexts, files and variables of this one: of now,
        or of a checkpoint."""
        return Sandbox(run_blocking(self._core.fork(name, checkpoint=checkpoint)))

    def destroy(self) -> None:
        """Deletes the sandbox: contexts, files, variables. Its name can be used again."""
        run_blocking(self._core.destroy())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        run_blocking(self._core.__aexit__(kind, error, traceback))


class Client:
    """A client of the service at a URL, made by `connect`. Threads may share it."""

    def __init__(self, core: AsyncClient) -> None:
        self._core = core

    def run_code(self, language: str, code: str, **options: Unpack[RunOptions]) -> ExecutionResult:
        """Runs code in a fresh instance of a language. Nothing is kept.

        A failure of the guest is `error` of the result. Raises a SandboxError when the code could not
        be run.
        """
        return run_blocking(self._core.run_code(language, code, **options))

    def sandbox(self, name: str, *, ephemeral: bool = False) -> Sandbox:
        """Returns the sandbox with a name. Sends nothing; the first use creates the sandbox.

        `ephemeral`: `with` deletes it at its end.
        """
        return Sandbox(self._core.sandbox(name, ephemeral=ephemeral))

    def sandboxes(self) -> list[SandboxSummary]:
        """All sandboxes of the token's tenant, in order of id."""
        return run_blocking(self._core.sandboxes())

    def usage(self) -> TenantUsage:
        """The tenant's use of its quotas."""
        return run_blocking(self._core.usage())

    def tools(self) -> list[AvailableTool]:
        """The tools that the service's operator gives the token's tenant. A run names them in
        `operator_tools`."""
        return run_blocking(self._core.tools())

    def close(self) -> None:
        """Closes all connections."""
        run_blocking(self._core.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def connect(
    url: str,
    token: str | None = None,
    *,
    retry: Retry | Literal[False] | None = None,
    timeout: float | None = None,
    transport: httpx.BaseTransport | None = None,
) -> Client:
    """Returns a client of the service at a URL. Sends nothing yet.

    `retry`: how to retry calls that never started, or False. `timeout`: seconds until a call ends with
    a TimeoutError; None: never. `transport`: sends the requests in place of the network.
    """
    return Client(_BlockingCore(url, token, retry, timeout, transport))


def _context(core: AsyncContext) -> Context:
    fields = {name: getattr(core, name) for name in CodeContext.__dataclass_fields__}
    return Context(**fields, _core=core)
