def perms(xs):
    if not xs: yield []
    for i, x in enumerate(xs):
        for p in perms(xs[:i] + xs[i + 1:]): yield [x] + p
def subsets(xs): return [[]] if not xs else (lambda r: r + [[xs[0]] + s for s in r])(subsets(xs[1:]))
print(len(list(perms([1, 2, 3, 4]))), subsets("abc"))
