"""What a caller of the Python client writes passes `mypy --strict`; what is wrong does not."""

from belljar import AsyncClient, Client, Context, ExecutionResult, Sandbox, Tool, connect


def find(q: str) -> dict[str, int]:
    return {q: 1}


def blocking() -> str:
    client: Client = connect("http://127.0.0.1:8000", "token")
    box: Sandbox = client.sandbox("a")
    context: Context = box.create_context("python", cwd="/workspace")
    result: ExecutionResult = box.run_code(
        "python",
        "1",
        context=context.fork(),
        idempotency_key="k",
        on_stdout=lambda line: print(line.text, line.timestamp),
        tools={"crm.find": find, "other": Tool(find, input_schema={"type": "object"})},
        limits={"fuel": 1, "wall_ms": 2},
        operator_tools=[tool.name for tool in client.tools() if tool.idempotent],
        on_approval=lambda call: call.name == "pay" or "only pay",
    )
    for piece in box.files.download_stream("a"):
        print(len(piece))
    client.run_code("python", "1", idempotency_key="k")  # type: ignore[call-arg]
    client.run_code("python", 1)  # type: ignore[arg-type]
    return result.stdout


async def asynchronous() -> None:
    async with AsyncClient("http://127.0.0.1:8000") as client:
        result = await client.run_code("python", "1", timeout=5.0)
        print(result.usage.fuel_consumed if result.usage else 0)
        async for piece in await client.sandbox("a").files.download_stream("a"):
            print(len(piece))
    again: AsyncClient = await AsyncClient("http://127.0.0.1:8000", token=None)
    await again.close()
