"""Loads the driver's modules. They have their own copy of the built-ins, which no guest can change."""

import builtins
import json
import sys
import types

_PACKAGE = "belljar_driver"
_FOLDER = "/lib/belljar/"
_MODULES = (
    "additions", "hashes", "word_size", "date_format", "timers", "steps", "deferred", "restrictions", "exits", "databases", "readers",
    "open_files", "standard_streams", "farewell", "indentation", "ipython_lines", "sources", "imports",
    "tool_errors", "tools", "event_loop", "executors", "values", "errors", "figures", "frames", "display_objects", "mime_bundles", "displays",
    "import_hooks", "libraries", "notebook_shell", "notebook",
    "top_level", "program", "entry", "preload", "boot",
)


def _load_driver():
    own_builtins = dict(builtins.__dict__)
    package = types.ModuleType(_PACKAGE)
    package.__path__ = []
    sys.modules[_PACKAGE] = package
    for name in _MODULES:
        path = f"{_FOLDER}{name}.py"
        with open(path, encoding="utf-8") as file:
            source = file.read()
        module = types.ModuleType(f"{_PACKAGE}.{name}")
        module.__package__ = _PACKAGE
        module.__dict__["__builtins__"] = own_builtins
        sys.modules[module.__name__] = module
        setattr(package, name, module)
        exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)
    with open(f"{_FOLDER}packages.json", encoding="utf-8") as file:
        package.boot.prepare(json.load(file))


_load_driver()
