/**
 * Programs with top-level `await`, as in notebooks: an event loop runs from the first statement on.
 */
import { assert, assertEquals } from "@std/assert";
import { errorOf, pythonEngine, run, runIn, show, valueOf } from "./support.ts";

const W = "import asyncio\nasync def w(x=3):\n    await asyncio.sleep(x)\n    return x\n";

Deno.test("await: tasks, groups and the loop itself are available before the first await", async () => {
  const programs: readonly (readonly [code: string, value: string])[] = [
    ["t = asyncio.create_task(w())\nawait t", "3"],
    ["t = asyncio.ensure_future(w())\nawait asyncio.sleep(5)\nt.result()", "3"],
    ["ts = [asyncio.create_task(w(n)) for n in range(3)]\n[await t for t in ts]", "[0, 1, 2]"],
    ["f = asyncio.gather(w(1), w(2))\nawait f", "[1, 2]"],
    ["loop = asyncio.get_running_loop()\nf = loop.create_future()\nf.set_result(7)\nawait f", "7"],
    [
      "loop = asyncio.get_running_loop()\nawait w()\nloop is asyncio.get_running_loop()",
      "True",
    ],
    ["t = asyncio.current_task()\nawait w()\nt is asyncio.current_task()", "True"],
    ["async with asyncio.TaskGroup() as g:\n    t = g.create_task(w())\nt.result()", "3"],
    ["async def g():\n    yield 1\n    yield 2\n[x async for x in g()]", "[1, 2]"],
    ["def later(x=await w()): return x\nlater()", "3"],
    [
      "import contextvars\nv = contextvars.ContextVar('v')\nv.set(5)\nawait w()\nv.get()",
      "5",
    ],
  ];
  for (const [code, value] of programs) assertEquals(await valueOf(W + code), value, code);
});

Deno.test("await: a last value that needs a running loop is awaited even without an await", async () => {
  const programs: readonly (readonly [code: string, value: string])[] = [
    ["asyncio.gather(w(1), w(2))", "[1, 2]"],
    ["asyncio.create_task(w())", "3"],
    ["t = asyncio.create_task(w())\nt", "3"],
    ["asyncio.shield(w())", "3"],
    ["import asyncio as aio\naio.gather(w())", "[3]"],
    ["from asyncio import gather as g\ng(w())", "[3]"],
    ["asyncio.get_running_loop().is_running()", "True"],
    ["w()", "3"],
  ];
  for (const [code, value] of programs) assertEquals(await valueOf(W + code), value, code);
  const on = await pythonEngine();
  on.reset();
  runIn(on, "import asyncio as aio\nfrom asyncio import gather as g\nasync def w(): return 3");
  assertEquals(runIn(on, "aio.gather(w())").ending, { kind: "json", json: "[3]" });
  assertEquals(runIn(on, "g(w())").ending, { kind: "json", json: "[3]" });
  on.reset();
});

Deno.test("await: without it asyncio is as in plain Python", async () => {
  const programs: readonly (readonly [code: string, value: string])[] = [
    ["asyncio.run(w())", "3"],
    ["def main(): return asyncio.run(w())\nmain()", "3"],
    [
      "try:\n    asyncio.get_running_loop()\nexcept RuntimeError:\n    x = asyncio.run(w())\nx",
      "3",
    ],
    [
      "loop = asyncio.new_event_loop()\nasyncio.set_event_loop(loop)\nf = asyncio.gather(w(1), w(2))\nloop.run_until_complete(f)",
      "[1, 2]",
    ],
    ["with asyncio.Runner() as r: x = r.run(w())\nx", "3"],
    [
      "def f(): return asyncio.get_running_loop()\ntry: f()\nexcept RuntimeError as e: x = str(e)\nx",
      "'no running event loop'",
    ],
  ];
  for (const [code, value] of programs) assertEquals(await valueOf(W + code), value, code);
});

Deno.test("await: a program leaves the same state as without it", async () => {
  const on = await pythonEngine();
  on.reset();
  const first = runIn(
    on,
    `"""Says what it is."""\nfrom __future__ import annotations\n${W}
x: nothing_of_this_name = 1
await w()
x`,
  );
  assertEquals(first.ending, { kind: "text", text: "1" });
  assertEquals(runIn(on, "[x, __doc__]").ending, { kind: "json", json: '[1, "Says what it is."]' });
  const odd = runIn(on, "[name for name in globals() if not name.isidentifier()]");
  assertEquals(odd.ending, { kind: "json", json: "[]" });
  on.reset();
});

Deno.test("await: errors and warnings name the program's own lines once", async () => {
  const error = await errorOf(`${W}await w()\ndef f():\n    return 1 / 0\nf()`);
  assertEquals(error.lineNumber, 7);
  assertEquals(error.traceback.slice(0, 4), [
    "Traceback (most recent call last):",
    '  File "main.py", line 8, in <module>',
    "    f()",
    "    ~^^",
  ]);
  const { stderr } = await run(`${W}assert (1, 'x')\nawait w()`);
  assertEquals(stderr.match(/main\.py:5: SyntaxWarning/g)?.length, 1, stderr);
});

Deno.test("await: pending tasks are cancelled at the end of a run", async () => {
  const on = await pythonEngine();
  on.reset();
  const first = runIn(
    on,
    `${W}async def late():
    try: await asyncio.sleep(5)
    finally: print('cancelled')
t = asyncio.create_task(late())
await asyncio.sleep(1)`,
  );
  assertEquals([first.ending, first.stdout], [{ kind: "none" }, "cancelled\n"]);
  assertEquals(runIn(on, "t.cancelled()").ending, { kind: "text", text: "True" });
  assertEquals(runIn(on, "await w()").ending, { kind: "text", text: "3" });
  const never = runIn(on, "await asyncio.Event().wait()");
  assert(never.ending.kind === "error" && /never settles/.test(never.ending.error.message));
  assertEquals(runIn(on, "await w()").ending, { kind: "text", text: "3" }, show(never.ending));
  on.reset();
});
