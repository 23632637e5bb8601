import asyncio
async def producer(q):
    for i in range(4):
        await q.put(i); await asyncio.sleep(0.01)
    await q.put(None)
async def consumer(q, out):
    while (x := await q.get()) is not None: out.append(x * 10)
async def main():
    q, out = asyncio.Queue(maxsize=2), []
    await asyncio.gather(producer(q), consumer(q, out))
    print(out, q.qsize())
asyncio.run(main())
