"""Compiles a program and runs it in `__main__`."""

import ast
import builtins
import inspect
import sys
import types
from functools import partial

from . import ipython_lines, sources
from .sources import FILE_NAME
from .steps import Raised
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
# The value that `_` has.
_last = None


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


def _parsed(source):
    """The steps of parsing a program; gives its tree and the program that it is of. Lines of IPython are
    replaced if the program is a notebook's and no Python."""
    try:
        return (yield _compiling(source.text, "exec", _ONLY_AST)), source
    except Raised as raised:
        if not source.is_notebook or not issubclass(type(raised.error), SyntaxError):
            raise
        text = ipython_lines.replaced(source.text)
        if text == source.text:
            raise
    source = sources.remember(text, True)
    return (yield _compiling(text, "exec", _ONLY_AST)), source


def _is_silenced(tree, source):
    """Whether the last expression ends with a semicolon, by which a notebook does not show its value."""
    last = tree.body[-1] if tree.body else None
    if not source.is_notebook or not isinstance(last, _Expr):
        return False
    line = source.text.split("\n")[last.end_lineno - 1].encode()
    return line[last.end_col_offset :].lstrip().startswith(b";")


def _keep_last(value):
    """Names the last value `_`, unless the program uses that name."""
    global _last
    if _namespace.get("_", _last) is _last:
        _namespace["_"] = _last = value


def steps(source, session):
    """The steps of running a program. Returns the value of its last expression, awaited if it is
    awaitable; None if the program does not end with an expression."""
    tree, source = yield from _parsed(source)
    is_silenced = _is_silenced(tree, source)
    value = yield from _run(tree, source, session)
    if source.is_notebook and value is not None:
        _keep_last(value)
    return None if is_silenced else value


def _run(tree, source, session):
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
