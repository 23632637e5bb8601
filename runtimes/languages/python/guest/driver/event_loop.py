"""An event loop with virtual waits: when nothing is ready, the clocks advance to the next timer."""

import asyncio
import asyncio.base_events
import asyncio.events
import asyncio.unix_events
import errno
from functools import partial
from types import FunctionType

from . import exits, tools
from .restrictions import sleep

_Runner = asyncio.Runner
_all_tasks = asyncio.all_tasks

# The descriptor of standard input.
_INPUT = 0
NEVER_SETTLED = "the awaited object never settles: nothing is left to run that could settle it"


class _Waiting:
    """Takes the place of a loop's selector. The only events are timers, answers of the run's caller, and
    standard input, which is always ready unless the caller is asked for it."""

    def __init__(self):
        self.reader = None

    def select(self, timeout):
        if self.reader is not None and not tools.is_interactive:
            return (self.reader,)
        if timeout != 0 and (self.reader is not None or tools.is_waiting()):
            reads = tools.wait(timeout, self.reader is not None)
            if reads is not None:
                return (self.reader,) if reads else ()
        if timeout is None:
            raise RuntimeError(NEVER_SETTLED)
        if timeout > 0:
            sleep(timeout)
        return ()

    def close(self):
        pass


class EventLoop(asyncio.base_events.BaseEventLoop):
    """The only event loop."""

    def __init__(self, selector=None):
        super().__init__()
        self._selector = _Waiting()

    def _process_events(self, event_list):
        for handle in event_list:
            self._add_callback(handle)

    def add_reader(self, fd, callback, *args):
        """Adds a reader of standard input, the only descriptor that can be waited for."""
        self._check_closed()
        if (fd if isinstance(fd, int) else fd.fileno()) != _INPUT:
            raise NotImplementedError
        self.remove_reader(fd)
        self._selector.reader = asyncio.events.Handle(callback, args, self, None)
        return self._selector.reader

    def remove_reader(self, fd):
        handle, self._selector.reader = self._selector.reader, None
        if handle is None:
            return False
        handle.cancel()
        return True

    _add_reader = add_reader
    _remove_reader = remove_reader

    def _make_read_pipe_transport(self, pipe, protocol, waiter=None, extra=None):
        if pipe.fileno() != _INPUT:
            raise NotImplementedError
        return asyncio.unix_events._UnixReadPipeTransport(self, pipe, protocol, waiter, extra)

    def _write_to_self(self):
        pass

    async def _make_subprocess_transport(self, *args, **kwargs):
        raise OSError(errno.ENOSYS, "processes are not available here")

    async def shutdown_default_executor(self, timeout=None):
        """There are no threads to wait for."""
        self._executor_shutdown_called = True


def install():
    """Makes this the event loop that asyncio uses. Called once, before the image is taken."""
    name, module = "_UnixSelectorEventLoop", "asyncio.unix_events"
    for method in (part for part in vars(EventLoop).values() if isinstance(part, FunctionType)):
        method.__qualname__ = f"{name}.{method.__name__}"
        method.__module__ = module
    EventLoop.__name__ = EventLoop.__qualname__ = name
    EventLoop.__module__ = module
    for name in ("EventLoop", "SelectorEventLoop"):
        setattr(asyncio, name, EventLoop)
        setattr(asyncio.unix_events, name, EventLoop)
    for module in (asyncio, asyncio.unix_events):
        for name in ("_DefaultEventLoopPolicy", "DefaultEventLoopPolicy"):
            policy = getattr(module, name, None)
            if policy is not None:
                policy._loop_factory = EventLoop


class Session:
    """The event loop of a program's top-level `await`s, created at the first one."""

    def __init__(self):
        self._runner = None

    def step(self, coroutine):
        """The step that runs a coroutine and returns its result."""
        if self._runner is None:
            self._runner = _Runner(loop_factory=EventLoop)
        return partial(self._runner.get_loop().run_until_complete, coroutine)

    def closing(self):
        """The steps that cancel the remaining tasks and close the loop, as `asyncio.run` does."""
        if self._runner is None:
            return
        if exits.is_under_way():
            # After `os._exit` cancelled tasks cannot finish; this suppresses asyncio's warnings.
            for task in _all_tasks(self._runner.get_loop()):
                task._log_destroy_pending = False
        yield self._runner.close
