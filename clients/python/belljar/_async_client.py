"""The asynchronous client, which is also the core of the blocking one."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from urllib.parse import quote, urlencode

import httpx

from ._async_io import AsyncIO
from ._call import Endpoint, Retry, checked_timeout
from ._checkpoints import AsyncCheckpoints, Checkpoint
from ._errors import unexpected_answer, validation_failed
from ._files import AsyncFiles
from ._io import IO
from ._json_shape import JsonShape
from ._operator_tools import AvailableTool, read_tools
from ._result import ExecutionResult, stream_text
from ._run import perform_run
from ._run_options import check_names, common_fields, repeat_headers
from ._runs import AsyncRuns
from ._sandbox_info import (
    CodeContext,
    CommandResult,
    SandboxInfo,
    SandboxSummary,
    TenantUsage,
    context_fields,
    read_sandbox_info,
    read_summary,
    read_tenant_usage,
)
from ._validation import (
    WORKSPACE,
    base_url,
    check_code,
    check_language,
    check_sandbox_id,
    check_text,
    check_token,
    env_layer,
    id_segment,
)

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from ._run_options import RunOptions, SandboxRunOptions

C = TypeVar("C", bound=CodeContext)

KILLED = 137
"""The exit code of a command that SIGKILL ended."""


@dataclass(frozen=True)
class AsyncContext(CodeContext):
    """A context that can be forked."""

    _sandbox: AsyncSandbox = field(repr=False, compare=False)

    async def fork(self) -> AsyncContext:
        """Creates a context with the memory, working directory and variables of this one."""
        return await self._sandbox.fork_context(self.id)

    async def run_code(self, code: str, **options: Unpack[SandboxRunOptions]) -> ExecutionResult:
        """Runs code in this context."""
        return await self._sandbox.run_code(self.language, code, self, **options)

    async def delete(self) -> None:
        """Deletes the context and its state. Files in `/workspace` stay."""
        await self._sandbox.delete_context(self)


class AsyncSandbox:
    """A sandbox: contexts, and the files that they share. The first use creates it."""

    def __init__(self, client: AsyncClient, id: str, ephemeral: bool) -> None:
        self.id = check_sandbox_id(id)
        """The name that it is found by."""
        self._client = client
        self._ephemeral = ephemeral
        self.files = AsyncFiles(self._endpoint)
        """Its files."""
        self.checkpoints = AsyncCheckpoints(self._endpoint)
        """Its checkpoints: saved states, to restore later."""
        self.runs = AsyncRuns(self._endpoint)
        """Its runs whose programs can wait."""

    async def run_code(
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
        check_names(options, in_sandbox=True)
        path_language, is_typescript = check_language(language)
        fields: dict[str, Any] = {"code": check_code(code)}
        if context is not None:
            id = context.id if isinstance(context, CodeContext) else context
            fields["contextId"] = check_text("context", id)
        elif is_typescript:
            fields["language"] = "typescript"
        fields |= common_fields(options, in_sandbox=True)
        endpoint = self._below(path_language)
        return await perform_run(endpoint, "/execute", fields, repeat_headers(options), options)

    async def create_context(
        self,
        language: str,
        *,
        cwd: str | None = None,
        env_vars: Mapping[str, str | None] | None = None,
    ) -> AsyncContext:
        """Creates a context. `cwd`: an existing directory under `/workspace`."""
        path_language, _is_typescript = check_language(language)
        body: dict[str, Any] = {} if cwd is None else {"cwd": check_text("cwd", cwd)}
        if env_vars is not None:
            body["envVars"] = env_layer(env_vars, keep_none=False)
        endpoint = self._below(path_language)
        return await endpoint.json("POST", "/contexts", self._read_context, body=body, status=201)

    async def contexts(self) -> list[AsyncContext]:
        """All contexts of the sandbox, of every language."""
        endpoint = await self._endpoint()
        return await endpoint.json(
            "GET", "/contexts", lambda body: body.list("contexts", self._read_context)
        )

    async def fork_context(self, context: CodeContext | str) -> AsyncContext:
        """Creates a context with the memory, working directory and variables of another one."""
        path = f"/contexts/{_context_segment(context)}/fork"
        endpoint = await self._endpoint()
        return await endpoint.json("POST", path, self._read_context, body={}, status=201)

    async def delete_context(self, context: CodeContext | str) -> None:
        """Deletes a context and its state. Files in `/workspace` stay."""
        path = f"/contexts/{_context_segment(context)}"
        endpoint = await self._endpoint()
        await endpoint.json("DELETE", path, _nothing)

    async def exec(
        self, command: str, *, cwd: str | None = None, **options: Unpack[SandboxRunOptions]
    ) -> CommandResult:
        """Runs a command in a fresh shell on the files of the sandbox, where the service has Shell. A
        code other than 0 is a result, not an error."""
        directory = WORKSPACE if cwd is None else check_text("cwd", cwd)
        words = (_shell_word(directory), _shell_word(check_text("command", command)))
        program = "(cd {} && bash -c {})".format(*words)
        run = await self.run_code("shell", program, None, **options)
        return CommandResult(
            stdout=stream_text(run.logs.stdout, "stdout" in run.unterminated),
            stderr=stream_text(run.logs.stderr, "stderr" in run.unterminated),
            exit_code=KILLED if run.exit_code is None else run.exit_code,
            error=run.error,
        )

    async def set_env_vars(self, env_vars: Mapping[str, str | None]) -> None:
        """Sets variables for all contexts of the sandbox; None unsets the name."""
        body = {"envVars": env_layer(env_vars, keep_none=True)}
        endpoint = await self._endpoint()
        await endpoint.json("POST", "/env", _nothing, body=body)

    async def info(self) -> SandboxInfo:
        """Returns information about the sandbox. Does not create it."""
        endpoint = await self._endpoint()
        return await endpoint.json("GET", "", read_sandbox_info)

    async def fork(self, name: str, *, checkpoint: Checkpoint | str | None = None) -> AsyncSandbox:
        """Creates a sandbox of that name with all contexts, files and variables of this one: of now,
        or of a checkpoint."""
        body = {"to": check_sandbox_id(name)}
        if checkpoint is not None:
            body["checkpoint"] = checkpoint if isinstance(checkpoint, str) else checkpoint.id
        endpoint = await self._endpoint()
        await endpoint.json("POST", "/fork", _nothing, body=body, status=201)
        return AsyncSandbox(self._client, name, self._ephemeral)

    async def destroy(self) -> None:
        """Deletes the sandbox: contexts, files, variables. Its name can be used again."""
        endpoint = await self._endpoint()
        await endpoint.json("DELETE", "", _nothing)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._ephemeral:
            await self.destroy()

    async def _endpoint(self) -> Endpoint:
        # a sandbox is reached through any language that the service runs
        return self._below(await self._client.first_language())

    def _below(self, language: str) -> Endpoint:
        path = f"/languages/{language}/sandboxes/{quote(self.id, safe='')}"
        return self._client.endpoint.below(path)

    def _read_context(self, body: JsonShape) -> AsyncContext:
        return AsyncContext(**context_fields(body), _sandbox=self)


class AsyncClient:
    """A client of the service at a URL. Sends nothing yet.

    `retry`: how to retry calls that never started, or False. `timeout`: seconds until a call ends with
    a TimeoutError; None: never. `transport`: sends the requests in place of the network.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        retry: Retry | Literal[False] | None = None,
        timeout: float | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._begin(
            url, token, retry, timeout, lambda url, headers: AsyncIO(url, headers, transport)
        )

    def _begin(
        self,
        url: str,
        token: str | None,
        retry: Retry | Literal[False] | None,
        timeout: float | None,
        io_of: Callable[[str, Mapping[str, str]], IO],
    ) -> None:
        headers = {} if token is None else {"authorization": f"Bearer {check_token(token)}"}
        if retry is not None and retry is not False and not isinstance(retry, Retry):
            raise validation_failed("retry must be a Retry or False")
        self.endpoint = Endpoint(
            io=io_of(base_url(url), headers),
            retry=Retry() if retry is None else retry,
            timeout=None if timeout is None else checked_timeout(timeout),
        )
        self._language: str | None = None

    async def run_code(
        self, language: str, code: str, **options: Unpack[RunOptions]
    ) -> ExecutionResult:
        """Runs code in a fresh instance of a language. Nothing is kept.

        A failure of the guest is `error` of the result. Raises a SandboxError when the code could not
        be run.
        """
        check_names(options, in_sandbox=False)
        path_language, is_typescript = check_language(language)
        fields: dict[str, Any] = {"language": "typescript"} if is_typescript else {}
        fields |= {"code": check_code(code), **common_fields(options, in_sandbox=False)}
        return await perform_run(self.endpoint, f"/execute/{path_language}", fields, {}, options)

    def sandbox(self, name: str, *, ephemeral: bool = False) -> AsyncSandbox:
        """Returns the sandbox with a name. Sends nothing; the first use creates the sandbox.

        `ephemeral`: `async with` deletes it at its end.
        """
        return AsyncSandbox(self, name, ephemeral)

    async def sandboxes(self) -> list[SandboxSummary]:
        """All sandboxes of the token's tenant, in order of id."""
        found: list[SandboxSummary] = []
        cursor: str | None = None
        while True:
            query = urlencode({"limit": 100, **({} if cursor is None else {"cursor": cursor})})
            page, following = await self.endpoint.json("GET", f"/sandboxes?{query}", _read_page)
            found += page
            if following is None:
                return found
            if following == cursor:
                raise unexpected_answer("The listing of sandboxes leads to the same page again")
            cursor = following

    async def usage(self) -> TenantUsage:
        """The tenant's use of its quotas."""
        return await self.endpoint.json(
            "GET", "/sandboxes?limit=1", lambda body: read_tenant_usage(body.object("usage"))
        )

    async def tools(self) -> list[AvailableTool]:
        """The tools that the service's operator gives the token's tenant. A run names them in
        `operator_tools`."""
        return await self.endpoint.json("GET", "/tools", read_tools)

    async def first_language(self) -> str:
        """The first language that the service runs; requested once."""
        if self._language is None:
            enabled = await self.endpoint.json("GET", "/languages", _read_enabled)
            if not enabled:
                raise unexpected_answer("The service runs no language")
            self._language = enabled[0]
        return self._language

    async def close(self) -> None:
        """Closes all connections."""
        await self.endpoint.io.close()

    def __await__(self) -> Generator[Any, None, Self]:
        return _returned(self).__await__()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()


async def _returned(client: Any) -> Any:
    return client


def _read_page(body: JsonShape) -> tuple[list[SandboxSummary], str | None]:
    return body.list("sandboxes", read_summary), body.optional("cursor", body.string)


def _read_enabled(body: JsonShape) -> list[str]:
    listed = body.list("languages", lambda entry: (entry.string("id"), entry.boolean("enabled")))
    return [quote(id, safe="") for id, is_enabled in listed if is_enabled]


def _context_segment(context: CodeContext | str) -> str:
    return id_segment("context", context.id if isinstance(context, CodeContext) else context)


def _shell_word(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _nothing(_body: JsonShape) -> None:
    return None
