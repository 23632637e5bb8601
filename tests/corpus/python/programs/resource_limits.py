# What programs that go deep, or measure themselves, ask of the system.
import os
import resource
import sys
import time

resource.setrlimit(resource.RLIMIT_STACK, (2**28, resource.RLIM_INFINITY))
print(resource.getrlimit(resource.RLIMIT_STACK))
sys.setrecursionlimit(10**5)


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


print(depth(20_000))

usage = resource.getrusage(resource.RUSAGE_SELF)
print(usage.ru_utime + usage.ru_stime >= 0, usage.ru_maxrss >= 0, len(usage))
print(resource.getpagesize() > 0, resource.RLIMIT_NOFILE, resource.RLIM_INFINITY)

for wrong in (
    lambda: resource.getrlimit(99),
    lambda: resource.setrlimit(resource.RLIMIT_STACK, (1,)),
    lambda: resource.setrlimit(resource.RLIMIT_STACK, (10, 5)),
    lambda: resource.getrusage(7),
):
    try:
        wrong()
    except ValueError as error:
        print(error)

print(os.geteuid() == os.getuid(), os.getegid() == os.getgid())
before = time.thread_time(), time.thread_time_ns()
sum(range(1000))
print(time.thread_time() >= before[0], time.thread_time_ns() >= before[1])
