a, b = {1, 2, 3}, {2, 3, 4}
print(a | b, a & b, a - b, a ^ b, a <= {1, 2, 3, 4}, a.isdisjoint({9}), frozenset([1, 2]) == {1, 2})
a.discard(99); a.update([7]); print(sorted(a), len(a))
