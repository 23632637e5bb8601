"""The group database: root, and the program's own group."""

from collections import namedtuple

struct_group = namedtuple("struct_group", "gr_name gr_passwd gr_gid gr_mem")
_GROUPS = (struct_group("root", "x", 0, []), struct_group("user", "x", 1000, []))


def getgrgid(id):
    """The entry of a group by number."""
    for group in _GROUPS:
        if group.gr_gid == id:
            return group
    raise KeyError(f"getgrgid(): gid not found: {id}")


def getgrnam(name):
    """The entry of a group by name."""
    for group in _GROUPS:
        if group.gr_name == name:
            return group
    raise KeyError(f"getgrnam(): name not found: {name!r}")


def getgrall():
    """The entries of all groups."""
    return list(_GROUPS)
