"""Events, handlers by type, weak listeners, snapshots by pickle and copy."""
import copy
import functools
import gc
import itertools
import operator
import pickle
import types
import weakref
from collections import ChainMap, OrderedDict, UserDict, UserList, deque


class Event:
    counter = itertools.count(1)

    def __init__(self, **data):
        self.id = next(self.counter)
        self.__dict__.update(data)

    def __repr__(self):
        return f"<{type(self).__name__} #{self.id}>"


class Opened(Event): ...
class Deposited(Event): ...
class Closed(Event): ...


class Ledger:
    def __init__(self):
        self.balance, self.log = 0, deque(maxlen=3)

    @functools.singledispatchmethod
    def apply(self, event):
        raise TypeError(f"no handler for {event!r}")

    @apply.register
    def _(self, event: Opened):
        self.owner = event.owner

    @apply.register
    def _(self, event: Deposited):
        self.balance += event.amount

    def replay(self, events):
        for event in events:
            self.apply(event)
            self.log.append(event)
        return self

    def __getstate__(self):
        return {**self.__dict__, "log": len(self.log)}


events = [Opened(owner="Ann"), Deposited(amount=5), Deposited(amount=7), Deposited(amount=1)]
ledger = Ledger().replay(events)
print(ledger.balance, ledger.log, pickle.loads(pickle.dumps(ledger)).__dict__)
shallow, deep = copy.copy(ledger), copy.deepcopy({"e": events, "again": events})
print(shallow.log, deep["e"] is deep["again"], deep["e"][0] is events[0])


class Bus:
    def __init__(self):
        self.listeners = weakref.WeakSet()

    def emit(self, *args):
        return sorted(listener(*args) for listener in self.listeners)


class Listener:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, value):
        return value * self.factor

    def __del__(self):
        print("gone", self.factor)


bus, kept, other = Bus(), Listener(2), Listener(3)
bus.listeners.update([kept, other])
print(bus.emit(10))
del other
gc.collect()
print(bus.emit(10), len(bus.listeners))
settings = ChainMap({"debug": True}, {"debug": False, "level": 3})
print(settings["debug"], settings["level"], settings.parents, settings.new_child({"x": 1}).maps)


class Lower(UserDict):
    def __setitem__(self, key, value):
        super().__setitem__(key.lower(), value)


names = Lower(A=1)
names["B"] = 2
order = OrderedDict.fromkeys("abc")
order.move_to_end("a")
print(names, order.popitem(last=False), list(order), UserList([3, 1]) + [2], types.MappingProxyType({"k": 1}))
print(operator.attrgetter("log.maxlen")(ledger), operator.methodcaller("upper")("x"), functools.reduce(operator.or_, [1, 4]))
try:
    ledger.replay([Closed()])
except TypeError as error:
    print(error)
kept.__class__.__del__ = lambda self: None
ledger.missing
