import asyncio
async def ok(n): await asyncio.sleep(0.01); return n
async def bad(): await asyncio.sleep(0.005); raise ValueError("bad task")
async def main():
    async with asyncio.TaskGroup() as tg:
        ts = [tg.create_task(ok(i)) for i in range(3)]
    print([t.result() for t in ts])
    try:
        async with asyncio.TaskGroup() as tg: tg.create_task(ok(1)); tg.create_task(bad())
    except* ValueError as eg: print(eg.exceptions)
asyncio.run(main())
