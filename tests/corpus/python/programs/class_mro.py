class A:
    def go(self): return ["A"]
class B(A):
    def go(self): return ["B"] + super().go()
class C(A):
    def go(self): return ["C"] + super().go()
class D(B, C):
    def go(self): return ["D"] + super().go()
print(D().go(), [c.__name__ for c in D.__mro__])
try:
    class E(A, B): pass
except TypeError as e:
    print(str(e).splitlines()[0])
