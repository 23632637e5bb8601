"""Types that teach: protocols, generics, overloads, descriptors, and what they say at run time."""
import abc
import functools
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, asdict, astuple, dataclass, field, fields, replace
from typing import Annotated, ClassVar, Final, Literal, NamedTuple, NewType, Protocol, Self, TypedDict, runtime_checkable


@runtime_checkable
class Sized(Protocol):
    def size(self) -> int: ...


class Stack[T]:
    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)

    def push(self, item: T) -> Self:
        self._items.append(item)
        return self

    def size(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[T]:
        return reversed(self._items)


type Tree[T] = T | list[Tree[T]]
UserId = NewType("UserId", int)


def flatten[T](tree: Tree[T]) -> Iterator[T]:
    if isinstance(tree, list):
        for part in tree:
            yield from flatten(part)
    else:
        yield tree


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        return self if instance is None else getattr(instance, self.name)

    def __set__(self, instance, value):
        if value <= 0:
            raise ValueError(f"{self.name[1:]} must be positive, not {value}")
        setattr(instance, self.name, value)


class Box:
    width = Positive()
    height = Positive()

    def __init__(self, width, height):
        self.width, self.height = width, height


@dataclass(order=True)
class Task:
    priority: int
    name: str = field(compare=False)
    _: KW_ONLY
    tags: list[str] = field(default_factory=list, compare=False, metadata={"doc": "words"})
    count: ClassVar[int] = 0

    def __post_init__(self):
        type(self).count += 1


class Shape(abc.ABC):
    registry: dict[str, type] = {}

    def __init_subclass__(cls, /, kind, **kwargs):
        super().__init_subclass__(**kwargs)
        Shape.registry[kind] = cls

    @abc.abstractmethod
    def area(self) -> float: ...


class Square(Shape, kind="square"):
    def __init__(self, side):
        self.side = side

    @functools.cached_property
    def area(self):
        print("computed")
        return self.side**2


print(isinstance(Stack([1]), Sized), list(Stack("ab").push("c")), Stack[int], Stack.__type_params__)
print(list(flatten([1, [2, [3, []]], 4])), Tree, UserId(5), typing.get_type_hints(flatten, include_extras=True)["return"])
low, high = Task(1, "sleep"), Task(2, "eat", tags=["x"])
print(low < high, replace(high, name="drink"), asdict(low), astuple(high), [f.name for f in fields(Task)], Task.count)
square = Square(3)
print(square.area, square.area, Shape.registry)
for attempt in (lambda: Shape(), lambda: Box(1, -1), lambda: Task("a"), lambda: Stack(1), lambda: low < 3):
    try:
        attempt()
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
print(typing.get_args(Literal["a", 1]), Annotated[int, "m"].__metadata__, typing.get_origin(Mapping[str, int]).__name__)


class Movie(TypedDict, total=False):
    title: typing.Required[str]
    year: int


class Point(NamedTuple):
    x: int
    y: int = 0

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)


print(Movie.__required_keys__, Movie(title="M"), Point(1) + Point(2, 3), Point(5)._replace(y=1)._asdict(), Callable[[int], str])
LIMIT: Final = 3
Square()
