"""Compiles a program and runs it in `__main__`."""

import ast
import builtins
import inspect
import sys
import types
from functools import partial

from .sources import FILE_NAME
from .top_level import needs_loop

# Bound at build time: an earlier run of the context may have replaced these names in the library.
_Assign, _Await, _Constant, _Expr, _If = ast.Assign, ast.Await, ast.Constant, ast.Expr, ast.If
_Name, _Store = ast.Name, ast.Store
_Expression = ast.Expression
_FunctionType = types.FunctionType
_CoroutineType = types.CoroutineType
_GeneratorType = types.GeneratorType
_ONLY_AST = ast.PyCF_ONLY_AST
_COROUTINE = inspect.CO_COROUTINE
_ITERABLE_COROUTINE = inspect.CO_ITERABLE_COROUTINE
_ALLOW_AWAIT = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_bases_of = type.__dict__["__mro__"].__get__
_names_of = type.__dict__["__dict__"].__get__
_namespace = sys.modules["__main__"].__dict__
# A name that no program can spell.
_VALUE = "the value"


def _compiling(tree, mode, flags):
    return partial(compile, tree, FILE_NAME, mode, flags=flags, dont_inherit=True)


def _evaluation(code, session):
    """The steps of evaluating code; returns its value."""
    _namespace.setdefault("__builtins__", builtins)
    value = yield _FunctionType(code, _namespace)
    if code.co_flags & _COROUTINE:
        value = yield session.step(value)
    return value


def _placed(node, example):
    for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
        setattr(node, name, getattr(example, name))
    return node


def _make_coroutine(body):
    """Makes statements compile to a coroutine, by an `await` that never runs. The value of a last
    expression is assigned to `_VALUE`."""
    last = body[-1]
    if isinstance(last, _Expr):
        target = _placed(_Name(_VALUE, _Store()), last.value)
        body[-1] = _placed(_Assign([target], last.value), last)
    never = _placed(_Constant(False), last)
    wait = _placed(_Await(_placed(_Constant(None), last)), last)
    body.append(_placed(_If(never, [_placed(_Expr(wait), last)], []), last))


def _in_loop(tree, source, session):
    """The steps of a program that needs a running loop from its first statement; returns its value."""
    _make_coroutine(tree.body)
    code = yield _compiling(tree, "exec", _ALLOW_AWAIT)
    source.codes = (code,)
    yield from _evaluation(code, session)
    return _namespace.pop(_VALUE, None)


def _in_parts(tree, source, session):
    """The steps of any other program: its statements, then its last expression, if it ends with one."""
    body = tree.body
    last = _Expression(body.pop().value) if body and isinstance(body[-1], _Expr) else None
    statements = (yield _compiling(tree, "exec", _ALLOW_AWAIT)) if body else None
    value = (yield _compiling(last, "eval", _ALLOW_AWAIT)) if last is not None else None
    source.codes = tuple(code for code in (statements, value) if code is not None)
    if statements is not None:
        yield from _evaluation(statements, session)
    if value is None:
        return None
    return (yield from _evaluation(value, session))


def steps(source, session):
    """The steps of running a program. Returns the value of its last expression, awaited if it is
    awaitable; None if the program does not end with an expression."""
    tree = yield _compiling(source.text, "exec", _ONLY_AST)
    run = _in_loop if needs_loop(tree, source.text, _namespace) else _in_parts
    value = yield from run(tree, source, session)
    if type(value) is _CoroutineType:
        return (yield session.step(value))
    if _is_awaitable(value):
        return (yield session.step(_settled(value)))
    return value


def _is_awaitable(value):
    if type(value) is _GeneratorType:
        return bool(value.gi_code.co_flags & _ITERABLE_COROUTINE)
    return any("__await__" in _names_of(base) for base in _bases_of(type(value)))


async def _settled(awaitable):
    return await awaitable
