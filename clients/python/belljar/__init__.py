"""The client of Belljar, a service that runs untrusted scripts in metered, sealed WebAssembly.

>>> from belljar import connect
>>> client = connect("http://127.0.0.1:8000")
>>> client.run_code("python", "6 * 7").value
'42'
"""

from ._async_client import AsyncClient, AsyncContext, AsyncSandbox
from ._call import Retry
from ._checkpoints import AsyncCheckpoints, Checkpoint
from ._client import Checkpoints, Client, Context, Download, Files, Runs, Sandbox, connect
from ._errors import (
    ContextNotFoundError,
    FileExistsError,
    FileNotFoundError,
    FileSystemError,
    FileTooLargeError,
    PermissionDeniedError,
    SandboxError,
    ValidationFailedError,
)
from ._files import AsyncDownload, AsyncFiles, FileInfo, FilePermissions
from ._operator_tools import AvailableTool
from ._result import (
    Display,
    ExecutionContext,
    ExecutionError,
    ExecutionResult,
    Logs,
    PendingCall,
    PendingInput,
    Result,
    Usage,
    Waiting,
)
from ._run_options import Limits, OutputLine
from ._runs import AsyncRuns, RunInfo, RunSummary
from ._sandbox_info import (
    CodeContext,
    CommandResult,
    ContextInfo,
    SandboxInfo,
    SandboxSummary,
    SnapshotInfo,
    TenantUsage,
    WorkspaceUse,
)
from ._tools import Tool, ToolDenied

__all__ = [
    "AsyncCheckpoints",
    "AsyncClient",
    "AsyncContext",
    "AsyncDownload",
    "AsyncFiles",
    "AsyncRuns",
    "AsyncSandbox",
    "AvailableTool",
    "Checkpoint",
    "Checkpoints",
    "Client",
    "CodeContext",
    "CommandResult",
    "Context",
    "ContextInfo",
    "ContextNotFoundError",
    "Display",
    "Download",
    "ExecutionContext",
    "ExecutionError",
    "ExecutionResult",
    "FileExistsError",
    "FileInfo",
    "FileNotFoundError",
    "FilePermissions",
    "FileSystemError",
    "FileTooLargeError",
    "Files",
    "Limits",
    "Logs",
    "OutputLine",
    "PendingCall",
    "PendingInput",
    "PermissionDeniedError",
    "Result",
    "Retry",
    "RunInfo",
    "RunSummary",
    "Runs",
    "Sandbox",
    "SandboxError",
    "SandboxInfo",
    "SandboxSummary",
    "SnapshotInfo",
    "TenantUsage",
    "Tool",
    "ToolDenied",
    "Usage",
    "ValidationFailedError",
    "Waiting",
    "WorkspaceUse",
    "connect",
]
