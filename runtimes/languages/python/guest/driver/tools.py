"""The built-in `tools` of a run whose caller declares functions: `tools.crm.find(q="x")` calls one and waits
for its value, `tools.crm.find.start(q="x")` is awaitable. Calls, waits and answers are lines of a device."""

import asyncio
import builtins
import json
import keyword
import posix
import sys

from .tool_errors import ToolDenied, ToolError, ToolExpired, undeclared

_DEVICE = "/dev/call"
_BOTH_WAYS = posix.O_RDWR
_PIECE_BYTES = 65_536
_ARGUMENT_BYTES = 65_536
_MAX_PENDING = 64
_US_PER_S = 1_000_000
_open, _write, _read, _close = posix.open, posix.write, posix.read, posix.close
_decode = json.JSONDecoder().decode
_encode = json.JSONEncoder(allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode
_encode_ascii = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode
_running_loop = asyncio._get_running_loop
_builtins = builtins.__dict__
_is_keyword = keyword.iskeyword
_flushed = ("stdout", "stderr")
_MISSING = object()

# Whether reads of standard input wait for the caller.
is_interactive = False
_calls = 0
# For each call without an answer, what takes its outcome: a value and None, or None and an error.
_pending = {}
_names = ()
# The built-ins of the present run.
_defined = {}
_CLASSES = {"tool": ToolError, "denied": ToolDenied, "expired": ToolExpired}


def _send(line):
    """Writes a line; gives the answer if it is one that waits."""
    number = _open(_DEVICE, _BOTH_WAYS)
    try:
        _write(number, line)
        answer = b""
        while line[:1] == b"w" and answer[-1:] != b"\n":
            piece = _read(number, _PIECE_BYTES)
            if not piece:
                break
            answer += piece
        return answer
    finally:
        _close(number)


def _flush():
    """Shows what the program has written, before its caller is asked."""
    for name in _flushed:
        stream = sys.__dict__.get(name)
        try:
            stream.flush()
        except Exception:
            pass  # a stream of the program's own


def _arguments_of(name, args, kwargs):
    if args:
        if len(args) > 1 or kwargs or not isinstance(args[0], dict):
            raise ToolError("a call has named arguments, or one dict of them", name)
        kwargs = args[0]
    try:
        text = _encode(kwargs)
        try:
            encoded = text.encode()
        except UnicodeEncodeError:
            encoded = _encode_ascii(kwargs).encode()
    except RecursionError:
        problem = "they are nested too deeply"
    except (TypeError, ValueError) as error:
        problem = str(error)
    else:
        if len(encoded) > _ARGUMENT_BYTES:
            raise ToolError(f"the arguments of a call have at most {_ARGUMENT_BYTES} bytes of JSON", name)
        return encoded
    raise ToolError(f"the arguments cannot be written as JSON: {problem}", name)


def _begin(name, names, args, kwargs, take):
    """Makes a call; gives its number. `take` gets its outcome."""
    global _calls
    if names is not _names:
        raise ToolError("the run of this tool has ended", name)
    encoded = _arguments_of(name, args, kwargs)
    if len(_pending) >= _MAX_PENDING:
        raise ToolError(f"at most {_MAX_PENDING} calls may be without an answer at a time", name)
    _flush()
    _send(b"call %d %s %s\n" % (_calls + 1, name.encode(), encoded))
    _calls += 1
    _pending[_calls] = (name, take)
    return _calls


def _settle(line):
    """Gives the outcome of a call to whoever waits for it."""
    kind, number, text = line.decode("utf-8", "surrogatepass").split(" ", 2)
    name, take = _pending.pop(int(number))
    value = _decode(text)
    if kind == "value":
        take(value, None)
    else:
        take(None, _CLASSES[value["kind"]](value["message"], name, value.get("data")))


def _wait_for(number):
    """Waits for one call."""
    answer = _send(b"wait %d -\n" % number)
    if answer:
        _settle(answer)


def wait(timeout, reads):
    """Waits at most so many seconds, or without end, until a call is answered or, if `reads`, standard input
    has something. Says whether that is so; None if there is nothing to wait for."""
    awaited = [b"%d" % number for number, (_, take) in _pending.items() if take.is_wanted()]
    if reads:
        awaited.append(b"input")
    if not awaited:
        return None
    time = b"-"
    if timeout is not None:
        time = b"%d.%03d" % divmod(int(-(-timeout * _US_PER_S // 1)), 1000)
    _flush()
    answer = _send(b"wait %s %s\n" % (b",".join(awaited), time))
    if answer == b"input\n":
        return True
    if answer and answer != b"elapsed\n":
        _settle(answer)
    return False


class _Outcome:
    """Takes the outcome of a call that blocks the program."""

    def __call__(self, value, error):
        self.value = value
        self.error = error

    def is_wanted(self):
        return False

    def get(self):
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        return self.value


class _FutureOutcome:
    """Takes the outcome of a call for a future."""

    def __init__(self, future):
        self.future = future

    def __call__(self, value, error):
        if self.future.done():
            return
        if error is None:
            self.future.set_result(value)
        else:
            self.future.set_exception(error)

    def is_wanted(self):
        return not self.future.done()


class StartedCall:
    """A call that was started where no event loop runs. `await` it in one, or call `result`, which
    waits."""

    def __init__(self, name):
        self._name = name
        self._number = None
        self._outcome = None
        self._futures = []

    def __repr__(self):
        return f"<{type(self).__name__} {self._name}>"

    def __call__(self, value, error):
        self._outcome = (value, error)
        for future in self._futures:
            if not future.done():
                future.set_result(None)

    def is_wanted(self):
        return any(not future.done() for future in self._futures)

    def done(self):
        """Whether the call has its answer."""
        return self._outcome is not None

    def result(self):
        """The value of the call, for which it waits if necessary."""
        if self._outcome is None:
            if self._number not in _pending:
                raise ToolError("the run of this tool has ended", self._name)
            _wait_for(self._number)
        value, error = self._outcome
        if error is not None:
            raise error
        return value

    def __await__(self):
        if self._outcome is None:
            future = asyncio.get_running_loop().create_future()
            self._futures.append(future)
            yield from future
        return self.result()


def _tool(name, description, names):
    """The function that calls a tool."""

    def call(*args, **kwargs):
        outcome = _Outcome()
        _wait_for(_begin(name, names, args, kwargs, outcome))
        return outcome.get()

    def start(*args, **kwargs):
        loop = _running_loop()
        if loop is None:
            started = StartedCall(name)
            started._number = _begin(name, names, args, kwargs, started)
            return started
        future = loop.create_future()
        _begin(name, names, args, kwargs, _FutureOutcome(future))
        return future

    call.__name__ = name.rpartition(".")[2]
    call.__qualname__ = start.__qualname__ = f"tools.{name}"
    call.__module__ = start.__module__ = "builtins"
    call.__doc__ = description
    start.__doc__ = f"Starts a call of tools.{name} without waiting for its value: `await` what it gives."
    call.start = start
    return call


class _Folder:
    """Tools by their names."""

    __slots__ = ("members", "path")

    def __getattribute__(self, name):
        members = _members_of(self)
        found = members.get(name, _MISSING)
        if found is _MISSING and name[-1:] == "_" and _is_keyword(name[:-1]):
            found = members.get(name[:-1], _MISSING)
        if found is not _MISSING:
            return found
        if name[:2] == "__" == name[-2:]:
            return object.__getattribute__(self, name)
        raise undeclared(_path_of(self) + name, _names)

    def __setattr__(self, name, value):
        raise AttributeError("tools cannot be changed")

    def __delattr__(self, name):
        raise AttributeError("tools cannot be changed")

    def __getitem__(self, name):
        found = self
        for part in name.split("."):
            found = getattr(found, part)
        return found

    def __iter__(self):
        return iter(_members_of(self))

    def __len__(self):
        return len(_members_of(self))

    def __contains__(self, name):
        return name in _members_of(self)

    def __dir__(self):
        return sorted(_members_of(self))

    def __repr__(self):
        path = _path_of(self)
        return f"<tools {path}{', '.join(_members_of(self))}>"


_members_of, _path_of = _Folder.members.__get__, _Folder.path.__get__
_set_members, _set_path = _Folder.members.__set__, _Folder.path.__set__


def _folder(heads, path, names):
    """The tools whose names begin with a path."""
    members = {}
    for head in heads:
        name = head["name"]
        first, _, rest = name[len(path) :].partition(".")
        if not name.startswith(path) or first in members:
            continue
        members[first] = _folder(heads, f"{path}{first}.", names) if rest else _tool(name, _doc(head), names)
    folder = object.__new__(type("tools", (_Folder,), {"__slots__": (), "__doc__": _listing(heads, path)}))
    _set_members(folder, members)
    _set_path(folder, path)
    return folder


def _doc(head):
    schema = head.get("inputSchema")
    parts = (head.get("description"), None if schema is None else f"Arguments: {_encode(schema)}")
    return "\n\n".join(part for part in parts if part) or None


def _listing(heads, path):
    lines = (
        f"tools.{head['name']}: {head.get('description') or 'no description'}"
        for head in heads
        if head["name"].startswith(path)
    )
    return "The tools of this run.\n\n" + "\n".join(lines)


def _define(name, value):
    """A built-in of the program's own stays."""
    if name not in _builtins:
        _builtins[name] = _defined[name] = value


def _remove_builtins():
    """Takes away the built-ins of the run before, unless the program has given them other values."""
    for name, value in _defined.items():
        if _builtins.get(name) is value:
            del _builtins[name]
    _defined.clear()


def begin(declared):
    """Begins a run. Takes what the caller declared, as JSON; None for a run without calls."""
    global is_interactive, _calls, _names
    _remove_builtins()
    _pending.clear()
    _calls, _names = 0, ()
    is_interactive = False
    if declared is None:
        return
    head = _decode(declared)
    is_interactive = head["interactive"]
    heads = head["tools"]
    if heads is None:
        return
    _names = tuple(tool["name"] for tool in heads)
    _define("tools", _folder(heads, "", _names))
    for error in (ToolError, ToolDenied, ToolExpired):
        _define(error.__name__, error)


def is_waiting():
    """Whether the event loop may have to wait for the caller."""
    return bool(_pending)
