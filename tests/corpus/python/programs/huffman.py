import heapq
from collections import Counter
def codes(s):
    h = [[n, i, {c: ""}] for i, (c, n) in enumerate(sorted(Counter(s).items()))]; heapq.heapify(h); k = len(h)
    while len(h) > 1:
        a, b = heapq.heappop(h), heapq.heappop(h)
        heapq.heappush(h, [a[0] + b[0], k, {**{c: "0" + v for c, v in a[2].items()}, **{c: "1" + v for c, v in b[2].items()}}]); k += 1
    return h[0][2]
c = codes("abracadabra"); print(c, len("".join(c[x] for x in "abracadabra")))
