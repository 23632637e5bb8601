l = [3, 1, 2]
l.append(4); l.extend([5, 6]); l.insert(0, 0); l.remove(3); print(l, l.pop(), l.index(2), l.count(1), l[::-1], l[1:4], l[-2:])
l.sort(reverse=True); l.reverse(); l[1:3] = [9, 9, 9]; del l[0]; print(l, l.copy() == l, [1, 2] < [1, 3], [1] + [2] * 2)
try: l.index(100)
except ValueError as e: print(type(e).__name__)
print(*zip([1, 2], "ab"), list(zip(*[(1, "a"), (2, "b")])), sum([[1], [2]], []))
