"""Looks for libraries that a program could load: there are none. The library's own module loads some to look."""


def find_library(name):
    """Returns None: no library can be found here."""
    return None


def dllist():
    """Return a list of loaded shared libraries in the current process: there are none."""
    return []
