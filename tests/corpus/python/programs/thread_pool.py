"""Pools of threads: futures, callbacks, initializers, and what asyncio hands to threads."""
import threading, time, asyncio, concurrent.futures as cf
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
def work(n):
    if n == 3: raise ValueError("three")
    return n * n, threading.current_thread().name
with ThreadPoolExecutor(max_workers=4) as ex:
    futures = {ex.submit(work, n): n for n in range(5)}
    for f in as_completed(futures):
        try: pass
        except ValueError: pass
    for f, n in sorted(futures.items(), key=lambda kv: kv[1]):
        print(n, repr(f.exception()) if f.exception() else f.result()[0])
    print(list(ex.map(pow, [1, 2, 3], [2, 2, 2])), f.done(), f.cancel(), f.running())
    def outer(n): return sum(ex.map(abs, range(-n, 0)))
    print(ex.submit(outer, 4).result())
    f.add_done_callback(lambda f: print("cb", f.done()))
print(threading.current_thread().name, threading.active_count())
try: ex.submit(work, 1)
except RuntimeError as e: print(e)
lock = threading.Lock(); total = 0
def add(n):
    global total
    with lock: total += n
with ThreadPoolExecutor(initializer=print, initargs=("init",), max_workers=1, thread_name_prefix="w") as p:
    done, pending = wait([p.submit(add, n) for n in range(10)])
    print(total, len(done), len(pending))
async def main():
    print(await asyncio.to_thread(work, 2))
    loop = asyncio.get_running_loop()
    print(await asyncio.gather(*(loop.run_in_executor(None, time.sleep, 0.1) for _ in range(2)), asyncio.to_thread(sum, [1, 2])))
    try: await asyncio.to_thread(work, 3)
    except ValueError as e: print(e)
asyncio.run(main())
def bad(): raise RuntimeError("init")
import logging; logging.disable()
with ThreadPoolExecutor(initializer=bad) as p:
    f = p.submit(work, 1)
    print(type(f.exception()).__name__, f.exception())
