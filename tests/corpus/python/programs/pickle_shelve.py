import pickle, shelve
class Pt:
    def __init__(self, x): self.x = x
    def __eq__(self, o): return self.x == o.x
    def __reduce__(self): return (Pt, (self.x,))
print(pickle.loads(pickle.dumps([Pt(1), {"a": (1, 2)}, {3}]))[0] == Pt(1), len(pickle.dumps(None)), pickle.loads(pickle.dumps(len))([1]))
try: pickle.dumps(lambda: 0)
except Exception as e: print("cannot pickle")
