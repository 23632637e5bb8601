"""`signal.alarm` and `signal.setitimer`. The time is that of the run's clock. The host counts it while the
program computes, and sleeps end early for it."""

import _signal
import errno
import operator
import posix
import signal
import time

# The host intercepts this number: `posix_fadvise` on it sets the alarm; the offset is in nanoseconds.
_ALARM_DESCRIPTOR = 0x7FFF5EF0
_SECOND_NS = 1_000_000_000
_LONGEST_S = 10**9
_ALARM = _signal.SIGALRM
_REAL = _signal.ITIMER_REAL
_KINDS = (_REAL, _signal.ITIMER_VIRTUAL, _signal.ITIMER_PROF)
_advise, _now, _raise = posix.posix_fadvise, time.monotonic_ns, _signal.raise_signal
_handler_of, _set_handler = _signal.getsignal, _signal.signal
_as_float, _as_index = float, operator.index
# When the alarm was first due; the time between later ones, or 0.
_due = None
_interval_ns = 0


def _end(number, frame):
    """The effect of a signal that nobody handles: the process ends, with the status that a shell gives it."""
    raise SystemExit(128 + number)


def _set(delay_ns, interval_ns):
    global _due, _interval_ns
    _due, _interval_ns = (_now() + delay_ns, interval_ns) if delay_ns > 0 else (None, 0)
    _advise(_ALARM_DESCRIPTOR, delay_ns, _interval_ns, 0)
    if delay_ns > 0 and _handler_of(_ALARM) is _signal.SIG_DFL:
        _set_handler(_ALARM, _end)


def _remaining_ns():
    """The time until the alarm is due; None if it is not set, or was due and is not repeated. The host knows
    of alarms that went off while the program computed, so the time alone tells."""
    if _due is None:
        return None
    left = _due - _now()
    if left > 0:
        return left
    return left % _interval_ns or _interval_ns if _interval_ns else None


def _itimer(which, seconds, interval):
    if which not in _KINDS:
        raise signal.ItimerError(errno.EINVAL, "Invalid argument")
    if which != _REAL:
        raise signal.ItimerError(errno.ENOSYS, "only ITIMER_REAL is available here")
    seconds, interval = _as_float(seconds), _as_float(interval)
    if not (0 <= seconds <= _LONGEST_S and 0 <= interval <= _LONGEST_S):
        raise signal.ItimerError(errno.EINVAL, "Invalid argument")
    before = getitimer(_REAL)
    _set(int(-(-seconds * _SECOND_NS // 1)), int(interval * _SECOND_NS))
    return before


def setitimer(which, seconds, interval=0.0, /):
    """Sets given itimer (ITIMER_REAL).

    The timer will fire after value seconds and after that every interval seconds.
    The itimer can be cleared by setting seconds to zero.

    Returns old values as a tuple: (delay, interval).
    """
    return _itimer(which, seconds, interval)


def getitimer(which, /):
    """Returns current value of given itimer."""
    if which not in _KINDS:
        raise signal.ItimerError(errno.EINVAL, "Invalid argument")
    left = _remaining_ns() if which == _REAL else None
    return (0.0, 0.0) if left is None else (left / _SECOND_NS, _interval_ns / _SECOND_NS)


def alarm(seconds, /):
    """Arrange for SIGALRM to arrive after the given number of seconds."""
    before = _itimer(_REAL, _as_index(seconds), 0)[0]
    return int(-(-before // 1))


def sleep_in_parts(sleep, nanoseconds):
    """Sleeps, or waits forever if the duration is negative. The alarm interrupts it."""
    end = None if nanoseconds < 0 else _now() + nanoseconds
    while True:
        left = _remaining_ns()
        rest = -1 if end is None else max(0, end - _now())
        if left is None or 0 <= rest < left:
            return sleep(rest)
        interval = _interval_ns
        _advise(_ALARM_DESCRIPTOR, 0, 0, 0)
        sleep(left)
        _set(interval, interval)
        _raise(_ALARM)
        if end is None:
            return None


def is_set():
    """Whether an alarm may interrupt a sleep."""
    return _due is not None


def forget():
    """Cancels the alarm. Called between runs."""
    if _due is not None:
        _set(0, 0)
    if _handler_of(_ALARM) is _end:
        _set_handler(_ALARM, _signal.SIG_DFL)
