"""Pools without threads and processes: `ThreadPool` runs each task when it is submitted, and `Pool`,
whose tasks would need processes, raises an error."""

import errno
import itertools
import os

from . import TimeoutError

__all__ = ["Pool", "ThreadPool"]

INIT, RUN, CLOSE, TERMINATE = "INIT", "RUN", "CLOSE", "TERMINATE"


class MaybeEncodingError(Exception):
    """No task raises it: results are not pickled."""


class Pool:
    """Starts no processes: there are none here."""

    def __init__(self, processes=None, initializer=None, initargs=(), maxtasksperchild=None, context=None):
        raise OSError(errno.ENOSYS, "processes are not available here, but ThreadPool is")


class AsyncResult:
    """The result of tasks that have run."""

    def __init__(self, value, error, callback=None, error_callback=None):
        self._value, self._error = value, error
        if error is None and callback is not None:
            callback(value)
        if error is not None and error_callback is not None:
            error_callback(error)

    def get(self, timeout=None):
        """The result; raises what a task raised."""
        if self._error is not None:
            raise self._error
        return self._value

    def wait(self, timeout=None):
        """Returns at once."""

    def ready(self):
        return True

    def successful(self):
        return self._error is None


ApplyResult = MapResult = AsyncResult


class IMapIterator:
    """The results of tasks, in order. Each task runs when its result is asked for or, at the latest, when
    the pool ends."""

    def __init__(self, func, iterable):
        self._tasks = map(func, iterable)
        self._waiting = []

    def __iter__(self):
        return self

    def next(self, timeout=None):
        """The next result; raises what its task raised."""
        if self._waiting:
            value, error = self._waiting.pop(0)
            if error is not None:
                raise error
            return value
        return next(self._tasks)

    __next__ = next

    def _run_all(self):
        while True:
            try:
                self._waiting.append((next(self._tasks), None))
            except StopIteration:
                return
            except Exception as error:
                self._waiting.append((None, error))


IMapUnorderedIterator = IMapIterator


class ThreadPool:
    """Runs tasks one after the other, each when it is submitted."""

    def __init__(self, processes=None, initializer=None, initargs=()):
        count = os.process_cpu_count() or 1 if processes is None else processes
        if count < 1:
            raise ValueError("Number of processes must be at least 1")
        if initializer is not None and not callable(initializer):
            raise TypeError("initializer must be a callable")
        self._processes = count
        self._state = RUN
        self._iterators = []
        if initializer is not None:
            initializer(*initargs)

    def __repr__(self):
        name = f"{type(self).__module__}.{type(self).__qualname__}"
        return f"<{name} state={self._state} pool_size={self._processes}>"

    def _check_running(self):
        if self._state != RUN:
            raise ValueError("Pool not running")

    def apply(self, func, args=(), kwds={}):
        """The result of a call."""
        return self.apply_async(func, args, kwds).get()

    def apply_async(self, func, args=(), kwds={}, callback=None, error_callback=None):
        """Calls a function."""
        self._check_running()
        try:
            outcome = func(*args, **kwds), None
        except Exception as error:
            outcome = None, error
        return AsyncResult(*outcome, callback, error_callback)

    def _map(self, mapped, iterable, chunksize, callback=None, error_callback=None):
        """Runs the tasks of all chunks. An exception ends its chunk; the first one is that of the whole."""
        self._check_running()
        items = list(iterable)
        if chunksize is None:
            chunksize = max(1, -(-len(items) // (self._processes * 4)))
        values, failure = [], None
        for chunk in itertools.batched(items, chunksize):
            try:
                values.extend(mapped(chunk))
            except Exception as error:
                failure = failure or error
        return AsyncResult(None if failure else values, failure, callback, error_callback)

    def map(self, func, iterable, chunksize=None):
        """The results of a function for all items."""
        return self.map_async(func, iterable, chunksize).get()

    def map_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        """Calls a function for all items."""
        return self._map(lambda items: map(func, items), iterable, chunksize, callback, error_callback)

    def starmap(self, func, iterable, chunksize=None):
        """The results of a function for tuples of arguments."""
        return self.starmap_async(func, iterable, chunksize).get()

    def starmap_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        """Calls a function for tuples of arguments."""
        def mapped(items):
            return itertools.starmap(func, items)

        return self._map(mapped, iterable, chunksize, callback, error_callback)

    def imap(self, func, iterable, chunksize=1):
        """The results of a function, in order."""
        self._check_running()
        if chunksize < 1:
            raise ValueError(f"Chunksize must be 1+, not {chunksize:n}")
        iterator = IMapIterator(func, iterable)
        self._iterators.append(iterator)
        return iterator

    imap_unordered = imap

    def close(self):
        """Takes no more tasks."""
        if self._state == RUN:
            self._state = CLOSE

    def terminate(self):
        """Takes no more tasks, and runs none that waits."""
        self._state = TERMINATE
        self._iterators.clear()

    def join(self):
        """Runs the tasks that wait."""
        if self._state == RUN:
            raise ValueError("Pool is still running")
        if self._state not in (CLOSE, TERMINATE):
            raise ValueError("In unknown state")
        for iterator in self._iterators:
            iterator._run_all()
        self._iterators.clear()

    def __enter__(self):
        self._check_running()
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.terminate()

    def __reduce__(self):
        raise NotImplementedError("pool objects cannot be passed between processes or pickled")
