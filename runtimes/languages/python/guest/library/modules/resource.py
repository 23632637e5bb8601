"""Resource usage and limits. Limits are stored but not enforced: the service enforces its own."""

from collections import namedtuple
from time import process_time

error = OSError
RLIM_INFINITY = -1
RUSAGE_SELF, RUSAGE_CHILDREN, RUSAGE_THREAD = 0, -1, 1
RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_CORE, RLIMIT_RSS = range(6)
RLIMIT_NPROC, RLIMIT_NOFILE, RLIMIT_MEMLOCK, RLIMIT_AS = range(6, 10)
RLIMIT_SIGPENDING, RLIMIT_MSGQUEUE, RLIMIT_NICE, RLIMIT_RTPRIO, RLIMIT_RTTIME = range(11, 16)
RLIMIT_OFILE = RLIMIT_NOFILE

struct_rusage = namedtuple(
    "struct_rusage",
    "ru_utime ru_stime ru_maxrss ru_ixrss ru_idrss ru_isrss ru_minflt ru_majflt ru_nswap "
    "ru_inblock ru_oublock ru_msgsnd ru_msgrcv ru_nsignals ru_nvcsw ru_nivcsw",
)
_NUMBERS = 16
_PAGE_BYTES = 65536
_limits = [(RLIM_INFINITY, RLIM_INFINITY)] * _NUMBERS


def getrusage(who, /):
    """The processor time of the program. Unknown fields are 0, as on Linux."""
    if who not in (RUSAGE_SELF, RUSAGE_CHILDREN, RUSAGE_THREAD):
        raise ValueError("invalid who parameter")
    return struct_rusage(0.0 if who == RUSAGE_CHILDREN else process_time(), 0.0, *[0] * 14)


def getpagesize():
    """The size of a page of memory in bytes."""
    return _PAGE_BYTES


def _checked(resource):
    if resource not in range(_NUMBERS):
        raise ValueError("invalid resource specified")
    return resource


def getrlimit(resource, /):
    """The soft and the hard limit."""
    return _limits[_checked(resource)]


def _is_above(limit, other):
    return other != RLIM_INFINITY and (limit == RLIM_INFINITY or limit > other)


def setrlimit(resource, limits, /):
    """Sets the soft and the hard limit."""
    _checked(resource)
    if len(limits) != 2:
        raise ValueError("expected a tuple of 2 integers")
    soft, hard = (int(limit) for limit in limits)
    if _is_above(soft, hard):
        raise ValueError("current limit exceeds maximum limit")
    if _is_above(hard, _limits[resource][1]):
        raise ValueError("not allowed to raise maximum limit")
    _limits[resource] = (soft, hard)


def prlimit(pid, resource, limits=None, /):
    """Returns the limits, and sets new ones if they are given."""
    before = getrlimit(resource)
    if limits is not None:
        setrlimit(resource, limits)
    return before
