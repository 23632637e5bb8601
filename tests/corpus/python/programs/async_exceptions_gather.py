import asyncio
async def f(i):
    if i == 1: raise RuntimeError("one")
    return i
async def main():
    print(await asyncio.gather(*map(f, range(3)), return_exceptions=True))
asyncio.run(main())
