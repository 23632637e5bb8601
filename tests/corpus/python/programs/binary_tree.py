class Tree:
    def __init__(self): self.root = None
    def insert(self, v):
        def go(n): 
            if n is None: return [v, None, None]
            i = 1 if v < n[0] else 2
            n[i] = go(n[i]); return n
        self.root = go(self.root)
    def walk(self, n=0):
        n = self.root if n == 0 else n
        if n: yield from self.walk(n[1]); yield n[0]; yield from self.walk(n[2])
    def depth(self, n=0):
        n = self.root if n == 0 else n
        return 0 if not n else 1 + max(self.depth(n[1]), self.depth(n[2]))
t = Tree()
for x in [50, 30, 70, 20, 40, 60, 80, 10]: t.insert(x)
print(list(t.walk()), t.depth())
