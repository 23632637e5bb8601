"""Errors of the client: one base class, and a class for each common code."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any


class SandboxError(Exception):
    """Base class of all errors of the client, and the class of every code without its own class.

    An error of the guest is never raised: it is `result.error`. `UNREACHABLE` is the client's own
    code: the connection could not be opened, or it broke. Its `context` has the `address`, and
    whether anything was `sent`. `INTERNAL_ERROR` with status 502 also means that an answer does not
    have the expected shape.
    """

    code: str
    """One of the service's codes, or `UNREACHABLE`."""
    http_status: int
    """HTTP status of the answer, or the status that corresponds to a refusal of the client."""
    context: Mapping[str, Any]
    """Details of the error; the keys depend on the code."""
    timestamp: str
    """ISO-8601 in UTC, with milliseconds."""
    operation: str | None
    """For example `file.read`; None when the service named none."""
    retry_after_ms: float | None
    """How long the service asked to wait, in milliseconds; None when it did not."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        http_status: int,
        context: Mapping[str, Any] | None = None,
        timestamp: str | None = None,
        operation: str | None = None,
        retry_after_ms: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.http_status = http_status
        self.context = {} if context is None else context
        self.timestamp = _now() if timestamp is None else timestamp
        self.operation = operation
        self.retry_after_ms = retry_after_ms

    @property
    def message(self) -> str:
        """The description of the error, for people."""
        return str(self.args[0])

    @property
    def retryable(self) -> bool:
        """Whether the call never started, so that it may be made again: refused, or not sent."""
        if self.code == "UNREACHABLE":
            return self.context.get("sent") is False
        return self.code in ("RATE_LIMITED", "OVERLOADED")

    def __reduce__(self) -> tuple[Any, ...]:
        # an error with keywords alone could not be sent to another process
        return (_rebuilt, (type(self), self.message, self.__dict__))


def _rebuilt(kind: type[SandboxError], message: str, fields: dict[str, Any]) -> SandboxError:
    error = kind.__new__(kind, message)
    error.__dict__.update(fields)
    return error


def _now() -> str:
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
    return now.replace("+00:00", "Z")


class ValidationFailedError(SandboxError):
    """The call is not acceptable; the message says why."""


class ContextNotFoundError(SandboxError):
    """The sandbox has no context with that id."""


class FileSystemError(SandboxError):
    """A call of `sandbox.files` failed. Base class for the more common reasons."""


class FileNotFoundError(FileSystemError):
    """There is no such file or directory. Not Python's own class of that name."""


class FileExistsError(FileSystemError):
    """The path exists already. Not Python's own class of that name."""


class PermissionDeniedError(FileSystemError):
    """The path is outside `/workspace`, or may not be changed."""


class FileTooLargeError(FileSystemError):
    """The file would exceed the maximum size."""


class ConnectionFailed(SandboxError):
    """The connection could not be opened, or it broke. Callers see a `SandboxError`."""

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message, **{"code": "UNREACHABLE", "http_status": 502, **details})


_CLASSES: Mapping[str, type[SandboxError]] = {
    "VALIDATION_FAILED": ValidationFailedError,
    "CONTEXT_NOT_FOUND": ContextNotFoundError,
    "FILE_NOT_FOUND": FileNotFoundError,
    "FILE_EXISTS": FileExistsError,
    "PERMISSION_DENIED": PermissionDeniedError,
    "FILE_TOO_LARGE": FileTooLargeError,
    "IS_DIRECTORY": FileSystemError,
    "NOT_DIRECTORY": FileSystemError,
    "NO_SPACE": FileSystemError,
    "FILESYSTEM_ERROR": FileSystemError,
}


def sandbox_error(message: str, *, code: str, http_status: int, **details: Any) -> SandboxError:
    """Returns an error of the class for its code; of the base class for any other code."""
    kind = _CLASSES.get(code, SandboxError)
    return kind(message, code=code, http_status=http_status, **details)


def validation_failed(message: str, http_status: int = 400) -> ValidationFailedError:
    """The error for a call that the client itself refuses, as the service would."""
    return ValidationFailedError(message, code="VALIDATION_FAILED", http_status=http_status)


def unexpected_answer(message: str, status: int | None = None) -> SandboxError:
    """The error for an answer that is not understandable."""
    context = {} if status is None else {"status": status}
    return SandboxError(message, code="INTERNAL_ERROR", http_status=502, context=context)


class FinalFailure(Exception):
    """Carries an error to the caller past all code that wraps errors or repeats calls."""

    def __init__(self, thrown: Exception, is_callback: bool) -> None:
        super().__init__("The call has failed for good")
        self.thrown = thrown
        self.is_callback = is_callback
