class Typed:
    def __init__(self, kind): self.kind = kind
    def __set_name__(self, owner, name): self.name = "_" + name
    def __get__(self, obj, owner=None): return self if obj is None else getattr(obj, self.name)
    def __set__(self, obj, value):
        if not isinstance(value, self.kind): raise TypeError(f"{self.name[1:]} must be {self.kind.__name__}")
        setattr(obj, self.name, value)
class P:
    name, age = Typed(str), Typed(int)
    def __init__(self, name, age): self.name, self.age = name, age
p = P("Z", 3)
print(p.name, p.age)
try: p.age = "x"
except TypeError as e: print(e)
