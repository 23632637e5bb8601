from enum import Enum, IntEnum, Flag, auto, unique
class State(Enum):
    IDLE = auto(); RUNNING = auto(); DONE = auto()
    def next(self): return State(self.value % 3 + 1)
s = State.IDLE
for _ in range(4):
    print(s, s.value, s.name); s = s.next()
class Perm(Flag):
    R = 4; W = 2; X = 1
print(Perm.R | Perm.W, Perm.R in (Perm.R | Perm.X), Perm(7))
class L(IntEnum):
    LOW = 1; HIGH = 10
print(L.HIGH > L.LOW, L.HIGH + 1, sorted([L.HIGH, L.LOW]))
try: State("nope")
except ValueError as e: print(e)
