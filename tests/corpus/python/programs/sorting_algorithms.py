def quick(a): return a if len(a) < 2 else quick([x for x in a[1:] if x < a[0]]) + [a[0]] + quick([x for x in a[1:] if x >= a[0]])
def merge(a):
    if len(a) < 2: return a
    m = len(a) // 2; l, r = merge(a[:m]), merge(a[m:]); out = []
    while l and r: out.append((l if l[0] <= r[0] else r).pop(0))
    return out + l + r
def bubble(a):
    a = a[:]
    for i in range(len(a)):
        for j in range(len(a) - 1 - i):
            if a[j] > a[j + 1]: a[j], a[j + 1] = a[j + 1], a[j]
    return a
data = [(i * 7919) % 101 for i in range(40)]
print(quick(data) == merge(data) == bubble(data) == sorted(data), sorted(data)[:5])
