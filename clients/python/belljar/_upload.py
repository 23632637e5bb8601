"""Uploads: contents that can be sent again, and large files in pieces, which survive broken connections
and restarts of the service (docs/contract.md#pieces)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import AsyncIterable, Callable, Iterable
from typing import BinaryIO, Union, cast

from ._call import Endpoint, Retry, raise_answer, read_body
from ._errors import ConnectionFailed, FileTooLargeError, unexpected_answer, validation_failed
from ._io import Answer, Deadline, Request
from ._validation import quoted

MAX_FILE_BYTES = 256 * 1024 * 1024
"""Maximum length of a file of any service. The service knows its own."""
LONG_FILE_BYTES = 4 * 1024 * 1024
"""Length from which on a file is sent in pieces."""
PIECE_BYTES = 8 * 1024 * 1024
"""Length of a piece."""

FileContent = Union[str, bytes, bytearray, memoryview, BinaryIO, Iterable[bytes]]
"""The contents of an upload; text as UTF-8. A file must be open in binary mode."""
AsyncFileContent = Union[FileContent, AsyncIterable[bytes]]
"""The contents of an upload of the asynchronous client."""


class Source:
    """Contents of a known length, any part of which can be read again."""

    def __init__(self, size: int, read: Callable[[int, int], bytes]) -> None:
        self.size = size
        self.read = read

    @staticmethod
    def of_bytes(content: bytes) -> Source:
        return Source(len(content), lambda start, end: content[start:end])

    def sha256(self) -> str:
        digest = hashlib.sha256()
        for start in range(0, self.size, PIECE_BYTES):
            digest.update(self.read(start, min(self.size, start + PIECE_BYTES)))
        return digest.hexdigest()


async def source_of(path: str, content: object) -> Source:
    """The content as bytes that can be sent again."""
    if isinstance(content, str):
        try:
            return _checked(path, Source.of_bytes(content.encode()))
        except UnicodeEncodeError:
            raise validation_failed("content must be well-formed Unicode") from None
    if isinstance(content, (bytes, bytearray, memoryview)):
        return _checked(path, Source.of_bytes(bytes(content)))
    if hasattr(content, "read"):
        return _checked(path, _file_source(path, cast(BinaryIO, content)))
    if isinstance(content, AsyncIterable):
        whole = bytearray()
        async for piece in content:
            _add_piece(path, whole, piece)
        return Source.of_bytes(bytes(whole))
    if isinstance(content, Iterable):
        return Source.of_bytes(_joined(path, content))
    raise validation_failed(
        "content must be a string, bytes, a binary file or an iterable of bytes"
    )


def _file_source(path: str, file: BinaryIO) -> Source:
    if not (hasattr(file, "seekable") and file.seekable()):
        return Source.of_bytes(_joined(path, iter(lambda: file.read(65_536), b"")))
    begin = file.tell()
    size = file.seek(0, 2) - begin
    file.seek(begin)
    if not isinstance(file.read(0), bytes):
        raise validation_failed("content must be a file that is open in binary mode")

    def read(start: int, end: int) -> bytes:
        file.seek(begin + start)
        data = file.read(end - start)
        if len(data) != end - start:
            raise validation_failed("The file became shorter while it was sent")
        return data

    return Source(size, read)


def _joined(path: str, pieces: Iterable[object]) -> bytes:
    whole = bytearray()
    for piece in pieces:
        _add_piece(path, whole, piece)
    return bytes(whole)


def _add_piece(path: str, whole: bytearray, piece: object) -> None:
    if not isinstance(piece, (bytes, bytearray, memoryview)):
        raise validation_failed("content must consist of bytes")
    whole += piece
    if len(whole) > MAX_FILE_BYTES:
        raise _too_large(path, len(whole))


def _checked(path: str, source: Source) -> Source:
    if source.size > MAX_FILE_BYTES:
        raise _too_large(path, source.size)
    return source


def _too_large(path: str, size: int) -> FileTooLargeError:
    most = f"at most {MAX_FILE_BYTES} bytes"
    context = {"path": path, "operation": "write", "errno": "EFBIG"}
    return FileTooLargeError(
        f"EFBIG: file too large ({most}), write {quoted(path)}",
        code="FILE_TOO_LARGE",
        http_status=413,
        context={**context, "maxSize": MAX_FILE_BYTES, "actualSize": size},
        operation="file.write",
    )


async def receive_stored(answer: Answer, deadline: Deadline) -> int | None:
    """None: the file is there. Otherwise the bytes of it that are."""
    if answer.status not in (201, 202, 204):
        await raise_answer(answer, deadline)
    await read_body(answer, deadline)
    return _bytes_in(answer) if answer.status == 202 else None


async def upload_in_pieces(endpoint: Endpoint, head: Request, source: Source) -> None:
    """Sends a file in pieces. After a broken connection, it asks how far the upload is, and goes on."""
    attempts = endpoint.retry.attempts if isinstance(endpoint.retry, Retry) else 1
    failures, at = 0, 0
    while True:
        end = min(source.size, at + PIECE_BYTES)
        headers = {**head.headers, "content-range": f"bytes {at}-{end - 1}/{source.size}"}
        request = Request("PUT", head.path, headers, source.read(at, end))
        try:
            stored = await endpoint.exchange(request, receive_stored)
        except ConnectionFailed:
            failures += 1
            if failures >= attempts:
                raise
            at = await _asked_bytes(endpoint, head, source.size)
            if at == 0 and end == source.size and await _is_stored(endpoint, head, source):
                return
            continue
        if stored is None:
            return
        if stored <= at:
            failures += 1
            if failures >= attempts:
                raise unexpected_answer("The service does not take the pieces of the file", 202)
        else:
            failures = 0
        at = stored


async def _asked_bytes(endpoint: Endpoint, head: Request, size: int) -> int:
    """Bytes that the service has of an unfinished upload."""
    request = Request("PUT", head.path, {**head.headers, "content-range": f"bytes */{size}"})
    return await endpoint.exchange(request, receive_stored, is_repeatable=True) or 0


async def _is_stored(endpoint: Endpoint, head: Request, source: Source) -> bool:
    """Whether the file is there already: the answer to its last piece was lost."""

    async def receive(answer: Answer, deadline: Deadline) -> str | None:
        await read_body(answer, deadline)
        return answer.headers.get("etag") if answer.status == 206 else None

    request = Request("GET", head.path, {"accept": "*/*", "range": "bytes=0-0"})
    tag = await endpoint.exchange(request, receive, is_repeatable=True)
    return tag is not None and tag == f'"{source.sha256()}"'


def _bytes_in(answer: Answer) -> int:
    match = re.fullmatch(r"bytes=0-([0-9]{1,15})", answer.headers.get("range", ""))
    return 0 if match is None else int(match.group(1)) + 1
