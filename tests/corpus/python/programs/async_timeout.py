import asyncio
async def slow(): await asyncio.sleep(10); return "never"
async def main():
    try: await asyncio.wait_for(slow(), timeout=0.05)
    except asyncio.TimeoutError: print("timed out")
    try:
        async with asyncio.timeout(0.01): await slow()
    except TimeoutError: print("again")
    t = asyncio.create_task(slow()); await asyncio.sleep(0); t.cancel()
    try: await t
    except asyncio.CancelledError: print("cancelled", t.cancelled())
asyncio.run(main())
