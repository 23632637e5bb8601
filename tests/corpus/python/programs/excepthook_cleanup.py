"""What happens when a program fails: exit functions, contexts, and its own hook."""
import atexit
import contextlib
import sys
import tempfile
import pathlib


@contextlib.contextmanager
def working(name):
    print("open", name)
    try:
        yield pathlib.Path(tempfile.mkdtemp())
    except ValueError as error:
        print("seen", error)
        raise
    finally:
        print("close", name)


def report(kind, error, trace):
    print(f"fatal: {kind.__name__}: {error}", file=sys.stdout)
    print("cause:", repr(error.__cause__), "depth:", len(list(contextlib.suppress.__mro__)) > 0)


atexit.register(print, "bye")
sys.excepthook = report
with working("a") as folder:
    (folder / "x").write_text("1")
    print(sum(1 for _ in folder.iterdir()))
try:
    with working("b"):
        int("nope")
except ValueError as error:
    sys.excepthook(type(error), error, error.__traceback__)
sys.excepthook = sys.__excepthook__
print("end")
