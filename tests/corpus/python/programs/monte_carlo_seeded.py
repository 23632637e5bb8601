import random
random.seed(12345)
inside = sum(random.random() ** 2 + random.random() ** 2 <= 1 for _ in range(20000))
print(4 * inside / 20000)
