class Temp:
    def __init__(self, c): self.c = c
    def __lt__(self, o): return self.c < o.c
    def __bool__(self): return self.c != 0
    def __call__(self, x): return self.c + x
    def __getattr__(self, n): return f"no {n}"
    def __contains__(self, x): return x == self.c
    def __len__(self): return 7
    def __format__(self, spec): return f"{self.c:{spec}}C"
    def __getitem__(self, k): return k
    def __enter__(self): return self
    def __exit__(self, *a): return False
    def __int__(self): return int(self.c)
    def __index__(self): return 2
t = Temp(21.5)
print(bool(t), t(1), t.missing, 21.5 in t, len(t), f"{t:.2f}", t[1:2, ...], int(t), [0, 1, 2][t], sorted([Temp(3), Temp(1)])[0].c)
