from typing import NamedTuple, Optional
from collections import namedtuple
class Employee(NamedTuple):
    name: str
    id: int = 3
    boss: Optional[str] = None
e = Employee("Guido")
print(e, e._asdict(), e._replace(id=4), Employee._fields)
P = namedtuple("P", "x y", defaults=[0])
print(P(1), P(1, 2) + (3,), P._make([4, 5]))
