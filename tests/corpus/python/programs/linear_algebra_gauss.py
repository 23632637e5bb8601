from fractions import Fraction as F
def solve(a, b):
    n = len(a); m = [[F(x) for x in r] + [F(y)] for r, y in zip(a, b)]
    for i in range(n):
        p = next(r for r in range(i, n) if m[r][i]); m[i], m[p] = m[p], m[i]
        m[i] = [x / m[i][i] for x in m[i]]
        for r in range(n):
            if r != i: m[r] = [x - m[r][i] * y for x, y in zip(m[r], m[i])]
    return [str(r[-1]) for r in m]
print(solve([[2, 1, -1], [-3, -1, 2], [-2, 1, 2]], [8, -11, -3]))
