import threading, queue
l = threading.Lock()
with l: print(l.locked())
print(l.acquire(blocking=False), threading.current_thread().name, threading.active_count()); l.release()
q = queue.PriorityQueue(); [q.put(x) for x in (3, 1, 2)]; print([q.get() for _ in range(3)], q.empty())
loc = threading.local(); loc.x = 1; print(loc.x)
r = threading.RLock()
with r, r: print("re-entrant")
