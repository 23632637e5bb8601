"""What a guest cannot have, with errors that say so; and sleep, which takes no time."""

import _imp
import _signal
import _thread
import errno
import operator
import os
import posix
import signal
import threading
import time

# The host knows this number: advice on it is a sleep of so many nanoseconds.
_SLEEP_DESCRIPTOR = 0x7FFF5EED
_LONGEST_NS = 2**63 - 1
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
        nanoseconds = operator.index(seconds) * 1_000_000_000
        if nanoseconds > _LONGEST_NS:
            raise OverflowError("timestamp too large to convert to C PyTime_t")
    if nanoseconds < 0:
        raise ValueError("sleep length must be non-negative")
    _advise(_SLEEP_DESCRIPTOR, nanoseconds, 0, 0)


def _no_thread(*args, **kwargs):
    raise RuntimeError("can't start new thread: threads are not available here")


def _no_process(*args, **kwargs):
    raise OSError(errno.ENOSYS, "processes are not available here")


def _never_forked(*, before=None, after_in_child=None, after_in_parent=None):
    """Modules that find `os.fork` register what is to be done at one."""


def _no_timer(*args, **kwargs):
    raise OSError(errno.ENOSYS, "timers that send signals are not available here")


def _no_native_module(spec, file=None):
    raise ImportError("native extension modules cannot be loaded here", name=spec.name)


def install():
    """Puts the replacements in place. Called once, before the image is taken."""
    sleep.__module__ = "time"
    time.sleep = sleep
    _imp.create_dynamic = _no_native_module
    for module in (_thread, threading):
        for name in ("start_new_thread", "start_new", "start_joinable_thread"):
            for spelling in (name, "_" + name):
                if hasattr(module, spelling):
                    setattr(module, spelling, _no_thread)
    for module in (os, posix):
        for name in ("system", "popen", "fork", "forkpty", "execv", "execve"):
            setattr(module, name, _no_process)
    for name in ("execl", "execle", "execlp", "execlpe", "execvp", "execvpe"):
        setattr(os, name, _no_process)
    os.register_at_fork = _never_forked
    for module in (signal, _signal):
        for name in ("alarm", "setitimer"):
            setattr(module, name, _no_timer)
