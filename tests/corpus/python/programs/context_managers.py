from contextlib import contextmanager, suppress, ExitStack, closing, redirect_stdout
import io
@contextmanager
def tag(name):
    print(f"<{name}>")
    try: yield name.upper()
    finally: print(f"</{name}>")
with tag("a") as a, tag("b"):
    print(a)
with suppress(ZeroDivisionError): 1 / 0
with ExitStack() as s:
    for n in "xy": s.enter_context(tag(n))
    s.callback(print, "bye")
buf = io.StringIO()
with redirect_stdout(buf): print("hidden")
print(repr(buf.getvalue()))
class M:
    def __enter__(self): return self
    def __exit__(self, t, v, tb): print(t.__name__, v); return True
with M(): raise KeyError("k")
