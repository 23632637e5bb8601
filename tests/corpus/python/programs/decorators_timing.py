import functools
calls = []
def logged(prefix="call"):
    def deco(f):
        @functools.wraps(f)
        def wrapper(*a, **k):
            calls.append(f"{prefix}:{f.__name__}{a}{k}")
            return f(*a, **k)
        return wrapper
    return deco
@logged("x")
def add(a, b=2):
    "adds"
    return a + b
print(add(1), add(1, b=5), add.__doc__, add.__name__, calls)
