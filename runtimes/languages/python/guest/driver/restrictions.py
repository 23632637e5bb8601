"""Replaces what a guest cannot have by functions that raise a clear error, and sleep by a virtual one."""

import _imp
import _signal
import _socket
import _thread
import errno
import inspect
import operator
import os
import posix
import signal
import socket
import subprocess
import sys
import threading
import time
from importlib.machinery import ModuleSpec
from types import ModuleType

from . import deferred, timers

# The host intercepts this number: `posix_fadvise` on it sleeps; the offset is in nanoseconds.
_SLEEP_DESCRIPTOR = 0x7FFF5EED
# `posix_fadvise` on it waits for the offset in nanoseconds; a negative offset waits forever.
_WAIT_DESCRIPTOR = 0x7FFF5EEF
# Commands that clear the screen. They succeed without effect: there is no screen.
_CLEARING = ("clear", "cls")
_LONGEST_NS = 2**63 - 1
_NO_NETWORK = "there is no network here"
_advise = posix.posix_fadvise


def sleep(seconds, /):
    """sleep(seconds)

    Delay execution for a given number of seconds. The delay is virtual: clocks move on by it.
    """
    if isinstance(seconds, float):
        if seconds != seconds:
            raise ValueError("Invalid value NaN (not a number)")
        if seconds * 1e9 > _LONGEST_NS:
            raise OverflowError("timestamp too large to convert to C PyTime_t")
        nanoseconds = -(-seconds * 1e9 // 1) if seconds > -1e9 else -1
        nanoseconds = int(nanoseconds)
    else:
        if not hasattr(type(seconds), "__index__"):
            name = type(seconds).__name__
            raise TypeError(f"'{name}' object cannot be interpreted as an integer")
        nanoseconds = operator.index(seconds) * 1_000_000_000
        if nanoseconds > _LONGEST_NS:
            raise OverflowError("timestamp too large to convert to C PyTime_t")
    if nanoseconds < 0:
        raise ValueError("sleep length must be non-negative")
    if deferred.is_set():
        deferred.sleep_in_parts(_sleep, nanoseconds)
    else:
        _sleep(nanoseconds)


def _sleep(nanoseconds):
    if timers.is_set():
        timers.sleep_in_parts(_sleep_through, nanoseconds)
    else:
        _sleep_through(nanoseconds)


def _sleep_through(nanoseconds):
    _advise(_SLEEP_DESCRIPTOR if nanoseconds >= 0 else _WAIT_DESCRIPTOR, nanoseconds, 0, 0)


def _describe(function, original):
    """Gives a function the metadata of the one that it replaces."""
    if getattr(original, "__doc__", None) and function.__doc__ is None:
        function.__doc__ = original.__doc__
    if getattr(original, "__text_signature__", None):
        function.__text_signature__ = original.__text_signature__
        try:
            function.__signature__ = inspect.signature(original)
        except ValueError:
            pass  # `__text_signature__` is not always a valid signature


def _refuse(modules, names, kind, *details):
    """Replaces functions of modules by ones that raise. `details` are the exception's arguments."""
    for name in names:

        def refused(*args, **kwargs):
            raise kind(*details)

        refused.__name__ = refused.__qualname__ = name
        refused.__module__ = modules[-1].__name__
        _describe(refused, getattr(modules[-1], name, None))
        for module in modules:
            setattr(module, name, refused)


def _replace(module, name, function):
    _describe(function, getattr(module, name, None))
    function.__name__ = name
    function.__qualname__ = f"{module.__qualname__}.{name}" if isinstance(module, type) else name
    function.__module__ = getattr(module, "__module__", module.__name__)
    setattr(module, name, function)


def _never_forked(*, before=None, after_in_child=None, after_in_parent=None):
    """Accepts the hooks that modules register if `os` has `fork`; no fork ever calls them."""


def _pause():
    """Wait until a signal arrives."""
    _sleep(-1)


def _no_native_module(spec, file=None):
    raise ImportError("native extension modules cannot be loaded here", name=spec.name)


def _no_process(self, *args, **kwargs):
    raise OSError(errno.ENOSYS, "processes are not available here")


_open_socket = socket.socket.__init__


def _no_socket(self, *args, **kwargs):
    try:
        _open_socket(self, *args, **kwargs)
    except PermissionError:
        error = PermissionError(errno.EACCES, _NO_NETWORK)
    else:
        return
    raise error


def _system(command):
    """Execute the command in a subshell."""
    if os.fsdecode(command).strip() in _CLEARING:
        return 0
    raise OSError(errno.ENOSYS, "processes are not available here")


def _refuse_threads():
    spellings = [
        spelling
        for name in ("start_new_thread", "start_new", "start_joinable_thread")
        for spelling in (name, "_" + name)
    ]
    for module in (_thread, threading):
        names = [name for name in spellings if hasattr(module, name)]
        message = "can't start new thread: threads are not available here, but ThreadPoolExecutor is"
        _refuse((module,), names, RuntimeError, message)


class _SemLock:
    """The semaphore that processes share, without which no lock, queue or pool of them is made."""

    SEM_VALUE_MAX = 2**31 - 1
    __init__ = _no_process


def _refuse_processes():
    """Installs a `_multiprocessing` whose semaphores cannot be made."""
    module = ModuleType("_multiprocessing")
    module.__spec__ = ModuleSpec(module.__name__, None)
    _SemLock.__module__, _SemLock.__name__, _SemLock.__qualname__ = module.__name__, "SemLock", "SemLock"
    module.SemLock, module.sem_unlink = _SemLock, _no_process
    sys.modules[module.__name__] = module


def install():
    """Puts the replacements in place. Called once, before the image is taken."""
    _replace(time, "sleep", sleep)
    _replace(_imp, "create_dynamic", _no_native_module)
    _replace(os, "register_at_fork", _never_forked)
    _refuse_threads()
    deferred.install(_sleep)
    _refuse_processes()
    no_process = (OSError, errno.ENOSYS, "processes are not available here")
    for module in (os, posix):
        _replace(module, "system", _system)
    names = ("popen", "fork", "forkpty", "execv", "execve")
    _refuse((os, posix), names, *no_process)
    _refuse((os,), ("execl", "execle", "execlp", "execlpe", "execvp", "execvpe"), *no_process)
    _replace(subprocess.Popen, "__init__", _no_process)
    no_network = (socket.gaierror, socket.EAI_AGAIN, _NO_NETWORK)
    names = ("getaddrinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr")
    _refuse((_socket, socket), names, *no_network)
    _replace(socket.socket, "__init__", _no_socket)
    for module in (_signal, signal):
        for function in (timers.alarm, timers.setitimer, timers.getitimer):
            _replace(module, function.__name__, function)
        _replace(module, "pause", _pause)
