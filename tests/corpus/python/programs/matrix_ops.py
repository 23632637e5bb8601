def matmul(a, b): return [[sum(x * y for x, y in zip(r, c)) for c in zip(*b)] for r in a]
def det(m):
    if len(m) == 1: return m[0][0]
    return sum((-1) ** j * m[0][j] * det([r[:j] + r[j + 1:] for r in m[1:]]) for j in range(len(m)))
a = [[2, 1, 3], [0, 4, 1], [5, 2, 6]]
for r in matmul(a, a): print(r)
print(det(a), [list(r) for r in zip(*a)])
