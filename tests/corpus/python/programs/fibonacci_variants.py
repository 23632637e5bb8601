def fib_iter(n):
    a, b = 0, 1
    for _ in range(n): a, b = b, a + b
    return a
def fib_rec(n, memo={}):
    if n in memo: return memo[n]
    memo[n] = n if n < 2 else fib_rec(n - 1) + fib_rec(n - 2)
    return memo[n]
print([fib_iter(i) for i in range(15)], fib_iter(200), fib_rec(100))
