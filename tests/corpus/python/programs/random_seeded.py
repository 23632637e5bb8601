import random
r = random.Random(42)
print([r.randint(1, 100) for _ in range(5)], round(r.random(), 10), r.choice("abcdef"), r.sample(range(50), 4))
x = list(range(8)); r.shuffle(x); print(x, round(r.gauss(0, 1), 8), r.choices("ab", weights=[9, 1], k=5), r.getrandbits(40), round(r.uniform(1, 2), 8), r.randbytes(4))
random.seed("text"); print(random.random())
