print([y for x in range(6) if (y := x * x) % 2 == 0], {k: v for k, v in zip("abc", range(3))}, {len(w) for w in ["a", "bb", "cc"]})
print([[i * j for j in range(3)] for i in range(3)], sum(x for x in range(5) if x % 2), [*range(2), *"ab"], {**{"a": 1}, "b": 2})
a, *b, c = range(5); (d, e), f = (1, 2), 3
print(a, b, c, d, e, f, *[1, 2], sep=",")
