"""Prints how many of the programs import each module: `python3 count_imports.py`.

What several of them import, the engine's image holds already (the driver's preload.py).
"""

import ast
import collections
import importlib.util
import pathlib
import re

ARCHIVE = pathlib.Path(__file__).parent.parent / "python.txtar"


def is_module(name):
    """Whether a name is that of a module here."""
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:
        return False


def imported(source):
    """The modules that a program names."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module)
            names.update(filter(is_module, (f"{node.module}.{alias.name}" for alias in node.names)))
    return names


counts = collections.Counter()
for program in re.split(r"^-- \S+ --\n", ARCHIVE.read_text(), flags=re.M)[1:]:
    try:
        counts.update(imported(program))
    except SyntaxError:
        continue  # some are there for their syntax errors
for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
    print(f"{count:4} {name}")
