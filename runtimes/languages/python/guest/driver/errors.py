"""Describes exceptions as CPython prints them, without this driver's own frames."""

import sys
import traceback
from functools import partial

from . import sources
from .steps import attempt

FILE_NAME = sources.FILE_NAME
_OWN_FOLDER = "/lib/belljar/"
_LONGEST_MESSAGE = 200_000
# The library takes some 20 µs to format a frame. Deeper tracebacks are formatted without it.
_MOST_FRAMES = 20_000
# The library's limit of equal frames that are shown in a row.
_SHOWN_REPETITIONS = 3
_LONGEST_PACKAGE_NAME = 60
# Of the hint at a missing module. With the message it has at most 300 characters.
_LONGEST_MISSING = 220
# Packages that have another name than their module.
_PACKAGES = {
    "Crypto": "pycryptodome", "Levenshtein": "levenshtein", "OpenSSL": "pyopenssl", "PIL": "pillow", "attr": "attrs",
    "bs4": "beautifulsoup4", "cv2": "opencv-python", "dateutil": "python-dateutil", "docx": "python-docx",
    "dotenv": "python-dotenv", "fitz": "pymupdf", "git": "gitpython", "jose": "python-jose", "jwt": "pyjwt",
    "magic": "python-magic", "pptx": "python-pptx", "serial": "pyserial", "skimage": "scikit-image",
    "sklearn": "scikit-learn", "slugify": "python-slugify", "wx": "wxpython", "yaml": "pyyaml", "zmq": "pyzmq",
}
_IPYTHON = (
    "Lines that begin with % or ! are IPython's, not Python's: leave them out. Programs cannot install "
    "packages or run commands here."
)
_PLACE = ("filename", "name", "lineno", "end_lineno", "colno", "end_colno", "line")
_walk = traceback.walk_tb
_walk_positions = traceback._walk_tb_with_full_positions
_describe_exception = traceback.TracebackException.from_exception
_format = traceback.TracebackException.format
remember_source = sources.remember
_name_of = type.__dict__["__name__"].__get__
_traceback_of = BaseException.__traceback__.__get__
_cut_traceback = BaseException.with_traceback
_missing_name_of = ImportError.name.__get__
_syntax_file_of = SyntaxError.filename.__get__
_syntax_line_of = SyntaxError.lineno.__get__


def _first_guest_traceback(tb):
    while tb is not None and tb.tb_frame.f_code.co_filename != FILE_NAME:
        tb = tb.tb_next
    return tb


def _line_number(error):
    """The line in this run's program; lines in functions of earlier programs do not count."""
    line = None
    tb = _traceback_of(error)
    while tb is not None:
        if sources.is_present(tb.tb_frame.f_code):
            line = tb.tb_lineno
        tb = tb.tb_next
    if line is None and issubclass(type(error), SyntaxError):
        file = _syntax_file_of(error)
        line = _syntax_line_of(error) if type(file) is str and file == FILE_NAME else None
    return line if type(line) is int and line > 0 else None


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


_format_frame = traceback.StackSummary.format_frame_summary


def format_frame_summary(self, frame_summary, **kwargs):
    if frame_summary.locals is not None:
        return _format_frame(self, frame_summary, **kwargs)
    # A deep recursion repeats a few frames many times.
    known = self.__dict__.setdefault("_formatted", {})
    key = (getattr(frame_summary, "_code", None), *map(frame_summary.__getattribute__, _PLACE), *kwargs.items())
    if key not in known:
        known[key] = _format_frame(self, frame_summary, **kwargs)
    return known[key]


def install():
    """Keeps this driver's frames out of all tracebacks, and makes those of deep recursions cheap.
    Called once, before the image is taken."""
    format_frame_summary.__module__ = "traceback"
    format_frame_summary.__qualname__ = _format_frame.__qualname__
    format_frame_summary.__doc__ = _format_frame.__doc__
    traceback.StackSummary.format_frame_summary = format_frame_summary
    for function in (walk_tb, _walk_tb_with_full_positions):
        function.__module__ = "traceback"
        setattr(traceback, function.__name__, function)


def _message(error):
    message = str.__str__((yield from attempt(partial(str, error), "<exception str() failed>")))
    if len(message) <= _LONGEST_MESSAGE:
        return message
    return f"{message[:_LONGEST_MESSAGE]}... ({len(message)} characters)"


