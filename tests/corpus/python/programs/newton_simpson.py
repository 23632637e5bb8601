def newton(f, df, x):
    for _ in range(20): x -= f(x) / df(x)
    return x
def simpson(f, a, b, n=100):
    h = (b - a) / n
    return h / 3 * (f(a) + f(b) + sum((4 if i % 2 else 2) * f(a + i * h) for i in range(1, n)))
import math; print(round(newton(lambda x: x * x - 2, lambda x: 2 * x, 1), 12), round(simpson(math.sin, 0, math.pi), 8))
