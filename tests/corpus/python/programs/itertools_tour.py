import itertools as it
print(list(it.islice(it.count(10, 3), 4)), list(it.accumulate([1, 2, 3, 4], lambda a, b: a * b)))
print(["".join(p) for p in it.permutations("abc", 2)], list(it.combinations(range(4), 2))[:3])
print([(k, len(list(g))) for k, g in it.groupby("aaabbc")], list(it.chain.from_iterable([[1], [2, 3]])))
print(list(it.zip_longest("ab", "xyz", fillvalue="-")), list(it.pairwise([1, 2, 4])), list(it.batched("abcdefg", 3)))
print(list(it.takewhile(lambda x: x < 3, [1, 2, 3, 1])), list(it.compress("abcd", [1, 0, 1, 0])), list(it.product([0, 1], repeat=2)))
