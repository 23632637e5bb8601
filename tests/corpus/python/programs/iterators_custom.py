class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n <= 0: raise StopIteration
        self.n -= 1; return self.n + 1
print(list(Countdown(3)), sum(Countdown(4)), max(Countdown(2)))
it = iter([1, 2, 3]); print(next(it), list(it), next(it, "done"), list(iter(lambda c=[0]: c.append(1) or len(c), 4)))
print(list(enumerate("ab", 1)), list(reversed([1, 2])), list(map(pow, [2, 3], [3, 2])), list(filter(None, [0, 1, "", "a"])), any([]), all([]))
class S:
    def __getitem__(self, i):
        if i > 2: raise IndexError
        return i * 2
print(list(S()), 4 in S())
