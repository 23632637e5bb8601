from typing import TypeVar, Generic, Protocol, Union, Optional, Callable, Literal, get_type_hints, runtime_checkable
T = TypeVar("T")
class Stack(Generic[T]):
    def __init__(self) -> None: self.items: list[T] = []
    def push(self, x: T) -> None: self.items.append(x)
    def pop(self) -> T: return self.items.pop()
s: Stack[int] = Stack(); s.push(1); s.push(2); print(s.pop(), s.items)
@runtime_checkable
class Sized2(Protocol):
    def size(self) -> int: ...
class B:
    def size(self): return 3
print(isinstance(B(), Sized2), isinstance(3, Sized2), get_type_hints(Stack.push)["x"], int | None)
def first[K](xs: list[K]) -> K: return xs[0]
type Pair = tuple[int, str]
print(first([5, 6]), Pair.__value__)
