import functools
@functools.lru_cache(maxsize=None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(80), fib.cache_info())
@functools.singledispatch
def show(x): return f"object {x}"
@show.register
def _(x: int): return f"int {x}"
@show.register(list)
def _(x): return f"list of {len(x)}"
print(show(1), show([1, 2]), show("s"))
print(functools.reduce(lambda a, b: a + b, [1, 2, 3], 10), functools.partial(int, base=2)("1011"))
@functools.total_ordering
class V:
    def __init__(s, n): s.n = n
    def __eq__(s, o): return s.n == o.n
    def __lt__(s, o): return s.n < o.n
print(V(1) >= V(0), max(V(3), V(5)).n)
