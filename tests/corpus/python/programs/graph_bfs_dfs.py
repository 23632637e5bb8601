from collections import deque
g = {"A": ["B", "C"], "B": ["D"], "C": ["D", "E"], "D": ["F"], "E": ["F"], "F": []}
def bfs(s, t):
    q, seen = deque([[s]]), {s}
    while q:
        p = q.popleft()
        if p[-1] == t: return p
        for n in g[p[-1]]:
            if n not in seen: seen.add(n); q.append(p + [n])
def dfs(n, seen=None):
    seen = seen if seen is not None else []
    seen.append(n)
    for m in g[n]:
        if m not in seen: dfs(m, seen)
    return seen
print(bfs("A", "F"), dfs("A"))
