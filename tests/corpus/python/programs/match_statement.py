from dataclasses import dataclass
@dataclass
class Pt: x: int; y: int
def f(v):
    match v:
        case 0 | 1: return "small"
        case int(n) if n < 0: return f"neg {n}"
        case [a, b, *rest]: return f"seq {a} {b} {rest}"
        case {"type": "circle", "r": r, **kw}: return f"circle {r} {kw}"
        case Pt(x=0, y=y): return f"on axis {y}"
        case str() as s: return s.upper()
        case None: return "none"
        case _: return "other"
for v in (1, -5, [1, 2, 3], (4, 5), {"type": "circle", "r": 2, "c": "red"}, Pt(0, 3), Pt(1, 1), "abc", None): print(f(v))
