import bisect, heapq
a = [1, 3, 3, 5, 8]
print(bisect.bisect_left(a, 3), bisect.bisect_right(a, 3)); bisect.insort(a, 4); print(a)
h = [5, 1, 8, 3]; heapq.heapify(h); heapq.heappush(h, 0)
print([heapq.heappop(h) for _ in range(5)], heapq.nlargest(2, a), list(heapq.merge([1, 4], [2, 3])))
