"""The files of a sandbox: the directory tree `/workspace` that its contexts share.

Paths are absolute or relative to `/workspace`. A path that leaves it is refused with a
`PermissionDeniedError`.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Any, Literal, TypeVar

from ._call import Endpoint, raise_answer, read_body
from ._errors import unexpected_answer, validation_failed
from ._io import Answer, Deadline, Request
from ._json_shape import JsonShape, ShapeError
from ._result import one_of
from ._upload import (
    LONG_FILE_BYTES,
    MAX_FILE_BYTES,
    AsyncFileContent,
    receive_stored,
    source_of,
    upload_in_pieces,
)
from ._validation import WORKSPACE, check_condition, check_path, file_segments

T = TypeVar("T")


@dataclass(frozen=True)
class FilePermissions:
    """Permissions of a file."""

    readable: bool
    writable: bool
    executable: bool


@dataclass(frozen=True)
class FileInfo:
    """A file or directory under `/workspace`."""

    name: str
    absolute_path: str
    relative_path: str
    """Relative to the listed directory, or to `/workspace`."""
    type: Literal["file", "directory"]
    size: int
    """Length in bytes."""
    modified_at: datetime
    mode: str
    """For example `-rw-r--r--`."""
    permissions: FilePermissions


FileInfos = list[FileInfo]


class AsyncDownload:
    """A file that is read as it arrives: an asynchronous iterator of bytes. Close it, or use it with
    `async with`, if it is not read to its end."""

    def __init__(self, answer: Answer, deadline: Deadline) -> None:
        self._answer = answer
        self._deadline = deadline
        self._length = 0

    async def read_piece(self) -> bytes | None:
        """The next bytes; None at the end."""
        try:
            piece = await self._answer.piece(self._deadline)
        except BaseException:
            await self.close()
            raise
        self._length += 0 if piece is None else len(piece)
        if piece is None or self._length > MAX_FILE_BYTES:
            await self.close()
        if self._length > MAX_FILE_BYTES:
            raise unexpected_answer(f"The answer is larger than {MAX_FILE_BYTES} bytes")
        return piece

    async def close(self) -> None:
        """Ends the download."""
        await self._answer.close()

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        piece = await self.read_piece()
        if piece is None:
            raise StopAsyncIteration
        return piece

    async def __aenter__(self) -> AsyncDownload:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()


class AsyncFiles:
    """The files of a sandbox. A failing call raises a FileSystemError."""

    def __init__(self, endpoint: Callable[[], Any]) -> None:
        self._endpoint = endpoint

    async def read(self, path: str) -> str:
        """Reads a file as text; invalid UTF-8 becomes U+FFFD."""
        fields = {"path": path, "encoding": "utf-8"}
        return await self._call("read", fields, lambda body: body.string("content"))

    async def read_bytes(self, path: str) -> bytes:
        """Reads a file as bytes."""
        fields = {"path": path, "encoding": "base64"}
        return await self._call("read", fields, lambda body: _decoded(body.string("content")))

    async def write(self, path: str, content: str | bytes, *, recursive: bool = False) -> None:
        """Creates a file or replaces its contents. `recursive`: also creates missing parents."""
        if isinstance(content, str):
            fields = {"content": content, "encoding": "utf-8"}
        elif isinstance(content, (bytes, bytearray, memoryview)):
            fields = {"content": b64encode(content).decode(), "encoding": "base64"}
        else:
            raise validation_failed("content must be a string or bytes")
        await self._call("write", {"path": path, **fields, "recursive": recursive}, _nothing)

    async def mkdir(self, path: str, *, recursive: bool = False) -> None:
        """Creates a directory. `recursive`: also missing parents; accepts an existing directory."""
        await self._call("mkdir", {"path": path, "recursive": recursive}, _nothing)

    async def delete(self, path: str, *, recursive: bool = False, force: bool = False) -> None:
        """Deletes a file, or with `recursive` a directory. `force`: ignores a missing path."""
        fields = {"path": path, "recursive": recursive, "force": force}
        await self._call("delete", fields, _nothing)

    async def rename(self, path: str, new_path: str) -> None:
        """Moves a file or directory to another path; replaces a file there."""
        check_path(new_path, "new_path")
        await self._call("rename", {"path": path, "newPath": new_path}, _nothing)

    async def move(self, path: str, new_path: str) -> None:
        """The same as `rename`."""
        await self.rename(path, new_path)

    async def list(
        self, path: str = WORKSPACE, *, recursive: bool = False, include_hidden: bool = False
    ) -> FileInfos:
        """Lists a directory, sorted by path."""
        fields = {"path": path, "recursive": recursive, "includeHidden": include_hidden}
        return await self._call("list", fields, lambda body: body.list("files", _read_file_info))

    async def exists(self, path: str) -> bool:
        """Whether a file or directory exists."""
        return await self._call("exists", {"path": path}, lambda body: body.boolean("exists"))

    async def stat(self, path: str) -> FileInfo:
        """Returns information about a file or directory."""
        return await self._call(
            "stat", {"path": path}, lambda body: _read_file_info(body.object("file"))
        )

    async def upload(
        self,
        path: str,
        content: AsyncFileContent,
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
        headers = {"accept": "application/json", "content-type": "application/octet-stream"}
        if if_match is not None:
            headers["if-match"] = check_condition("if_match", if_match)
        if if_none_match is not None:
            headers["if-none-match"] = check_condition("if_none_match", if_none_match)
        request = Request("PUT", f"/files/{file_segments(path)}", headers)
        source = await source_of(path, content)
        endpoint = await self._endpoint()
        if source.size > LONG_FILE_BYTES:
            return await upload_in_pieces(endpoint, request, source)
        await endpoint.exchange(
            Request("PUT", request.path, headers, source.read(0, source.size)), receive_stored
        )

    async def download(self, path: str) -> bytes:
        """Reads a file."""

        async def receive(answer: Answer, deadline: Deadline) -> bytes:
            if answer.status != 200:
                await raise_answer(answer, deadline)
            return await read_body(answer, deadline, MAX_FILE_BYTES)

        endpoint: Endpoint = await self._endpoint()
        return await endpoint.exchange(_download_of(path), receive)

    async def download_stream(self, path: str) -> AsyncDownload:
        """Reads a file as it arrives. Returns once the file is found."""

        async def receive(answer: Answer, deadline: Deadline) -> AsyncDownload:
            if answer.status != 200:
                await raise_answer(answer, deadline)
            return AsyncDownload(answer, deadline)

        endpoint: Endpoint = await self._endpoint()
        return await endpoint.exchange(_download_of(path), receive, keep_open=True)

    async def _call(self, op: str, fields: Mapping[str, Any], read: Callable[[JsonShape], T]) -> T:
        check_path(fields["path"])
        endpoint: Endpoint = await self._endpoint()
        return await endpoint.json("POST", "/files", read, body={"op": op, **fields})


def _download_of(path: str) -> Request:
    return Request("GET", f"/files/{file_segments(path)}", {"accept": "*/*"})


def _decoded(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (Base64Error, ValueError):
        raise ShapeError("content is not base64") from None


def _read_file_info(file: JsonShape) -> FileInfo:
    permissions = file.object("permissions")
    kind = one_of(file.string("type"), ("file", "directory"), "type")
    return FileInfo(
        name=file.string("name"),
        absolute_path=file.string("absolutePath"),
        relative_path=file.string("relativePath"),
        type="file" if kind == "file" else "directory",
        size=file.integer("size"),
        modified_at=file.date("modifiedAt"),
        mode=file.string("mode"),
        permissions=FilePermissions(
            permissions.boolean("readable"),
            permissions.boolean("writable"),
            permissions.boolean("executable"),
        ),
    )


def _nothing(_body: JsonShape) -> None:
    return None
