import asyncio
async def main():
    sem, active, peak = asyncio.Semaphore(2), 0, 0
    async def work(i):
        nonlocal active, peak
        async with sem:
            active += 1; peak = max(peak, active)
            await asyncio.sleep(0.01); active -= 1
            return i
    print(await asyncio.gather(*map(work, range(5))), peak)
    lock, ev = asyncio.Lock(), asyncio.Event()
    async def waiter(): await ev.wait(); return "go"
    t = asyncio.create_task(waiter())
    async with lock: ev.set()
    print(await t, lock.locked())
asyncio.run(main())
