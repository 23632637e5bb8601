import timeit
print(timeit.timeit("sum(range(10))", number=100) > 0, len(timeit.repeat("pass", number=10, repeat=3)))
