import asyncio
async def fetch(n):
    await asyncio.sleep(0.01 * (3 - n))
    return n * n
async def main():
    results = await asyncio.gather(*(fetch(i) for i in range(3)))
    print(results)
    done = []
    for c in asyncio.as_completed([fetch(i) for i in range(3)]): done.append(await c)
    print(done)
asyncio.run(main())
