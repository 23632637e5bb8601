# Cuts the program in the variable PROGRAM into its top-level statements: a list of
# [first byte, reason why there must be no cut in front of it or None], and a prelude.
import ast
import os

program = os.environ["PROGRAM"]
source = program.encode()
lines = source.splitlines(keepends=True)
starts = [0]
for line in lines:
    starts.append(starts[-1] + len(line))
body = ast.parse(program).body

OPENERS = {"open", "fdopen", "TemporaryFile", "NamedTemporaryFile", "SpooledTemporaryFile",
           "ZipFile", "connect", "FileHandler", "basicConfig"}
RESTS = {
    "seed": "seeded random numbers",
    "putenv": "environ change",
    "exit": "the end of the program",
    "quit": "the end of the program",
    "register": "pending work",
    "finalize": "pending work",
    "new_event_loop": "pending work",
    "scheduler": "time that passes",
    "_exit": "the end of the program",
}


def first_byte(node):
    # a decorator begins in front of its `@`, which is where its function does
    line = min(n.lineno for n in [node, *getattr(node, "decorator_list", [])])
    return starts[line - 1] + node.col_offset


def name_of(call):
    function = call.func
    return getattr(function, "attr", None) or getattr(function, "id", None)


def walk_run(node):
    """What runs with a statement: no bodies of functions."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield from walk_run(child)


def is_environ(node):
    return isinstance(node, ast.Attribute) and node.attr == "environ"


def opens(node):
    """Opens a file outside of `with`, and keeps it under a name."""
    if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
        return False
    memory = any(isinstance(n, ast.Constant) and n.value == ":memory:" for n in ast.walk(node))
    chained = isinstance(node.value, ast.Call) and name_of(node.value) in OPENERS
    return chained and not memory


def lasting(node):
    if any(isinstance(n, ast.FunctionDef) and n.name == "__del__" for n in ast.walk(node)):
        return "the end of the program"
    for part in walk_run(node):
        if isinstance(part, ast.Call):
            reason = RESTS.get(name_of(part))
            if reason is not None:
                return reason
            if isinstance(part.func, ast.Attribute) and is_environ(part.func.value):
                if part.func.attr in {"update", "pop", "setdefault", "clear"}:
                    return "environ change"
        if isinstance(part, (ast.Subscript, ast.Attribute)):
            if not isinstance(part.ctx, ast.Load):
                if is_environ(part) or is_environ(part.value):
                    return "environ change"
                if getattr(part, "attr", None) in {"stdout", "stderr", "stdin"}:
                    return "a replaced stream"
    return None


reasons = [None] * len(body)


def join(first, last, reason):
    for at in range(first + 1, last + 1):
        reasons[at] = reasons[at] or reason


prelude = ""
for index, node in enumerate(body):
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        prelude += ast.unparse(node) + "; "
        join(0, index, "directive")
    reason = lasting(node)
    if reason is not None:
        join(index, len(body) - 1, reason)
    if opens(node):
        closers = [at for at, n in enumerate(body) if at >= index and any(
            isinstance(p, ast.Call) and name_of(p) == "close" for p in ast.walk(n))]
        join(index, closers[-1] if closers else len(body) - 1, "an open file")

[[[first_byte(node), reason] for node, reason in zip(body, reasons)], prelude]
