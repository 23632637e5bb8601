"""`threading.Timer` without threads: its function is called when the time of the run passes its hour, in a sleep,
in a wait for an event, or at the end of the run."""

import heapq
import itertools
import threading
import time

from .steps import attempt

_SECOND_NS = 1_000_000_000
_Timer, _Thread, _Event = threading.Timer, threading.Thread, threading.Event
_wait = _Event.wait
_now = time.monotonic_ns
_numbers = itertools.count()
# Heap of hour, number and timer.
_waiting = []
_sleep = None


def _hour():
    """The time at which the next timer is due; None without one."""
    while _waiting and _waiting[0][2].finished.is_set():
        heapq.heappop(_waiting)
    return _waiting[0][0] if _waiting else None


def _call(timer):
    try:
        timer.function(*timer.args, **timer.kwargs)
    except BaseException as error:
        if not issubclass(type(error), SystemExit):
            parts = (type(error), error, error.__traceback__, timer)
            threading.excepthook(threading.ExceptHookArgs(parts))
    timer.finished.set()


def _call_next():
    timer = heapq.heappop(_waiting)[2]
    if not timer.finished.is_set():
        _call(timer)


def start(self):
    """Start the timer. It is called when the time of the run has passed its interval."""
    if self._started.is_set():
        raise RuntimeError("threads can only be started once")
    self._started.set()
    hour = _now() + max(0, int(self.interval * _SECOND_NS))
    heapq.heappush(_waiting, (hour, next(_numbers), self))


def is_alive(self):
    """Return whether the timer waits."""
    return any(timer is self for _, _, timer in _waiting) and not self.finished.is_set()


def join(self, timeout=None):
    """Wait until the timer was called or cancelled, or until the timeout."""
    if not self._started.is_set():
        raise RuntimeError("cannot join thread before it is started")
    self.finished.wait(timeout)


def is_set():
    """Whether a timer may interrupt a sleep."""
    return _hour() is not None


def sleep_in_parts(sleep, nanoseconds):
    """Sleeps, or waits forever if the duration is negative, and calls the timers that are due meanwhile."""
    end = None if nanoseconds < 0 else _now() + nanoseconds
    while True:
        hour = _hour()
        if hour is None or (end is not None and hour > end):
            return sleep(-1 if end is None else max(0, end - _now()))
        sleep(max(0, hour - _now()))
        _call_next()


def wait(self, timeout=None):
    end = None if timeout is None else _now() + max(0, int(timeout * _SECOND_NS))
    while not self.is_set():
        hour = _hour()
        if hour is None or (end is not None and hour > end):
            return _wait(self, None if end is None else max(0, end - _now()) / _SECOND_NS)
        _sleep(max(0, hour - _now()))
        _call_next()
    return True


def _call_all():
    while (hour := _hour()) is not None:
        if _waiting[0][2].daemon:
            heapq.heappop(_waiting)
            continue
        _sleep(max(0, hour - _now()))
        _call_next()


def finish():
    """The steps of waiting for all timers at the end of a run. Those of daemons are forgotten."""
    if _waiting:
        yield from attempt(_call_all)
        _waiting.clear()


def install(sleep):
    """Replaces methods of the library. `sleep` takes nanoseconds. Called once, before the image is taken."""
    global _sleep
    _sleep = sleep
    wait.__doc__ = _wait.__doc__
    for owner, functions in ((_Timer, (start, is_alive, join)), (_Event, (wait,))):
        for function in functions:
            function.__module__ = "threading"
            function.__qualname__ = f"{owner.__name__}.{function.__name__}"
            setattr(owner, function.__name__, function)
