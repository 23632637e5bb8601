"""Compiles a program and runs it in `__main__`."""

import ast
import inspect
import sys
import types

from .errors import FILE_NAME

_COROUTINE = inspect.CO_COROUTINE
_ITERABLE_COROUTINE = inspect.CO_ITERABLE_COROUTINE
_ALLOW_AWAIT = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


def compile_program(source):
    """Code of the statements, and of the last one when it is an expression; each may be None."""
    tree = ast.parse(source, FILE_NAME, "exec")
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)
    return (
        _compile(tree, "exec") if tree.body else None,
        _compile(last, "eval") if last is not None else None,
    )


def _compile(tree, mode):
    return compile(tree, FILE_NAME, mode, flags=_ALLOW_AWAIT, dont_inherit=True)


def _evaluate(code, namespace, session):
    result = eval(code, namespace)
    if code.co_flags & _COROUTINE:
        return session.run(result)
    return result


def run_program(source, session):
    """Runs a program; the value of its last expression, awaited if need be, or None."""
    statements, last = compile_program(source)
    namespace = sys.modules["__main__"].__dict__
    if statements is not None:
        _evaluate(statements, namespace, session)
    if last is None:
        return None
    value = _evaluate(last, namespace, session)
    if _is_awaitable(value):
        return session.run(_settled(value))
    return value


def _is_awaitable(value):
    if isinstance(value, types.GeneratorType):
        return bool(value.gi_code.co_flags & _ITERABLE_COROUTINE)
    return isinstance(value, types.CoroutineType) or hasattr(type(value), "__await__")


async def _settled(awaitable):
    return await awaitable
