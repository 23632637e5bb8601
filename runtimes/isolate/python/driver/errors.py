"""Describes exceptions as CPython prints them, without this driver's own frames."""

import linecache
import sys
import traceback

FILE_NAME = "main.py"
_OWN_FOLDER = "/lib/belljar/"
_LONGEST_MESSAGE = 200_000
_source = []


def _first_guest_traceback(tb):
    while tb is not None and tb.tb_frame.f_code.co_filename != FILE_NAME:
        tb = tb.tb_next
    return tb


def _line_number(error):
    line = None
    tb = error.__traceback__
    while tb is not None:
        if tb.tb_frame.f_code.co_filename == FILE_NAME:
            line = tb.tb_lineno
        tb = tb.tb_next
    if isinstance(error, SyntaxError) and error.filename == FILE_NAME:
        line = error.lineno if line is None else line
    return line if isinstance(line, int) and line > 0 else None


def _without_own_frames(described, seen):
    """Takes this driver's frames out of an exception, its causes and its group's members."""
    if described is None or id(described) in seen:
        return
    seen.add(id(described))
    kept = [frame for frame in described.stack if not frame.filename.startswith(_OWN_FOLDER)]
    described.stack[:] = kept
    _without_own_frames(described.__cause__, seen)
    _without_own_frames(described.__context__, seen)
    for member in described.exceptions or ():
        _without_own_frames(member, seen)


def _message(error):
    try:
        message = str(error)
    except BaseException:
        return "<exception str() failed>"
    if len(message) <= _LONGEST_MESSAGE:
        return message
    return f"{message[:_LONGEST_MESSAGE]}... ({len(message)} characters)"


def _missing_module_hint(error, packages):
    if not isinstance(error, ModuleNotFoundError) or not isinstance(error.name, str):
        return None
    top = error.name.partition(".")[0]
    if top in sys.modules:
        return None
    if top in sys.stdlib_module_names:
        return "This part of the standard library is not available here."
    if not packages:
        return "Only the standard library is installed here."
    return f"Installed here: the standard library and {', '.join(packages)}."


def _formatted_lines(error):
    """As CPython prints it; None when the guest broke what formats tracebacks."""
    try:
        described = traceback.TracebackException.from_exception(error)
        _without_own_frames(described, set())
        return "".join(described.format(colorize=False)).rstrip("\n").split("\n")
    except Exception:
        return None


def _plain_lines(error, name, message):
    """A traceback made with nothing of the library."""
    lines = ["Traceback (most recent call last):"]
    tb = error.__traceback__
    while tb is not None:
        code = tb.tb_frame.f_code
        if not code.co_filename.startswith(_OWN_FOLDER):
            lines.append(f'  File "{code.co_filename}", line {tb.tb_lineno}, in {code.co_name}')
            if code.co_filename == FILE_NAME and 0 < tb.tb_lineno <= len(_source):
                lines.append(f"    {_source[tb.tb_lineno - 1].strip()}")
        tb = tb.tb_next
    lines.append(f"{name}: {message}" if message else name)
    return lines


def describe(error, packages=()):
    """Name, message, traceback lines and line number of an exception."""
    name = type(error).__name__
    message = _message(error)
    error.__traceback__ = _first_guest_traceback(error.__traceback__)
    if len(message) >= _LONGEST_MESSAGE:
        lines = _plain_lines(error, name, message)
    else:
        lines = _formatted_lines(error) or _plain_lines(error, name, message)
    hint = _missing_module_hint(error, packages)
    if hint is not None:
        message = f"{message}. {hint}"
        lines.append(hint)
    return {
        "name": name,
        "message": message,
        "traceback": lines,
        "lineNumber": _line_number(error),
    }


def describe_exit(error):
    """What a SystemExit means: None for a clean one, else its description."""
    code = error.code
    if code is None or code is False or (type(code) is int and code == 0):
        return None
    if isinstance(code, int):
        status = int(code) & 0xFFFFFFFF
    else:
        print(code, file=sys.stderr)
        status = 1
    return {"name": "SystemExit", "message": f"exit status {status}", "traceback": []}


def remember_source(code):
    """Lets tracebacks show the lines of the program."""
    _source[:] = [line + "\n" for line in code.split("\n")]
    linecache.cache[FILE_NAME] = (len(code), None, list(_source), FILE_NAME)
