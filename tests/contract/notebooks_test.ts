/** Notebooks: imported as contexts, changed by runs, exported with outputs. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Body, sandboxTarget, shareService, type TargetSandbox } from "./sandbox_target.ts";

shareService();

interface Cell {
  readonly id: string;
  readonly cell_type: string;
  readonly source: string;
  readonly metadata: Body;
  readonly attachments?: Body;
  readonly execution_count?: number | null;
  readonly outputs?: readonly Body[];
}

interface Exported {
  readonly nbformat: number;
  readonly nbformat_minor: number;
  readonly metadata: { readonly [name: string]: Body };
  readonly cells: readonly Cell[];
}

const NOTEBOOK = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: {
    kernelspec: { name: "conda-env", display_name: "Mine", language: "python" },
    title: "Sums",
    "my.tool": { keep: [1, 2] },
  },
  cells: [
    { cell_type: "markdown", id: "intro", metadata: { tags: ["x"] }, source: ["# Sums\n", "of 2"] },
    {
      cell_type: "code",
      id: "a",
      metadata: {},
      execution_count: 7,
      source: "x = 40\nx + 2",
      outputs: [
        { output_type: "stream", name: "stdout", text: ["old\n", "lines\n"] },
        {
          output_type: "execute_result",
          execution_count: 7,
          data: { "text/plain": ["42"], "application/json": { big: 1 } },
          metadata: {},
        },
        { output_type: "error", ename: "E", evalue: "v", traceback: ["t"] },
      ],
    },
    { cell_type: "raw", id: "r", metadata: {}, source: "raw text" },
    { cell_type: "code", id: "b", metadata: {}, execution_count: null, source: "", outputs: [] },
  ],
};

async function imported(box: TargetSandbox, notebook: unknown = NOTEBOOK): Promise<string> {
  const { id } = await box.ok("POST", "/notebook", notebook, { status: 201 });
  return String(id);
}

async function exported(box: TargetSandbox, context: string): Promise<Exported> {
  return await (await box.send("GET", `/contexts/${context}/notebook`)).json();
}

Deno.test("notebook: an export has all that the import had, as a notebook of Belljar's kernel", async () => {
  await using target = sandboxTarget();
  const box = target.sandbox();
  const made = await box.ok("POST", "/notebook", NOTEBOOK, { status: 201 });
  assertEquals((await box.contexts()).map(({ id }) => id), [made["id"]]);
  assertEquals([made["language"], made["cwd"]], ["python", "/workspace"]);
  const { nbformat, nbformat_minor, metadata, cells } = await exported(box, String(made["id"]));
  assertEquals([nbformat, nbformat_minor], [4, 5]);
  assertEquals(metadata["my.tool"], { keep: [1, 2] });
  assertEquals(metadata["kernelspec"]?.["name"], "python3");
  assertEquals(metadata["language_info"]?.["name"], "python");
  assertEquals(cells.map(({ id }) => id), ["intro", "a", "r", "b"]);
  assertEquals(cells[0]?.source, "# Sums\nof 2");
  assertEquals(cells[0]?.metadata, { tags: ["x"] });
  assertEquals(cells[1]?.execution_count, 7);
  assertEquals(cells[1]?.outputs?.map(({ output_type }) => output_type), [
    "stream",
    "execute_result",
    "error",
  ]);
  assertEquals(cells[1]?.outputs?.[0]?.["text"], "old\nlines\n");
  // nothing has run
  assertEquals((await box.run("python", "'x' in globals()")).executionCount, 1);
});

Deno.test("notebook: runs change the cells with their programs, other runs are new cells", async () => {
  await using target = sandboxTarget();
  const box = target.sandbox();
  const cells = ["n = 1", "n += 1; n", "n += 1; n", "1 / 0"].map((source) => {
    return { cell_type: "code", metadata: {}, source, outputs: [], execution_count: null };
  });
  const contextId = await imported(box, { ...NOTEBOOK, cells });
  for (const { source } of cells) await box.run("python", source, { contextId });
  const display = "class D:\n  def _repr_html_(self): return '<b>d</b>'\ndisplay(D())\n" +
    "import sys\nprint('out'); print('err', file=sys.stderr); [True, None]";
  await box.run("python", display, { contextId, repr: true });
  const { cells: found } = await exported(box, contextId);
  assertEquals(found.length, 5);
  assertEquals(found.map((cell) => cell.execution_count), [1, 2, 3, 4, 5]);
  const values = found.map(({ outputs }) =>
    (outputs?.at(-1)?.["data"] as Body | undefined)?.["text/plain"]
  );
  assertEquals(values, [undefined, "2", "3", undefined, "[True, None]"]);
  assertEquals(found[3]?.outputs?.[0]?.["ename"], "ZeroDivisionError");
  assertEquals(found[4]?.source, display);
  assertEquals(found[4]?.outputs?.map(({ output_type }) => output_type), [
    "stream",
    "stream",
    "display_data",
    "execute_result",
  ]);
  // a cell that runs again has its new outputs in place of the old ones
  await box.run("python", "n += 1; n", { contextId });
  const again = await exported(box, contextId);
  assertEquals(again.cells.map((cell) => cell.execution_count), [1, 6, 3, 4, 5]);
});

Deno.test("notebook: a fork and a checkpoint keep it, each has its own", async () => {
  await using target = sandboxTarget();
  const box = target.sandbox();
  const contextId = await imported(box);
  const checkpoint = await box.ok("POST", "/checkpoints", {}, { status: 201 });
  const fork = await box.ok("POST", `/contexts/${contextId}/fork`, {}, { status: 201 });
  const copy = target.sandbox();
  await box.ok("POST", "/fork", { to: copy.id }, { status: 201 });
  await box.run("python", "'only here'", { contextId });
  const count = async (of: TargetSandbox, id: string) => (await exported(of, id)).cells.length;
  const forkId = String(fork["id"]);
  assertEquals([await count(box, contextId), await count(box, forkId)], [5, 4]);
  assertEquals(await count(copy, contextId), 4);
  await copy.run("python", "'only there'", { contextId });
  await copy.run("python", "'and there'", { contextId });
  assertEquals([await count(box, contextId), await count(copy, contextId)], [5, 6]);
  await box.ok("DELETE", `/contexts/${contextId}`);
  assertEquals(await count(box, forkId), 4);
  await box.ok("POST", `/checkpoints/${String(checkpoint["id"])}/restore`);
  assertEquals(await count(box, contextId), 4);
});

Deno.test("notebook: a context without one exports the runs of its history", async () => {
  await using target = sandboxTarget();
  const box = target.sandbox();
  const { id } = await box.context("javascript");
  assertEquals((await exported(box, id)).cells, []);
  for (const code of ["const a = 1", "a + 1"]) {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const answer = await box.send(
      "POST",
      "/execute",
      { code, contextId: id },
      "javascript",
      headers,
    );
    await answer.body?.cancel();
  }
  const { metadata, cells } = await exported(box, id);
  assertEquals(metadata["kernelspec"]?.["name"], "javascript");
  assertEquals(cells.map(({ source }) => source), ["const a = 1", "a + 1"]);
  assertEquals(cells[1]?.outputs?.[0]?.["data"], { "text/plain": "2" });
});

Deno.test("notebook: ids are made where they are missing, taken or malformed", async () => {
  await using target = sandboxTarget();
  const box = target.sandbox();
  const ids = [undefined, "same", "same", "no id", 7, "x".repeat(65), "cell-1"];
  const cells = ids.map((id) => ({ cell_type: "markdown", source: "", metadata: {}, id }));
  const found = await exported(box, await imported(box, { nbformat: 4, nbformat_minor: 2, cells }));
  const made = found.cells.map(({ id }) => id);
  assertEquals(new Set(made).size, ids.length);
  for (const id of made) assertMatch(id, /^[A-Za-z0-9_-]{1,64}$/);
  assertEquals(made[1], "same");
});

Deno.test("notebook: integers of outputs keep their digits", async () => {
  await using target = sandboxTarget();
  const box = target.sandbox();
  const output = '{"output_type":"display_data","metadata":{},"data":{"application/json":' +
    "12345678901234567890}}";
  const text = `{"nbformat":4,"cells":[{"cell_type":"code","source":"1","outputs":[${output}]}]}`;
  const made = await target.plainCall(`/languages/python/sandboxes/${box.id}/notebook`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: text,
  });
  const { id } = await made.json();
  const answer = await box.send("GET", `/contexts/${id}/notebook`);
  assertStringIncludes(await answer.text(), "12345678901234567890");
});

Deno.test("notebook: one that cannot be used is refused with its place, and makes nothing", async () => {
  await using target = sandboxTarget();
  const box = target.sandbox();
  const cell = { cell_type: "code", source: "1", outputs: [] };
  const cases: readonly (readonly [unknown, string])[] = [
    [{}, "nbformat must be 4"],
    [{ nbformat: 3, worksheets: [] }, "nbformat must be 4"],
    [{ nbformat: 4 }, "cells must be a list"],
    [{ nbformat: 4, cells: {} }, "cells must be a list"],
    [{ nbformat: 4, cells: [1] }, "cells.0"],
    [
      { nbformat: 4, cells: [cell, { ...cell, cell_type: "heading" }] },
      "cells.1.cell_type must be",
    ],
    [{ nbformat: 4, cells: [{ ...cell, source: 7 }] }, "cells.0.source must be a text"],
    [{ nbformat: 4, cells: [{ ...cell, source: ["a", 7] }] }, "cells.0.source must be a text"],
    [{ nbformat: 4, cells: [{ ...cell, metadata: [] }] }, "cells.0.metadata must be an object"],
    [
      { nbformat: 4, cells: [{ ...cell, outputs: [{ output_type: "x" }] }] },
      "outputs.0.output_type",
    ],
    [
      { nbformat: 4, cells: [{ ...cell, outputs: [{ output_type: "error", ename: 1 }] }] },
      "outputs.0.ename must be a text",
    ],
    [{ nbformat: 4, cells: Array.from({ length: 1_001 }, () => cell) }, "at most 1000 cells"],
    [{ nbformat: 4, cells: [], metadata: { language_info: { name: "R" } } }, '"R"'],
    [{ nbformat: 4, cells: [], metadata: { kernelspec: { language: "ruby" } } }, '"ruby"'],
  ];
  for (const [notebook, told] of cases) {
    const { message } = await box.fails([400, "VALIDATION_FAILED"], "POST", "/notebook", notebook);
    assertStringIncludes(message, told);
  }
  const large = { nbformat: 4, cells: [{ ...cell, source: "é".repeat(2_200_000) }] };
  await box.fails([413, "VALIDATION_FAILED"], "POST", "/notebook", large);
  await box.fails([400, "VALIDATION_FAILED"], "POST", "/notebook", NOTEBOOK, "ruby");
  await box.fails([404, "CONTEXT_NOT_FOUND"], "GET", "/contexts/none/notebook");
  assertEquals(await box.contexts(), []);
});

Deno.test("notebook: one that runs have filled leaves out the outputs of its first cells", async () => {
  await using target = sandboxTarget();
  const box = target.sandbox();
  const contextId = await imported(box, { nbformat: 4, cells: [] });
  for (let n = 1; n <= 6; n++) {
    await box.run("python", `print('${n}' * 900_000)`, { contextId });
  }
  const { cells } = await exported(box, contextId);
  const filled = cells.map(({ outputs = [] }) => outputs.length);
  assertEquals(filled.length, 6);
  assertEquals(filled.at(-1), 1);
  assertEquals(filled[0], 0);
  assert(filled.filter((count) => count === 1).length >= 3, filled.join());
});