def _is_package_name(name):
    return name.isascii() and name.isidentifier() and len(name) <= _LONGEST_PACKAGE_NAME


def _is_import_of_package(error):
    """Whether a file of the library or of a package asked for the module."""
    importer = ""
    tb = _traceback_of(error)
    while tb is not None:
        name = tb.tb_frame.f_code.co_filename
        if not name.startswith("<frozen "):
            importer = name
        tb = tb.tb_next
    return importer.startswith("/lib/")


def _installed(packages):
    if not packages:
        return "Only the standard library is installed here"
    return f"Installed here: the standard library and {', '.join(packages)}"


def _counted(packages):
    return f"Installed here: the standard library and {len(packages)} packages, which GET /languages lists"


def _missing_module_hint(error, packages):
    if not issubclass(type(error), ModuleNotFoundError):
        return None
    name = _missing_name_of(error)
    if type(name) is not str:
        return None
    top = name.partition(".")[0]
    if top in sys.modules:
        return None
    if top in sys.stdlib_module_names:
        return "This part of the standard library is not available here."
    command = ""
    if _is_package_name(top):
        package = _PACKAGES.get(top, top)
        command = f"The operator of the service adds packages: deno task wheels add {package}"
    if _is_import_of_package(error):
        return command or None
    there = f"{_installed(packages)}. {command}".rstrip()
    if len(there) > _LONGEST_MISSING:
        there = f"{_counted(packages)}. {command}".rstrip()
    return there


def _ipython_hint(error):
    if not issubclass(type(error), SyntaxError) or _syntax_file_of(error) != FILE_NAME:
        return None
    return _IPYTHON if sources.has_ipython_lines() else None


def _hint(error, packages):
    """A sentence that helps, to follow the message; None without one."""
    return _missing_module_hint(error, packages) or _ipython_hint(error)


def _formatted_lines(error):
    """The lines that CPython prints; None if the guest has broken the traceback module."""
    described = yield from attempt(partial(_describe_exception, error))
    if described is None:
        return None
    text = yield from attempt(partial("".join, _format(described, colorize=False)))
    return None if text is None else text.rstrip("\n").split("\n")


def _frame_lines(code, number):
    yield f'  File "{code.co_filename}", line {number}, in {code.co_name}'
    text = sources.line(code, number)
    if text:
        yield f"    {text}"


def _repetitions(times):
    return f"  [Previous line repeated {times} more time{'s' if times > 1 else ''}]"


def _is_deep(tb):
    frames = 0
    while tb is not None and frames < _MOST_FRAMES:
        tb = tb.tb_next
        frames += 1
    return tb is not None


def _plain_lines(error, name, message):
    """A traceback made without the library: the guest may have broken the library's formatter, and
    the formatter is slow on deep recursions."""
    lines = ["Traceback (most recent call last):"]
    tb = _traceback_of(error)
    last, times = None, 0
    while tb is not None:
        code = tb.tb_frame.f_code
        place = (code, tb.tb_lineno)
        tb = tb.tb_next
        if code.co_filename.startswith(_OWN_FOLDER):
            continue
        times = times + 1 if place == last else 1
        if times <= _SHOWN_REPETITIONS:
            lines.extend(_frame_lines(*place))
        elif tb is None or (tb.tb_frame.f_code, tb.tb_lineno) != place:
            lines.append(_repetitions(times - _SHOWN_REPETITIONS))
        last = place
    lines.append(f"{name}: {message}" if message else name)
    return lines


def describe(error, packages=()):
    """The steps of describing an exception: name, message, traceback lines and line number."""
    name = _name_of(type(error))
    message = yield from _message(error)
    _cut_traceback(error, _first_guest_traceback(_traceback_of(error)))
    lines = None
    if len(message) < _LONGEST_MESSAGE and not _is_deep(_traceback_of(error)):
        lines = yield from _formatted_lines(error)
    if lines is None:
        lines = _plain_lines(error, name, message)
    hint = _hint(error, packages)
    if hint is not None:
        message = f"{message}. {hint}"
        lines.append(hint)
    return {
        "name": name,
        "message": message,
        "traceback": lines,
        "lineNumber": _line_number(error),
    }
