"""Runs scenarios with the Python client: `blocking` or `asynchronous`.

Arguments: the URL of a service, a token, which client. Prints how many scenarios ran, and which
failed.
"""

import asyncio
import inspect
import json
import pathlib
import sys
import threading
import uuid

from belljar import AsyncClient, SandboxError, Tool, ToolDenied, connect

LOOK_S = 0.05
SCENARIOS = json.loads(pathlib.Path(__file__).with_name("scenarios.json").read_text("utf-8"))


async def settled(value):
    """What a call of either client gives."""
    return await value if inspect.isawaitable(value) else value


def bytes_of(length):
    return bytes(at * 7 % 251 for at in range(length))


def size(data):
    return {"bytes": len(data) if data == bytes_of(len(data)) else -1}


class Driver:
    def __init__(self, client, is_blocking):
        self.client = client
        self.is_blocking = is_blocking
        self.box = client.sandbox(f"scenario-{uuid.uuid4()}")
        self.saved, self.made, self.heard, self.asked = {}, {}, [], []

    async def run_scenario(self, scenario):
        try:
            for step in scenario["steps"]:
                await self.perform(step)
        finally:
            await settled(self.box.destroy())

    async def perform(self, step):
        self.heard.clear()
        self.asked.clear()
        try:
            observed, failed = await getattr(self, step["do"])(step), False
        except SandboxError as error:
            observed, failed = told(error), True
        except TimeoutError:
            observed, failed = {"code": "TimeoutError", "status": 0}, True
        wanted = {**step.get("expect", {}), **step.get("fails", {})}
        if failed != ("fails" in step):
            raise AssertionError(f"{step}: {observed}")
        self.compare(step, wanted, observed)
        if "save" in step:
            self.saved[step["save"]] = observed

    def compare(self, step, wanted, observed):
        for name, raw in wanted.items():
            expected, seen = self.resolved(raw), observed.get(name)
            if name == "error" and isinstance(expected, dict) and isinstance(seen, dict):
                self.compare(step, expected, seen)
            elif expected != seen:
                raise AssertionError(f"{step}: {name}: {seen!r} and not {expected!r}")

    def resolved(self, value):
        if isinstance(value, dict) and "$" in value:
            name, field = value["$"].split(".")
            return self.saved[name][field]
        if isinstance(value, dict) and "repeat" in value:
            return value["repeat"][0] * value["repeat"][1]
        return value

    def hear(self, kind, read):
        """A callback: asynchronous where the client takes such."""

        def hear(argument):
            self.heard.append([kind, read(argument)])

        async def hear_later(argument):
            await asyncio.sleep(0)
            hear(argument)

        return hear if self.is_blocking else hear_later

    def options(self, given):
        options = dict(given)
        if options.pop("hear", False):
            options |= {
                "on_stdout": self.hear("stdout", lambda line: line.text),
                "on_stderr": self.hear("stderr", str),
                "on_display": self.hear("display", lambda display: list(display.data)[0]),
                "on_result": self.hear(
                    "result", lambda entry: entry.text if entry.json is None else entry.json
                ),
                "on_error": self.hear("error", lambda error: error.name),
            }
        if "tools" in options:
            described = options["tools"].items()
            options["tools"] = {name: self.tool(name, tool) for name, tool in described}
        if "input" in options:
            lines = options.pop("input")

            def on_input(prompt):
                self.asked.append(prompt)
                return lines.pop(0)

            options["on_input"], lines = on_input, list(lines)
        if "timeoutMs" in options:
            options["timeout"] = options.pop("timeoutMs") / 1000
        names = {"key": "idempotency_key", "ifExecutions": "if_executions", "envVars": "env_vars"}
        return {names.get(name, name): value for name, value in options.items()}

    def tool(self, name, described):
        barrier = threading.Barrier(described.get("meet", 1))

        def execute(**given):
            self.asked.append(name)
            if "error" in described:
                error = ValueError(described["error"])
                error.data = described.get("data")
                raise error
            if "deny" in described:
                raise ToolDenied(described["deny"])
            if "never" in described:
                threading.Event().wait()
            if "strange" in described:
                return object()
            if "meet" in described:
                barrier.wait(60)
                return given["n"]
            return given[described["echo"]] if "echo" in described else described.get("value")

        async def execute_later(**given):
            return await asyncio.to_thread(execute, **given)

        is_thread = self.is_blocking or "never" in described
        function = execute if is_thread else execute_later
        schema = described.get("inputSchema")
        return function if schema is None else Tool(function, input_schema=schema)

    def result(self, result):
        error, context, usage = result.error, result.context, result.usage
        main = result.results[0] if result.results else None
        assert result.stdout == "".join(f"{line}\n" for line in result.logs.stdout)
        assert result._repr_html_() is not None and result._repr_mimebundle_()["text/plain"] != 0
        return {
            "value": result.value,
            "formats": main.formats() if main else [],
            "repr": main.repr if main else None,
            "stdout": list(result.logs.stdout),
            "stderr": list(result.logs.stderr),
            "error": error
            and {"name": error.name, "message": error.message, "lineNumber": error.line_number},
            "displays": [list(display.data) for display in result.displays],
            "language": result.language,
            "executionCount": result.execution_count,
            "contextId": context.id if context else None,
            "rolledBack": context.rolled_back if context else False,
            "hasUsage": usage is not None and usage.fuel_consumed > 0,
            "fuelLimit": usage and usage.fuel_limit,
            "heard": list(self.heard),
            "asked": list(self.asked),
        }

    async def run(self, step):
        options = self.options(step.get("options", {}))
        code = self.resolved(step["code"])
        call = self.client.run_code(step["language"], code, **options)
        return self.result(await settled(call))

    async def boxRun(self, step):
        options = self.options(step.get("options", {}))
        context = self.made.get(step.get("context"))
        call = self.box.run_code(step["language"], step["code"], context=context, **options)
        return self.result(await settled(call))

    def keep(self, step, context):
        self.made[step.get("save")] = context
        return {"id": context.id, "language": context.language, "cwd": context.cwd}

    async def createContext(self, step):
        return self.keep(step, await settled(self.box.create_context(step["language"])))

    async def forkContext(self, step):
        return self.keep(step, await settled(self.made[step["context"]].fork()))

    async def contexts(self, step):
        return {"count": len(await settled(self.box.contexts()))}

    async def deleteContext(self, step):
        await settled(self.box.delete_context(self.made[step["context"]].id))
        return {}

    async def setEnv(self, step):
        await settled(self.box.set_env_vars(step["envVars"]))
        return {}

    async def info(self, step):
        info = await settled(self.box.info())
        return {
            "envVars": sorted(info.env_vars),
            "contexts": len(info.contexts),
            "created": info.created_at is not None,
            "files": info.workspace.files,
            "bytes": info.workspace.bytes,
        }

    async def write(self, step):
        recursive = step.get("recursive", False)
        await settled(self.box.files.write(step["path"], step["content"], recursive=recursive))
        return {}

    async def read(self, step):
        return {"text": await settled(self.box.files.read(step["path"]))}

    async def mkdir(self, step):
        await settled(self.box.files.mkdir(step["path"]))
        return {}

    async def rename(self, step):
        await settled(self.box.files.rename(step["path"], step["newPath"]))
        return {}

    async def delete(self, step):
        recursive = step.get("recursive", False)
        await settled(self.box.files.delete(step["path"], recursive=recursive))
        return {}

    async def exists(self, step):
        return {"exists": await settled(self.box.files.exists(step["path"]))}

    async def stat(self, step):
        info = await settled(self.box.files.stat(step["path"]))
        return {"type": info.type, "size": info.size, "mode": info.mode}

    async def list(self, step):
        recursive = step.get("recursive", False)
        found = await settled(self.box.files.list(step["path"], recursive=recursive))
        return {"paths": [info.absolute_path for info in found]}

    async def upload(self, step):
        data = bytes_of(step["bytes"])
        condition = {"if_none_match": step["ifNoneMatch"]} if "ifNoneMatch" in step else {}
        content = data
        if "asStream" in step:
            pieces = [data[at : at + 999] for at in range(0, len(data), 999)]
            content = iter(pieces) if self.is_blocking else later(pieces)
        await settled(self.box.files.upload(step["path"], content, **condition))
        return {}

    async def download(self, step):
        return size(await settled(self.box.files.download(step["path"])))

    async def downloadStream(self, step):
        stream = await settled(self.box.files.download_stream(step["path"]))
        if self.is_blocking:
            return size(b"".join(stream))
        return size(b"".join([piece async for piece in stream]))

    async def checkpoint(self, step):
        return {"id": (await settled(self.box.checkpoints.create(step["checkpointName"]))).id}

    async def checkpoints(self, step):
        return {"names": [saved.name for saved in await settled(self.box.checkpoints.list())]}

    async def restore(self, step):
        await settled(self.box.checkpoints.restore(self.saved[step["checkpoint"]]["id"]))
        return {}

    async def deleteCheckpoint(self, step):
        await settled(self.box.checkpoints.delete(self.saved[step["checkpoint"]]["id"]))
        return {}

    async def forkSandbox(self, step):
        fork = await settled(self.box.fork(f"scenario-{uuid.uuid4()}"))
        text = await settled(fork.files.read(step["check"]["path"]))
        await settled(fork.destroy())
        assert text == step["check"]["text"], text
        return {}

    async def runs(self, step):
        return {"states": [run.state for run in await settled(self.box.runs.list())]}

    async def firstRun(self, step):
        first = (await settled(self.box.runs.list()))[0]
        run = await settled(self.box.runs.get(first.id))
        return {"state": run.state, "value": run.execution and run.execution.value}

    async def cancelRun(self, step):
        await settled(self.box.runs.cancel(step["run"]))
        return {}

    async def respond(self, step):
        """Answers a run as somebody else does, while its own caller does not."""

        def never(*_given, **_named):
            threading.Event().wait()

        options = {"tools": {"ask": never}}
        code = step["code"]
        if self.is_blocking:
            # a question is asked in the thread of the call, which would wait for its answer alone
            code = code.replace("input('? ')", "tools.ask(q=2)")
            work = asyncio.to_thread(self.box.run_code, step["language"], code, **options)
        else:
            work = self.box.run_code(step["language"], code, on_input=never, **options)
        task = asyncio.ensure_future(work)
        for value in step["answers"]:
            await self.answer_next(value)
        return self.result(await task)

    async def answer_next(self, value):
        while True:
            for run in await settled(self.box.runs.list()):
                if run.state != "waiting":
                    continue
                waiting = (await settled(self.box.runs.get(run.id))).waiting
                pending = waiting and (waiting.calls[0] if waiting.calls else waiting.input)
                if pending:
                    answers = [{"key": pending.key, "value": value}]
                    await settled(self.box.runs.answer(run.id, answers))
                    return
            await asyncio.sleep(LOOK_S)

    async def freed(self, step):
        """Runs as soon as a cancelled run has left its context."""
        while True:
            try:
                return self.result(await settled(self.box.run_code(step["language"], "1")))
            except SandboxError as error:
                if error.code != "RUN_WAITING":
                    raise
                await asyncio.sleep(LOOK_S)

    async def exec(self, step):
        ended = await settled(self.box.exec(step["command"]))
        return {"stdout": ended.stdout, "stderr": ended.stderr, "exitCode": ended.exit_code}

    async def destroy(self, step):
        await settled(self.box.destroy())
        return {}

    async def listed(self, step):
        for found in await settled(self.client.sandboxes()):
            if found.id == self.box.id:
                sizes = {"contexts": found.contexts, "files": found.files, "bytes": found.bytes}
                return {"listed": sizes}
        return {"listed": None}


async def later(pieces):
    for piece in pieces:
        await asyncio.sleep(0)
        yield piece


def told(error):
    return {
        "code": error.code,
        "status": error.http_status,
        "message": str(error),
        "operation": error.operation,
    }


async def main(url, token, which):
    is_blocking = which == "blocking"
    client = connect(url, token) if is_blocking else AsyncClient(url, token)
    failed = []
    for scenario in SCENARIOS:
        try:
            await Driver(client, is_blocking).run_scenario(scenario)
        except Exception as error:  # noqa: BLE001 - it is reported
            failed.append(f"{scenario['name']}: {type(error).__name__}: {error}")
    await settled(client.close())
    print(json.dumps({"ran": len(SCENARIOS), "failed": failed}))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4]))
