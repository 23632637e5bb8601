class Trie:
    def __init__(self): self.root = {}
    def add(self, w):
        n = self.root
        for c in w: n = n.setdefault(c, {})
        n["$"] = True
    def prefix(self, p):
        n = self.root
        for c in p:
            if c not in n: return []
            n = n[c]
        out = []
        def go(n, acc):
            for k in sorted(n):
                if k == "$": out.append(acc)
                else: go(n[k], acc + k)
        go(n, p); return out
t = Trie()
for w in "car card care cat dog".split(): t.add(w)
print(t.prefix("car"), t.prefix("x"), t.prefix(""))
