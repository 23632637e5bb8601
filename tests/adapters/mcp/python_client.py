"""The official Python client, told on standard input what to do; each answer is a line.

A line is {"call": tool, "args": {...}, "times": n, "leave": bool, "announce": bool}. The answer has
the results, or what was raised. With "leave" the call is cancelled at its first line of progress;
with "announce" that line is told before the answer.
"""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


def tell(answer):
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


async def call(client, step):
    told = []
    begun = asyncio.Event()

    async def progress(count, total, message):
        if step.get("announce") and not told:
            tell({"told": message})
        told.append(message)
        begun.set()

    asked = client.call_tool(step["call"], step["args"], progress_callback=progress)
    if not step.get("leave"):
        result = await asked
        return {**result.model_dump(mode="json", by_alias=True, exclude_none=True), "told": told}
    task = asyncio.create_task(asked)
    await begun.wait()
    task.cancel()
    await asyncio.wait([task])
    return {"cancelled": task.cancelled()}


async def perform(client, step):
    if "list" in step:
        listed = await client.list_tools()
        return [tool.name for tool in listed.tools]
    return await asyncio.gather(*(call(client, step) for _ in range(step.get("times", 1))))


async def main(url, mode, token):
    headers = {} if token == "" else {"authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=120) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=mode) as client:
            tell({"ready": True})
            loop = asyncio.get_running_loop()
            while line := await loop.run_in_executor(None, sys.stdin.readline):
                try:
                    tell({"results": await perform(client, json.loads(line))})
                except Exception as error:
                    tell({"raised": f"{type(error).__name__}: {error}"})


try:
    asyncio.run(main(*sys.argv[1:]))
except* Exception as failed:
    tell({"raised": repr(failed.exceptions)})
