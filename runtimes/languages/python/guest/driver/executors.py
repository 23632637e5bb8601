"""Thread pools without threads: `submit` runs the task and returns a finished future. Functions
that `asyncio` runs in threads take the same way."""

import queue
import threading
from concurrent.futures import thread

_Pool = thread.ThreadPoolExecutor
_submit = _Pool.submit
_LOGGER = thread._base.LOGGER
_identity = threading.get_ident


def submit(self, fn, /, *args, **kwargs):
    future = _submit(self, fn, *args, **kwargs)
    _work_off(self)
    return future


def _adjust_thread_count(self):
    """Starts no thread: `submit` runs the queued tasks."""


def _context_of(pool):
    """The worker context of a pool, created for its first task; None if its initializer fails."""
    context = getattr(pool, "_context", None)
    if context is None:
        context = pool._create_worker_context()
        try:
            context.initialize()
        except BaseException:
            _LOGGER.critical("Exception in initializer:", exc_info=True)
            pool._initializer_failed()
            return None
        pool._context = context
        pool._worker_thread = threading.Thread(name=f"{pool._thread_name_prefix}_0")
    return context


def _work_off(pool):
    context = _context_of(pool)
    if context is None:
        return
    number = _identity()
    caller = threading._active.get(number)
    threading._active[number] = pool._worker_thread
    try:
        while True:
            try:
                task = pool._work_queue.get_nowait()
            except queue.Empty:
                return
            task.run(context)
    finally:
        if caller is None:
            threading._active.pop(number, None)
        else:
            threading._active[number] = caller


def install():
    """Replaces the methods of ThreadPoolExecutor. Called once, before the image is taken."""
    submit.__doc__ = _submit.__doc__
    for function in (submit, _adjust_thread_count):
        function.__module__ = _Pool.__module__
        function.__qualname__ = f"{_Pool.__name__}.{function.__name__}"
        setattr(_Pool, function.__name__, function)
