"""The user database: root, and the program's own user, whose home directory is /workspace."""

from collections import namedtuple

struct_passwd = namedtuple(
    "struct_passwd", "pw_name pw_passwd pw_uid pw_gid pw_gecos pw_dir pw_shell"
)
_USERS = (
    struct_passwd("root", "x", 0, 0, "root", "/root", "/bin/sh"),
    struct_passwd("user", "x", 1000, 1000, "", "/workspace", "/bin/sh"),
)


def getpwuid(uid, /):
    """The entry of a user by number."""
    for user in _USERS:
        if user.pw_uid == uid:
            return user
    raise KeyError(f"getpwuid(): uid not found: {uid}")


def getpwnam(name, /):
    """The entry of a user by name."""
    for user in _USERS:
        if user.pw_name == name:
            return user
    raise KeyError(f"getpwnam(): name not found: {name!r}")


def getpwall():
    """The entries of all users."""
    return list(_USERS)
