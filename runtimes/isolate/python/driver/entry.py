"""What the host calls for each run.

A run is a generator of steps: callables that the host calls itself, with none of this driver's
frames beneath them. So the guest's outermost frame is the outermost one there is.
"""

import _random
import atexit
import marshal
import os
import posix
import random
import sys

from . import errors, imports, open_files, program, values
from .event_loop import Session

ERROR = b"e"
_FIRST_SEED_BYTE = b"\1"
packages = ()
_running = None

# What begins a run uses nothing of the library that a guest of an earlier run could have changed.
_loads = marshal.loads
_run_exit_functions = atexit._run_exitfuncs
_variables = os.environ._data
_generator = random._inst
_seed = _random.Random.seed


def _set_environment(environment):
    for name in _variables:
        posix.unsetenv(name)
    _variables.clear()
    for index in range(0, len(environment), 2):
        name = environment[index].encode("utf-8", "surrogateescape")
        value = environment[index + 1].encode("utf-8", "surrogateescape")
        _variables[name] = value
        posix.putenv(name, value)


def _prepare(environment):
    _set_environment(environment)
    # The byte in front makes every seed equally long, so that seeding always costs the same.
    _seed(_generator, int.from_bytes(_FIRST_SEED_BYTE + posix.urandom(32)))
    _generator.gauss_next = None
    imports.forget_changed()


def _flush():
    for name in ("stdout", "stderr"):
        try:
            getattr(sys, name).flush()
        except BaseException:
            pass  # a stream the guest has closed, or put something else in place of


class _Raised(BaseException):
    """Carries an exception of the guest through generators, which would change a StopIteration."""

    def __init__(self, error):
        self.error = error


def _mapped(value):
    try:
        return values.map_value(value)
    except BaseException as error:
        raise _Raised(error)


def _guarded(source, session):
    value = None
    try:
        value = yield from program.steps(source, session)
        return _mapped(value)
    finally:
        del value  # what it does when it goes comes before what is done at exit
        yield from session.closing()
        yield _run_exit_functions


def _failed(error):
    if isinstance(error, SystemExit):
        description = errors.describe_exit(error)
    else:
        description = errors.describe(error, packages)
    if description is None:
        return values.NONE
    return ERROR + values.as_json(description)


def _steps(source, environment):
    _prepare(environment)
    try:
        answer = yield from _guarded(errors.remember_source(source), Session())
    except _Raised as raised:
        answer = _failed(raised.error)
    except BaseException as error:
        answer = _failed(error)
    _flush()
    open_files.close_all()
    yield answer


def begin(request):
    """Begins a run. Takes marshalled code and environment, gives the first step.

    A step is called without arguments, and `resume` or `fail` is told what came of it. What is
    no step but bytes is the answer: a letter and the content."""
    global _running
    _running = None
    _running = _steps(*_loads(request))
    return _running.send(None)


def resume(value):
    """Takes what a step returned, gives the next."""
    return _running.send(value)


def fail(error):
    """Takes what a step raised, gives the next."""
    return _running.throw(_Raised(error))


def forget():
    """Forgets the last run."""
    global _running
    _running = None
