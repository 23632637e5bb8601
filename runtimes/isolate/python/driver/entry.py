"""The function that the host calls for each run."""

import _random
import atexit
import marshal
import os
import posix
import random
import sys

from . import errors, program, values
from .event_loop import Session

ERROR = b"e"
_SEED_TOP_BIT = 1 << 256
packages = ()

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


def _begin(environment):
    _set_environment(environment)
    # The bit on top makes every seed equally long, so that seeding always costs the same.
    _seed(_generator, int.from_bytes(posix.urandom(32)) | _SEED_TOP_BIT)
    _generator.gauss_next = None


def _flush():
    for name in ("stdout", "stderr"):
        try:
            getattr(sys, name).flush()
        except BaseException:
            pass  # a stream the guest has closed, or put something else in place of


def _run_guarded(source):
    session = Session()
    try:
        value = program.run_program(source, session)
        mapped = values.map_value(value)
    finally:
        session.close()
        _run_exit_functions()
    return mapped


def _failed(error):
    if isinstance(error, SystemExit):
        description = errors.describe_exit(error)
    else:
        description = errors.describe(error, packages)
    if description is None:
        return values.NONE
    return ERROR + values.as_json(description)


def run(request):
    """Runs a program. Takes marshalled code and environment, gives a letter and the content."""
    source, environment = _loads(request)
    _begin(environment)
    try:
        errors.remember_source(source)
        result = _run_guarded(source)
    except BaseException as error:
        result = _failed(error)
    _flush()
    return result
