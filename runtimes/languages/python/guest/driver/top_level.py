"""Decides whether a program's top-level code needs a running event loop. Top-level code is code
outside of functions: it runs when the program runs."""

import ast
import asyncio

_AST = ast.AST
_Attribute, _Call, _Name = ast.Attribute, ast.Call, ast.Name
_Import, _ImportFrom = ast.Import, ast.ImportFrom
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_GENERATORS = ast.GeneratorExp
_TRIES = (ast.Try, ast.TryStar)
_AWAITS = (ast.Await, ast.AsyncFor, ast.AsyncWith)
_Comprehension = ast.comprehension
_MODULE = "asyncio"
# Functions that raise if no loop is running.
_NEEDING = frozenset(
    "Future all_tasks as_completed create_task current_task ensure_future gather "
    "get_running_loop shield".split()
)
# A program that uses one of these names runs its own loop.
_RUNNING = frozenset("Runner run run_forever run_until_complete set_event_loop".split())
_asyncio = asyncio
_needing_ids = frozenset(id(getattr(asyncio, name)) for name in _NEEDING)


def _children(node):
    for name in node._fields:
        field = getattr(node, name, None)
        if isinstance(field, _AST):
            yield field
        elif isinstance(field, list):
            yield from (item for item in field if isinstance(item, _AST))


def _nodes(tree):
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(_children(node))


def _outer_nodes(tree, is_left_out=()):
    """The nodes of top-level code, without the bodies of functions and of lazy expressions."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, is_left_out):
            continue
        yield node
        if isinstance(node, _FUNCTIONS):
            waiting.extend(node.args.defaults)
            waiting.extend(item for item in node.args.kw_defaults if item is not None)
            waiting.extend(getattr(node, "decorator_list", ()))
        elif isinstance(node, _GENERATORS):
            waiting.append(node.generators[0].iter)
        else:
            waiting.extend(_children(node))


def _awaits(tree):
    return any(
        isinstance(node, _AWAITS) or (isinstance(node, _Comprehension) and node.is_async)
        for node in _outer_nodes(tree)
    )


class _Bound:
    """The names of asyncio and of its functions, bound by imports of this program or by earlier
    programs."""

    def __init__(self, tree, namespace):
        self._namespace = namespace
        self._modules = set()
        self._functions = {}
        self.has_loop = False
        for node in _nodes(tree):
            if isinstance(node, _Import):
                names = (item for item in node.names if item.name == _MODULE)
                self._modules.update(item.asname or item.name for item in names)
            elif isinstance(node, _ImportFrom):
                names = node.names if node.module == _MODULE else ()
                self._functions.update((item.asname or item.name, item.name) for item in names)
            elif isinstance(node, _Attribute):
                self.has_loop = self.has_loop or node.attr in _RUNNING
            elif isinstance(node, _Name):
                self.has_loop = self.has_loop or node.id in _RUNNING

    def needs(self, function):
        """Whether a called expression is one of asyncio's functions that need a running loop."""
        if isinstance(function, _Name):
            bound = self._functions.get(function.id)
            return bound in _NEEDING or id(self._namespace.get(function.id)) in _needing_ids
        if not isinstance(function, _Attribute) or not isinstance(function.value, _Name):
            return False
        name = function.value.id
        is_module = name in self._modules or self._namespace.get(name) is _asyncio
        return is_module and function.attr in _NEEDING


def _calls_for_loop(tree, namespace):
    """Whether top-level code calls a function that needs a loop. Calls in a `try` do not count: the
    program may expect them to fail."""
    bound = _Bound(tree, namespace)
    return not bound.has_loop and any(
        isinstance(node, _Call) and bound.needs(node.func) for node in _outer_nodes(tree, _TRIES)
    )


def needs_loop(tree, text, namespace):
    """Whether a program must run in an event loop. A search of the text spares most programs the
    search of their tree."""
    if ("await" in text or "async" in text) and _awaits(tree):
        return True
    may_call = any(name in text for name in _NEEDING) or any(
        id(value) in _needing_ids for value in namespace.values()
    )
    return may_call and _calls_for_loop(tree, namespace)
