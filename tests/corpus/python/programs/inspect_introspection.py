import inspect
def f(a: int, *b, c: str = "x", **d) -> bool: "doc"; return True
s = inspect.signature(f); print(s, list(s.parameters), s.return_annotation, s.bind(1, 2, c="q").arguments, inspect.getdoc(f), inspect.isfunction(f), inspect.isgeneratorfunction(f))
class A:
    x = 1
    def m(self): pass
print([n for n, _ in inspect.getmembers(A, inspect.isfunction)], hasattr(A, "x"), getattr(A, "q", None), vars(A())  , type("B", (A,), {"y": 2})().y, callable(f), isinstance(True, int), issubclass(A, object), A.__name__, f.__annotations__)
print(inspect.getsource(f).strip()[:20])
