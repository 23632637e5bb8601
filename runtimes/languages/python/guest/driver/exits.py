"""How a program ends itself: exit statuses, and `os._exit`.

No code of a process runs after `os._exit`, but the interpreter must be fit for the next run of
its context. Therefore `os._exit` raises an exception that no guest code can handle: until the run
ends, every guest instruction raises it again, in handlers too. Handlers of the library do run:
they release its locks and restore the state of its imports and event loops.
"""

import _operator
import _sitebuiltins
import os
import posix
import sys
from functools import partial
from opcode import opmap

from .steps import attempt

_LIBRARY = ("/lib/", "<frozen ")
_C_INT = range(-(2**31), 2**31)
_C_LONG = range(-(2**63), 2**63)
# CPython's status for a number that does not fit a C integer.
_NO_NUMBER = 255
_monitoring = sys.monitoring
_get_tool, _use_tool = _monitoring.get_tool, _monitoring.use_tool_id
_free_tool, _set_events = _monitoring.free_tool_id, _monitoring.set_events
_register = _monitoring.register_callback
_EVENTS = tuple(
    getattr(_monitoring.events, name)
    for name in ("INSTRUCTION", "PY_START", "PY_RESUME")
)
# The first and last instructions of a handler. They must run: they maintain the stack of exceptions.
_BOOKKEEPING = frozenset(opmap[name] for name in ("PUSH_EXC_INFO", "COPY", "POP_EXCEPT", "RERAISE"))
_STREAMS = ("stdin", "stdout", "stderr")
_TOOLS = range(5, -1, -1)
_code_of = SystemExit.code.__get__
_silence = id
# The streams that the run began with.
_streams = ()
# The state of an `os._exit` under way: status, monitoring tool, and the replaced unraisable hook.
_status = None
_tool = None
_hook = None


class _Left(SystemExit):
    """Ends a program; guest code cannot handle it."""


def _leave_again(code, offset):
    if str.startswith(code.co_filename, _LIBRARY) or code.co_code[offset] in _BOOKKEEPING:
        return
    raise _Left(_status)


def _take_tool():
    for tool in _TOOLS:
        if _get_tool(tool) is None:
            return tool
    _free_tool(_TOOLS[0])
    return _TOOLS[0]


def _exit(status):
    """Exit to the system with specified status, without normal exit processing."""
    global _status, _tool, _hook
    number = _operator.index(status)
    if number not in _C_INT:
        raise OverflowError("Python int too large to convert to C int")
    if _tool is None:
        _tool = _take_tool()
        _status = number & 255
        _hook = sys.__dict__.get("unraisablehook")
        sys.unraisablehook = _silence
        _use_tool(_tool, "exit")
        for event in _EVENTS:
            _register(_tool, event, _leave_again)
        _set_events(_tool, sum(_EVENTS))
    raise _Left(_status)


def is_under_way():
    """Whether the program has called `os._exit`."""
    return _tool is not None


def begin():
    """Called at the beginning of a run."""
    global _streams
    end()
    _streams = tuple(sys.__dict__.get(name) for name in _STREAMS)


def end():
    """Lets code run again. Returns the status given to `os._exit`, None if it was not called."""
    global _status, _tool, _hook, _streams
    status = _status
    if _tool is not None:
        _free_tool(_tool)
        sys.unraisablehook = _hook
        for name, stream in zip(_STREAMS, _streams):
            setattr(sys, name, stream)
    _status = _tool = _hook = None
    _streams = ()
    return status


def status_of(error):
    """The steps of finding the exit status of a SystemExit, as a shell would see it."""
    code = _code_of(error)
    if code is None:
        return 0
    if issubclass(type(code), int):
        return int.__and__(code, 255) if int.__index__(code) in _C_LONG else _NO_NUMBER
    yield from attempt(partial(print, code, file=sys.__dict__.get("stderr")))
    return 1


def _quit(self, code=None):
    """Unlike CPython's, does not close standard input: the next run of a context uses it too."""
    raise SystemExit(code)


def install():
    """Replaces the library's exit functions. Called once, before the image is taken."""
    _exit.__module__ = "posix"
    os._exit = posix._exit = _exit
    _Left.__module__, _Left.__name__ = "builtins", "SystemExit"
    _Left.__qualname__ = _Left.__name__
    _quit.__name__, _quit.__qualname__ = "__call__", "Quitter.__call__"
    _quit.__module__, _quit.__doc__ = "_sitebuiltins", None
    _sitebuiltins.Quitter.__call__ = _quit
