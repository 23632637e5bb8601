import asyncio
async def inner():
    await asyncio.sleep(0.01)
    raise ConnectionError("lost")
async def main():
    await inner()
asyncio.run(main())
