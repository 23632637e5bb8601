"""Compiles a program and runs it in `__main__`."""

import ast
import builtins
import inspect
import sys
import types

from .sources import FILE_NAME

# A guest of an earlier run could have changed the library; what runs a program is taken before.
_Expr = ast.Expr
_Expression = ast.Expression
_FunctionType = types.FunctionType
_CoroutineType = types.CoroutineType
_GeneratorType = types.GeneratorType
_ONLY_AST = ast.PyCF_ONLY_AST
_COROUTINE = inspect.CO_COROUTINE
_ITERABLE_COROUTINE = inspect.CO_ITERABLE_COROUTINE
_ALLOW_AWAIT = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_namespace = sys.modules["__main__"].__dict__


def _compile_parts(source):
    """Code of the statements, and of the last one when it is an expression; each may be None."""
    tree = compile(source.text, FILE_NAME, "exec", flags=_ONLY_AST, dont_inherit=True)
    last = None
    if tree.body and isinstance(tree.body[-1], _Expr):
        last = _Expression(tree.body.pop().value)
    parts = (
        _compile(tree, "exec") if tree.body else None,
        _compile(last, "eval") if last is not None else None,
    )
    source.codes = tuple(code for code in parts if code is not None)
    return parts


def _compile(tree, mode):
    return compile(tree, FILE_NAME, mode, flags=_ALLOW_AWAIT, dont_inherit=True)


def _evaluation(code, session):
    """The steps of evaluating code; their value."""
    _namespace.setdefault("__builtins__", builtins)
    value = yield _FunctionType(code, _namespace)
    if code.co_flags & _COROUTINE:
        value = yield session.step(value)
    return value


def steps(source, session):
    """Runs a program; the value of its last expression, awaited if need be, or None."""
    statements, last = _compile_parts(source)
    if statements is not None:
        yield from _evaluation(statements, session)
    if last is None:
        return None
    value = yield from _evaluation(last, session)
    if isinstance(value, _CoroutineType):
        value = yield session.step(value)
    elif _is_awaitable(value):
        value = yield session.step(_settled(value))
    return value


def _is_awaitable(value):
    if isinstance(value, _GeneratorType):
        return bool(value.gi_code.co_flags & _ITERABLE_COROUTINE)
    return hasattr(type(value), "__await__")


async def _settled(awaitable):
    return await awaitable
