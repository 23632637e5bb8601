class Emitter:
    def __init__(self): self.h = {}
    def on(self, e):
        def deco(f): self.h.setdefault(e, []).append(f); return f
        return deco
    def emit(self, e, *a): return [f(*a) for f in self.h.get(e, [])]
em = Emitter()
@em.on("greet")
def hi(n): return f"hi {n}"
@em.on("greet")
def yo(n): return f"yo {n}"
print(em.emit("greet", "z"), em.emit("none"))
