import asyncio
async def ticker(n):
    for i in range(n):
        yield i
        await asyncio.sleep(0)
class Ctx:
    async def __aenter__(self): print("in"); return self
    async def __aexit__(self, *a): print("out")
async def main():
    print([x async for x in ticker(3)], {x: x async for x in ticker(2)})
    async with Ctx(): pass
    print(await asyncio.wait([asyncio.create_task(asyncio.sleep(0, "r"))], return_when=asyncio.FIRST_COMPLETED) is not None)
asyncio.run(main())
