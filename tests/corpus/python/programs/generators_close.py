def g():
    try:
        yield 1
        yield 2
    except GeneratorExit:
        print("closing"); raise
    finally:
        print("cleanup")
x = g(); print(next(x)); x.close()
def h():
    try: yield
    except ValueError as e: yield f"got {e}"
y = h(); next(y); print(y.throw(ValueError("boom")))
def ret():
    yield 1
    return "value"
def outer():
    v = yield from ret(); print("returned", v)
list(outer())
