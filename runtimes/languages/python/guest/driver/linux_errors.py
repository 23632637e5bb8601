"""Puts Linux's error numbers into the errno module and into the table of OSError's subclasses.

Runs before other code reads numbers from the errno module.
"""

import errno
import gc


def _classes_by_number():
    """CPython's own dict from numbers to subclasses of OSError."""
    number = errno.ENOENT
    for candidate in gc.get_objects():
        if type(candidate) is dict and candidate.get(number) is FileNotFoundError:
            return candidate
    raise RuntimeError("the subclasses of OSError cannot be found")


def install(errors):
    """Takes triples: a name, its number on Linux, and its number in the C library."""
    classes = _classes_by_number()
    by_libc = dict(classes)
    classes.clear()
    for name in [name for name in vars(errno) if name.startswith("E")]:
        delattr(errno, name)
    errno.errorcode.clear()
    for name, linux, libc in errors:
        setattr(errno, name, linux)
        errno.errorcode.setdefault(linux, name)
        if libc in by_libc:
            classes[linux] = by_libc[libc]
