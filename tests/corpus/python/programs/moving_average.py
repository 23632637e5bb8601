def ma(xs, k): return [round(sum(xs[i:i + k]) / k, 2) for i in range(len(xs) - k + 1)]
print(ma([1, 2, 3, 4, 10], 3), ma([5], 2))
