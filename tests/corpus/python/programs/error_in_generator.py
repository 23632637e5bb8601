def gen():
    yield 1
    raise RuntimeError("inside generator")
for x in gen():
    print(x)
