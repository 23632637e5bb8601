"""Retries with exponential backoff on virtual time, with a circuit breaker around."""
import functools
import logging
import sys
import time

logging.basicConfig(stream=sys.stdout, format="%(levelname)-7s %(name)s: %(message)s", level="INFO")
log = logging.getLogger("client")


class Unavailable(Exception):
    pass


def retry(times, base=0.5, errors=(Unavailable,)):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            for attempt in range(1, times + 1):
                try:
                    return function(*args, **kwargs)
                except errors as error:
                    if attempt == times:
                        log.error("giving up after %d attempts", attempt)
                        raise
                    wait = base * 2 ** (attempt - 1)
                    log.warning("attempt %d failed (%s), waiting %.1fs", attempt, error, wait)
                    time.sleep(wait)
        return wrapper
    return decorate


calls = iter([Unavailable("503"), Unavailable("504"), {"ok": True}])


@retry(4)
def fetch(path):
    """Fetches a path."""
    answer = next(calls)
    if isinstance(answer, Exception):
        raise answer
    return {"path": path, **answer}


started = time.monotonic()
print(fetch("/status"), fetch.__name__, fetch.__doc__)
print(1.5 <= time.monotonic() - started < 2.5)


class Breaker:
    def __init__(self, limit, rest):
        self.limit, self.rest, self.failures, self.opened = limit, rest, 0, None

    def call(self, function):
        if self.opened is not None and time.monotonic() - self.opened < self.rest:
            raise RuntimeError("circuit open")
        try:
            result = function()
        except ZeroDivisionError:
            self.failures += 1
            if self.failures >= self.limit:
                self.opened = time.monotonic()
            raise
        self.failures, self.opened = 0, None
        return result


breaker = Breaker(2, 1.0)
for function in (lambda: 1 / 0, lambda: 1 / 0, lambda: 1, None, lambda: 2):
    if function is None:
        time.sleep(1)
        continue
    try:
        print(breaker.call(function))
    except (ZeroDivisionError, RuntimeError) as error:
        print(type(error).__name__, error)


@retry(2, base=0.1)
def always():
    raise Unavailable("down")


always()
