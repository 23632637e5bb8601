def f(a, /, b, *args, c=10, **kw): return a, b, args, c, kw
print(f(1, 2), f(1, b=2, c=3), f(1, 2, 3, 4, d=5))
for bad in ("f()", "f(1, 2, a=3)", "f(a=1, b=2)"):
    try: print(eval(bad))
    except TypeError as e: print(e)
def acc(x, l=[]): l.append(x); return l
print(acc(1), acc(2), (lambda x, y=2: x * y)(3), f.__defaults__, f.__kwdefaults__)
