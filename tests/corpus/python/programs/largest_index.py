# sys.maxsize as programs use it: for a number that is larger than all of theirs.
import bz2
import csv
import functools
import gzip
import heapq
import io
import lzma
import random
import sys

print(sys.maxsize, -sys.maxsize - 1, sys.maxsize == 2**63 - 1, f"{sys.maxsize:,}", sys.maxsize > 2**32)

costs = [[0, 4_000_000_000, 9_000_000_000], [4_000_000_000, 0, 3_000_000_000], [9_000_000_000, 3_000_000_000, 0]]
best = [sys.maxsize] * 3
best[0], waiting = 0, [(0, 0)]
while waiting:
    cost, place = heapq.heappop(waiting)
    for other, step in enumerate(costs[place]):
        if cost + step < best[other]:
            best[other] = cost + step
            heapq.heappush(waiting, (best[other], other))
print(best)

lowest, highest = sys.maxsize, -sys.maxsize
for price in (7_500_000_000, 3_000_000_000, 5_000_000_000):
    lowest, highest = min(lowest, price), max(highest, price)
print(lowest, highest)

csv.field_size_limit(sys.maxsize)
row = next(csv.reader(io.StringIO("a," + "b" * 200_000)))
print(len(row[1]))


@functools.lru_cache(maxsize=sys.maxsize)
def square(n):
    return n * n


print(square(4), square(4), square.cache_info().hits, square.__wrapped__(3))

for module in (gzip, bz2, lzma):
    packed = module.compress(b"line\n" * 3000)
    with module.open(io.BytesIO(packed)) as file:
        print(module.__name__, len(file.read()), end=" ")
print()

print(random.Random(42).randint(0, sys.maxsize), random.Random(7).randrange(sys.maxsize))
print("abc"[: sys.maxsize], [1, 2, 3].index(3, 0, sys.maxsize), "abc".find("c", 0, sys.maxsize))
print(list(range(sys.maxsize - 2, sys.maxsize)), range(sys.maxsize)[-1])
