best = max(range(1, 3000), key=lambda n: (lambda f: f(f, n))(lambda f, k, c=1: c if k == 1 else f(f, k // 2 if k % 2 == 0 else 3 * k + 1, c + 1)))
print(best)
