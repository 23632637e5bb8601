import heapq
graph = {"a": {"b": 7, "c": 9, "f": 14}, "b": {"c": 10, "d": 15}, "c": {"d": 11, "f": 2}, "d": {"e": 6}, "f": {"e": 9}, "e": {}}
def dijkstra(s):
    dist, heap = {s: 0}, [(0, s)]
    while heap:
        d, n = heapq.heappop(heap)
        if d > dist.get(n, float("inf")): continue
        for m, w in graph[n].items():
            if d + w < dist.get(m, float("inf")): dist[m] = d + w; heapq.heappush(heap, (d + w, m))
    return dist
print(dijkstra("a"))
