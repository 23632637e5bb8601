"""Describes exceptions as CPython prints them, without this driver's own frames."""

import sys
import traceback

from . import sources

FILE_NAME = sources.FILE_NAME
_OWN_FOLDER = "/lib/belljar/"
_LONGEST_MESSAGE = 200_000
_walk = traceback.walk_tb
_walk_positions = traceback._walk_tb_with_full_positions
remember_source = sources.remember


def _first_guest_traceback(tb):
    while tb is not None and tb.tb_frame.f_code.co_filename != FILE_NAME:
        tb = tb.tb_next
    return tb


def _line_number(error):
    """In the program of this run; an earlier one's functions have lines of their own."""
    line = None
    tb = error.__traceback__
    while tb is not None:
        if sources.is_present(tb.tb_frame.f_code):
            line = tb.tb_lineno
        tb = tb.tb_next
    if isinstance(error, SyntaxError) and error.filename == FILE_NAME:
        line = error.lineno if line is None else line
    return line if isinstance(line, int) and line > 0 else None


def _is_shown(entry):
    return not entry[0].f_code.co_filename.startswith(_OWN_FOLDER)


def walk_tb(tb):
    """Walk a traceback yielding the frame and line number for each frame.

    This will follow tb.tb_next (and thus is in the opposite order to
    walk_stack). Usually used with StackSummary.extract.
    """
    return filter(_is_shown, _walk(tb))


def _walk_tb_with_full_positions(tb):
    return filter(_is_shown, _walk_positions(tb))


def install():
    """Keeps this driver's frames out of all tracebacks. Called once, before the image is taken."""
    for function in (walk_tb, _walk_tb_with_full_positions):
        function.__module__ = "traceback"
        setattr(traceback, function.__name__, function)


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
            text = sources.line(code, tb.tb_lineno)
            if text:
                lines.append(f"    {text}")
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
