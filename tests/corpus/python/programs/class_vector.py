import math
class Vector:
    __slots__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
    def __add__(self, o): return Vector(self.x + o.x, self.y + o.y)
    def __mul__(self, k): return Vector(self.x * k, self.y * k)
    __rmul__ = __mul__
    def __eq__(self, o): return (self.x, self.y) == (o.x, o.y)
    def __hash__(self): return hash((self.x, self.y))
    def __abs__(self): return math.hypot(self.x, self.y)
    def __iter__(self): yield self.x; yield self.y
    def __repr__(self): return f"Vector({self.x}, {self.y})"
v = Vector(3, 4)
print(v + v, 2 * v, abs(v), tuple(v), v == Vector(3, 4), len({v, Vector(3, 4)}))
try:
    v.z = 1
except AttributeError as e:
    print(e)
