"""The host's entry points for a run: they yield one step after another and take each one's outcome."""

import _random
import atexit
import marshal
import operator
import os
import posix
import random
import sys
from functools import partial

from . import databases, deferred, displays, errors, exits, farewell, imports, indentation, notebook_shell
from . import open_files, program, readers, standard_streams, timers, tools, values
from .event_loop import Session
from .steps import Raised, attempt

ERROR = b"e"
_FIRST_SEED_BYTE = b"\1"
_ENDS_PROCESS = "process"
_HAS_INPUT = "input"
_NOTEBOOK = "notebook"
_WANTS_REPR = b"\xff"
packages = ()
_running = None

# Bound at build time: an earlier run of the context may have replaced these names in the library.
_loads = marshal.loads
_run_exit_functions = atexit._run_exitfuncs
_forget_exit_functions = atexit._clear
_variables = os.environ._data
_generator = random._inst
_seed = _random.Random.seed
_flush_stream = operator.methodcaller("flush")


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
    exits.begin()
    _set_environment(environment)
    # The leading byte makes all seeds equally long, so that seeding always costs the same fuel.
    _seed(_generator, int.from_bytes(_FIRST_SEED_BYTE + posix.urandom(32)))
    _generator.gauss_next = None
    imports.forget_listings()


def _flush():
    for name in ("stdout", "stderr"):
        yield from attempt(partial(_flush_stream, sys.__dict__.get(name)))


def _evaluate(source, session, held, failures, wants_repr):
    """The answer of a program and the line that displays its value; None and None if it fails.

    The value is added to `held`, an exception to `failures`."""
    try:
        held.append((yield from program.steps(source, session)))
        yield from attempt(notebook_shell.end)
        answer = yield from values.map_value(held[0])
        line = yield from displays.end_run(held[0], answer)
        if wants_repr and not exits.is_under_way():
            answer = yield from values.with_repr(answer, held[0])
        return answer, line
    except Raised as raised:
        failures.append(raised.error)
    except BaseException as error:
        failures.append(error)
    yield from displays.end_failed_run()
    return None, None


def _close(session, failures):
    """The steps before the process ends: closes the event loop and runs the exit functions."""
    try:
        yield from session.closing()
    except Raised as raised:
        failures.append(raised.error)
    if not exits.is_under_way():
        yield from deferred.finish()
    if exits.is_under_way():
        yield from attempt(_forget_exit_functions)
    else:
        yield from attempt(_run_exit_functions)


def _exit_answer(status):
    if status == 0:
        return values.NONE
    description = {"name": "SystemExit", "message": f"exit status {status}", "traceback": []}
    return ERROR + values.as_json(description)


def _failed(error):
    if issubclass(type(error), SystemExit):
        return _exit_answer((yield from exits.status_of(error)))
    return ERROR + values.as_json((yield from errors.describe(error, packages)))


def _steps(source, environment, kind="", declared=None, *, wants_repr=False):
    ending, _, notebook = kind.partition(" ")
    is_notebook = notebook == _NOTEBOOK
    yield from standard_streams.restored()
    _prepare(environment)
    tools.begin(declared)
    notebook_shell.begin(is_notebook)
    source = indentation.removed(source, is_notebook)
    yield from databases.give_back()
    yield from readers.reopen()
    if ending == _HAS_INPUT:
        yield from standard_streams.steps()
    session = Session()
    held = []
    failures = []
    answer, line = yield from _evaluate(
        errors.remember_source(source, is_notebook), session, held, failures, wants_repr
    )
    # Releasing the value can run its `__del__`, so it is a step. It precedes the exit functions.
    yield from attempt(held.clear)
    yield from _close(session, failures)
    if failures and not exits.is_under_way():
        answer, line = (yield from _failed(failures[0])), None
    yield from attempt(failures.clear)
    if ending == _ENDS_PROCESS and not exits.is_under_way():
        yield from farewell.steps(source)
    if line is not None and not exits.is_under_way():
        yield from attempt(partial(displays.write_line, line))
    yield from _flush()
    yield from attempt(timers.forget)
    yield from open_files.close_all()
    if ending == _HAS_INPUT:
        yield from standard_streams.steps()
    status = exits.end()
    yield answer if status is None else _exit_answer(status)


def begin(request):
    """Begins a run and returns its first step. Takes marshalled code, environment and kind of run:
    "process" if the process ends with the run, "input" if standard input is not empty, "run" otherwise; then
    "notebook" for a program of a notebook; in a run with calls, what its caller declared. A byte after all that asks for the own form of the value.

    The host calls a step without arguments and passes its outcome to `resume` or `fail`, which
    return the next step. The answer comes in place of a step, as bytes: a letter, then the content."""
    global _running
    _running = None
    _running = _steps(*_loads(request), wants_repr=bytes.endswith(request, _WANTS_REPR))
    return _running.send(None)


def resume(value):
    """Takes the result of a step and returns the next step."""
    return _running.send(value)


def fail(error):
    """Takes the exception that a step raised and returns the next step."""
    return _running.throw(Raised(error))


def forget():
    """Forgets the last run."""
    global _running
    _running = None
