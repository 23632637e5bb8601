def numbers(n):
    for i in range(n): yield i
def evens(it): return (x for x in it if x % 2 == 0)
def squares(it):
    for x in it: yield x * x
def running():
    total = 0
    while True:
        x = yield total
        total += x
print(list(squares(evens(numbers(10)))))
r = running(); next(r)
print([r.send(x) for x in (1, 2, 3)])
def flatten(x):
    if isinstance(x, list):
        for y in x: yield from flatten(y)
    else: yield x
print(list(flatten([1, [2, [3, [4]], 5]])))
