def parse(s):
    try: return int(s)
    except ValueError as e: raise RuntimeError("bad config") from e
try: parse("x")
except RuntimeError as e: print(e, "<-", repr(e.__cause__), e.__suppress_context__)
def f():
    try: return "try"
    finally: print("finally")
print(f())
try:
    try: 1 / 0
    except ZeroDivisionError: {}["x"]
except KeyError as e: print(type(e.__context__).__name__)
for t in (0, 1):
    try:
        if t: raise IndexError
    except IndexError: print("except")
    else: print("else")
