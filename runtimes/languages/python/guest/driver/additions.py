"""Functions that CPython takes from OpenSSL or from the system, written without either, and library
functions whose own answers do not fit this machine."""

import hashlib
import hmac
import os
import posix
import time
import zoneinfo
from zoneinfo import _common as zone_files


def pbkdf2_hmac(hash_name, password, salt, iterations, dklen=None):
    """Derives a key from a password as RFC 8018 says (PBKDF2), with HMAC."""
    if not isinstance(hash_name, str):
        raise TypeError("hash_name must be a string")
    if iterations < 1:
        raise ValueError("iteration value must be greater than 0.")
    keyed = hmac.new(bytes(password), None, hash_name)
    length = keyed.digest_size if dklen is None else dklen
    if length < 1:
        raise ValueError("key length must be greater than 0.")
    derived = b""
    block = 0
    while len(derived) < length:
        block += 1
        first = keyed.copy()
        first.update(bytes(salt) + block.to_bytes(4))
        last = first.digest()
        total = int.from_bytes(last)
        for _ in range(iterations - 1):
            turn = keyed.copy()
            turn.update(last)
            last = turn.digest()
            total ^= int.from_bytes(last)
        derived += total.to_bytes(keyed.digest_size)
    return derived[:length]


def getlogin():
    """The name of the only user."""
    return "user"


def geteuid():
    """The effective user; programs cannot change it."""
    return posix.getuid()


def getegid():
    """The effective group; programs cannot change it."""
    return posix.getgid()


def thread_time():
    """Processor time of the thread, in seconds. It equals the process's: there is one thread."""
    return time.process_time()


def thread_time_ns():
    """Processor time of the thread, in nanoseconds."""
    return time.process_time_ns()


_clock_info = time.get_clock_info


def get_clock_info(name, /):
    """get_clock_info(name: str) -> dict

    Get information of the specified clock."""
    if name != "thread_time":
        return _clock_info(name)
    info = _clock_info("process_time")
    info.implementation = "clock_gettime(CLOCK_THREAD_CPUTIME_ID)"
    return info


_load_zone = zone_files.load_tzdata


def load_tzdata(key):
    try:
        return _load_zone(key)
    except zoneinfo.ZoneInfoNotFoundError:
        message = f"No time zone found with key {key}"
    raise zoneinfo.ZoneInfoNotFoundError(message)


def install():
    """Puts the additions in place. Called once, before the image is taken."""
    if not hasattr(hashlib, "pbkdf2_hmac"):
        pbkdf2_hmac.__module__ = "hashlib"
        hashlib.pbkdf2_hmac = pbkdf2_hmac
    for function in (getlogin, geteuid, getegid):
        function.__module__ = "posix"
        setattr(posix, function.__name__, function)
        setattr(os, function.__name__, function)
    for function in (thread_time, thread_time_ns, get_clock_info):
        function.__module__ = "time"
        setattr(time, function.__name__, function)
    load_tzdata.__module__ = zone_files.__name__
    zone_files.load_tzdata = load_tzdata
