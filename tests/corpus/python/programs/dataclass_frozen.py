from dataclasses import dataclass, FrozenInstanceError, fields, KW_ONLY
@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int
    _: KW_ONLY
    label: str = "p"
p = Point(1, 2, label="q")
print(p, hash(p) == hash(Point(1, 2, label="q")), [f.name for f in fields(p)])
try:
    p.x = 5
except FrozenInstanceError as e:
    print(type(e).__name__, e)
