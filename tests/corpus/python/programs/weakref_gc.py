import weakref, gc
class N: pass
n = N(); r = weakref.ref(n, lambda _: print("gone")); print(r() is n); del n; print(r())
d = weakref.WeakValueDictionary(); o = N(); d["k"] = o; print(len(d)); del o; print(len(d))
a = N(); b = N(); a.o, b.o = b, a; w = weakref.ref(a); del a, b; gc.collect(); print(w() is None)
class D:
    def __del__(self): print("del")
D()
