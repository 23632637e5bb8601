"""`get_ipython()` of notebooks: the functions that the lines of IPython call. There are no processes and
no packages to install, so commands print a note and the program goes on."""

import builtins
import os
import re
import sys
import time

from . import display_objects, displays

_INSTALL = re.compile(r"(?:python3?\s+-m\s+)?(?:pip3?|conda|mamba|uv\s+pip)\s+install\b(.*)", re.DOTALL).match
_REQUIREMENT = re.compile(r"[\"']?([A-Za-z0-9][A-Za-z0-9._-]*)").match
_SEPARATORS = re.compile(r"[-_.]+").sub
_FLAG = re.compile(r"(?:-\w+(?:\s*\d+)?\s+)*").match
# Settings of a display or of an editor that is not here.
_SILENT = frozenset("autoreload config load_ext matplotlib reload_ext pylab precision colors xmode".split())
_COMMANDS = frozenset("sx system".split())
_INSTALLERS = frozenset("conda mamba pip uv".split())
_SHELLS = frozenset("bash cmd sh script system sx !".split())
_SHOWN = {
    "html": display_objects.HTML, "latex": display_objects.Latex,
    "markdown": display_objects.Markdown, "svg": display_objects.SVG,
}
_RUNS = 3
_MOST_NAMES = 100
_NO_COMMANDS = "There is no shell here: use Python's own functions (os, pathlib, shutil) instead."
_main = sys.modules["__main__"].__dict__
_time, _write = time.perf_counter, print
_packages = {}
# Notes of this run: each is printed once.
_noted = set()


def _note(text):
    if text not in _noted:
        _noted.add(text)
        _write(text, file=sys.stderr)


def _normalised(name):
    return _SEPARATORS("-", name).lower()


def _install(rest):
    """Prints the outcome of `pip install`, which is no error in a notebook either."""
    names = [name for name in map(_REQUIREMENT, rest.split()) if name is not None]
    for name in names[:_MOST_NAMES]:
        found = _packages.get(_normalised(name[1]))
        if found is None:
            _write(
                f"ERROR: {name[1]} is not installed. The operator of the service adds packages: "
                f"deno task wheels add {_normalised(name[1])}"
            )
        else:
            _write(f"Requirement already satisfied: {found}")


def _duration(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def _evaluate(text):
    """Runs a statement in the program's namespace; gives its value if it is an expression."""
    try:
        code = compile(text, "<magic>", "eval", dont_inherit=True)
    except SyntaxError:
        exec(compile(text, "<magic>", "exec", dont_inherit=True), _main)
        return None
    return eval(code, _main)


def _time_statement(text):
    began = _time()
    value = _evaluate(text)
    _write(f"Wall time: {_duration(_time() - began)}")
    return value


def _time_repeatedly(text):
    statement = text[_FLAG(text).end() :]
    durations = []
    for _ in range(_RUNS):
        began = _time()
        _evaluate(statement)
        durations.append(_time() - began)
    _write(f"{_duration(min(durations))} per loop (best of {_RUNS} runs, 1 loop each)")


def _set_variable(text):
    name, sign, value = text.partition("=")
    if not sign:
        return dict(os.environ) if not name.strip() else os.environ.get(name.strip())
    os.environ[name.strip()] = value.strip()
    _write(f"env: {name.strip()}={value.strip()}")


def _change_directory(text):
    os.chdir(text.strip("\"'") or "/workspace")
    _write(os.getcwd())


def _run_file(text):
    path = text.split()[0].strip("\"'")
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), path, "exec", dont_inherit=True), _main)


def _list_directory(text):
    for name in sorted(os.listdir(text or ".")):
        _write(name)


_LINES = {
    "cd": _change_directory, "env": _set_variable, "ls": _list_directory, "pwd": lambda _: os.getcwd(),
    "run": _run_file, "set_env": _set_variable, "time": _time_statement, "timeit": _time_repeatedly,
}


class Shell:
    """Stands for IPython's shell."""

    user_ns = _main

    def run_line_magic(self, name, line, _stack_depth=1):
        """Runs a line that begins with %."""
        action = _LINES.get(name)
        if action is not None:
            return action(line)
        if name in _INSTALLERS:
            self.system(f"{name} {line}")
        elif name in _COMMANDS:
            return self.getoutput(line)
        elif name not in _SILENT:
            _note(f"%{name} is ignored: this is no IPython.")

    def run_cell_magic(self, name, line, cell):
        """Runs a program that begins with %%."""
        if name in ("time", "timeit"):
            self._began = _time()
        elif name in ("file", "writefile"):
            words = line.split()
            path = words[-1].strip("\"'")
            is_added = "-a" in words[:-1]
            with open(path, "a" if is_added else "w", encoding="utf-8") as file:
                file.write(cell if cell.endswith("\n") or not cell else cell + "\n")
            _write(f"{'Appending to' if is_added else 'Writing'} {path}")
        elif name in _SHOWN:
            displays.display(_SHOWN[name](cell))
        elif name in _SHELLS:
            _note(_NO_COMMANDS)
        elif name not in ("capture", "prun", "python", "python3", "py", "pypy"):
            _note(f"%%{name} and the lines below it are ignored: this is no IPython.")

    def magic(self, text):
        """The older form of run_line_magic."""
        name, _, line = text.lstrip("%").strip().partition(" ")
        return self.run_line_magic(name, line.strip())

    def system(self, command):
        """Runs a line that begins with !."""
        install = _INSTALL(command)
        if install is not None:
            _install(install[1])
        elif command.split() in (["ls"], ["dir"]):
            _list_directory("")
        elif command.split() == ["pwd"]:
            _write(os.getcwd())
        else:
            _note(_NO_COMMANDS)

    def getoutput(self, command, split=True, depth=0):
        """The output of a command, as lines: none."""
        _note(_NO_COMMANDS)
        return []

    _began = None


_shell = Shell()
# Whether this run's program is a notebook's.
_is_notebook = False


def get_ipython():
    """The shell of a notebook; None elsewhere."""
    return _shell if _is_notebook else None


def begin(is_notebook):
    """Begins a run."""
    global _is_notebook
    _is_notebook = is_notebook
    if is_notebook:
        _noted.clear()
        _shell._began = None
        builtins.get_ipython = get_ipython


def end():
    """Prints the time of a program that began with %%time."""
    if _shell._began is not None:
        _write(f"Wall time: {_duration(_time() - _shell._began)}")
        _shell._began = None


def install(packages):
    """Takes installed packages, each a name and a version. Called once, before the image is taken."""
    Shell.__module__, Shell.__name__, Shell.__qualname__ = "IPython.core.interactiveshell", *("InteractiveShell",) * 2
    for package in packages:
        name, _, version = package.partition(" ")
        _packages[_normalised(name)] = f"{name} ({version})" if version else name
