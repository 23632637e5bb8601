def counter():
    n = 0
    def inc(by=1):
        nonlocal n; n += by; return n
    return inc
c = counter(); c(); print(c(5), c.__closure__[0].cell_contents)
fs = [lambda: i for i in range(3)]; gs = [lambda i=i: i for i in range(3)]
print([f() for f in fs], [g() for g in gs])
x = "global"
def t():
    global x; x = "changed"
t(); print(x)
def bad():
    print(y); y = 1
try: bad()
except UnboundLocalError as e: print(e)
