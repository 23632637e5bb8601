def knap(items, cap):
    best = [0] * (cap + 1)
    for w, v in items:
        for c in range(cap, w - 1, -1): best[c] = max(best[c], best[c - w] + v)
    return best[cap]
def lcs(a, b):
    t = [[""] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b): t[i + 1][j + 1] = t[i][j] + x if x == y else max(t[i + 1][j], t[i][j + 1], key=len)
    return t[-1][-1]
print(knap([(12, 4), (2, 2), (1, 1), (1, 2), (4, 10)], 15), lcs("AGGTAB", "GXTXAYB"))
