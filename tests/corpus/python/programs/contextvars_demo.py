import contextvars, asyncio
v = contextvars.ContextVar("v", default="d")
async def t(n): v.set(n); await asyncio.sleep(0); return v.get()
async def main(): return await asyncio.gather(t("a"), t("b"))
print(asyncio.run(main()), v.get())
