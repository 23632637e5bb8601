import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { count } from "../support/counts.ts";
import { sandboxTarget, shareService, type TargetSandbox } from "./sandbox_target.ts";

shareService();

/** A counter: set, count on, show. */
const COUNTERS = {
  javascript: { set: "globalThis.x = 1; x", add: "x += 1", show: "x" },
  python: { set: "x = 1\nx", add: "x += 1\nx", show: "x" },
  perl: { set: "our $x = 1; $x", add: "$x += 1; $x", show: "$x" },
} as const;
const LANGUAGES = ["javascript", "python", "perl"] as const;

async function write(box: TargetSandbox, path: string, content: string) {
  await box.ok("POST", "/files", { op: "write", path, content, recursive: true });
}

async function read(box: TargetSandbox, path: string): Promise<unknown> {
  return (await box.ok("POST", "/files", { op: "read", path })).content;
}

async function checkpoint(box: TargetSandbox, name?: string): Promise<string> {
  const made = await box.ok("POST", "/checkpoints", name === undefined ? {} : { name }, {
    status: 201,
  });
  assertEquals(made.name, name ?? null);
  return String(made.id);
}

async function executionsOf(box: TargetSandbox): Promise<unknown> {
  const { contexts } = await box.ok("GET", "/");
  assert(Array.isArray(contexts));
  return contexts.map(({ executions }) => executions);
}

Deno.test("forks", async (t) => {
  await using target = sandboxTarget();

  for (const language of LANGUAGES) {
    const { set, add, show } = COUNTERS[language];
    await t.step(
      `${language}: a fork of a context has its memory and its count, and goes its own way`,
      async () => {
        const box = target.sandbox();
        const { id } = await box.context(language);
        await box.value(language, set, { contextId: id });
        const fork = await box.ok("POST", `/contexts/${id}/fork`, {}, { language, status: 201 });
        const forkId = String(fork.id);
        assertNotEquals(forkId, id);
        assertEquals(await box.value(language, add, { contextId: id }), "2");
        assertEquals(await box.value(language, add, { contextId: id }), "3");
        assertEquals(await box.value(language, add, { contextId: id }), "4");
        const run = await box.run(language, show, { contextId: forkId });
        assertEquals([run.results[0]?.text, run.executionCount], ["1", 2]);
        await box.ok("DELETE", `/contexts/${id}`);
        const second = await box.ok("POST", `/contexts/${forkId}/fork`, {}, {
          language,
          status: 201,
        });
        assertEquals(await box.value(language, add, { contextId: forkId }), "2");
        assertEquals(await box.value(language, add, { contextId: forkId }), "3");
        await box.ok("DELETE", `/contexts/${forkId}`);
        assertEquals(await box.value(language, show, { contextId: String(second.id) }), "1");
      },
    );
  }

  await t.step("the ninth context is refused as at its creation", async () => {
    const box = target.sandbox();
    const { id } = await box.context("python");
    for (let n = 1; n < 8; n++) await box.ok("POST", `/contexts/${id}/fork`, {}, { status: 201 });
    const made = await box.fails([400, "VALIDATION_FAILED"], "POST", "/contexts", {});
    const forked = await box.fails([400, "VALIDATION_FAILED"], "POST", `/contexts/${id}/fork`, {});
    assertEquals(forked.message, made.message);
    await box.fails([404, "CONTEXT_NOT_FOUND"], "POST", "/contexts/nothing/fork", {});
  });

  await t.step("a fork of a sandbox has all its state and diverges", async () => {
    const box = target.sandbox();
    await box.value("python", "x = 1\nx");
    await box.value("perl", "our $x = 1; $x");
    await write(box, "a/b.txt", "before");
    await box.ok("POST", "/env", { envVars: { NAME: "Ada" } });
    const copy = target.sandbox(`fork-${crypto.randomUUID().slice(0, 8)}`);
    assertEquals(await box.ok("POST", "/fork", { to: copy.id }, { status: 201 }), { id: copy.id });
    await box.fails([409, "CONFLICT"], "POST", "/fork", { to: copy.id });
    await write(box, "a/b.txt", "after");
    await box.value("python", "x = 2\nx");
    await box.value("python", "x = 3\nx");
    assertEquals(await copy.value("python", "import os\nx = x + 10\n[x, os.environ['NAME']]"), [
      11,
      "Ada",
    ]);
    assertEquals(await copy.value("perl", "$x"), "1");
    assertEquals(await read(copy, "a/b.txt"), "before");
    await box.delete();
    assertEquals(await copy.value("python", "x"), "11");
    assertEquals(await read(copy, "a/b.txt"), "before");
  });

  await t.step("a missing sandbox cannot be forked, and a bad name is refused", async () => {
    const box = target.sandbox();
    await box.fails([404, "VALIDATION_FAILED"], "POST", "/fork", { to: "other" });
    for (const to of [undefined, 1, "", "a/b", "..", "x".repeat(64)]) {
      await box.fails([400, "VALIDATION_FAILED"], "POST", "/fork", { to });
    }
  });

  await t.step(
    "a fork of a checkpoint has the state of that time, and goes its own way",
    async () => {
      const box = target.sandbox();
      const { id: contextId } = await box.context("python");
      await box.value("python", "x = 1\nx", { contextId });
      await write(box, "a.txt", "before");
      await box.ok("POST", "/env", { envVars: { NAME: "Ada" } });
      const id = await checkpoint(box, "start");
      await box.value("python", "x = 2\nx", { contextId });
      await write(box, "a.txt", "after");
      await box.ok("POST", "/env", { envVars: { NAME: "Bob" } });
      const copies = [target.sandbox(), target.sandbox(), target.sandbox()];
      for (const [n, copy] of copies.entries()) {
        const body = { to: copy.id, checkpoint: id };
        assertEquals(await box.ok("POST", "/fork", body, { status: 201 }), { id: copy.id });
        const code = `import os\nx += ${n}\n[x, os.environ['NAME']]`;
        assertEquals(await copy.value("python", code, { contextId }), [1 + n, "Ada"]);
        assertEquals(await read(copy, "a.txt"), "before");
        await box.fails([409, "CONFLICT"], "POST", "/fork", body);
        assertEquals((await copy.ok("GET", "/checkpoints")).checkpoints, []);
      }
      assertEquals(await box.value("python", "x", { contextId }), "2");
      const [first, second] = copies;
      assert(first !== undefined && second !== undefined);
      // a fork can be forked, and outlives the checkpoint and its source
      const own = await checkpoint(first);
      const later = target.sandbox();
      await box.ok("DELETE", `/checkpoints/${id}`);
      await box.delete();
      await first.ok("POST", "/fork", { to: later.id, checkpoint: own }, { status: 201 });
      assertEquals(await later.value("python", "x", { contextId }), "1");
      assertEquals(await second.value("python", "x", { contextId }), "2");
      assertEquals(await read(second, "a.txt"), "before");
    },
  );

  await t.step(
    "a checkpoint that is not there is not forked, and a malformed one refused",
    async () => {
      const box = target.sandbox();
      const to = target.sandbox().id;
      await box.fails([404, "VALIDATION_FAILED"], "POST", "/fork", { to, checkpoint: "none" });
      await write(box, "a.txt", "a");
      const other = target.sandbox();
      await write(other, "a.txt", "a");
      const foreign = await checkpoint(other);
      for (const id of ["none", foreign, "x".repeat(3_000), "..", "a/b", "\u0000"]) {
        const [status, code] = [404, "CHECKPOINT_NOT_FOUND"] as const;
        await box.fails([status, code], "POST", "/fork", { to, checkpoint: id });
      }
      for (const id of [1, null, "", [], {}]) {
        await box.fails([400, "VALIDATION_FAILED"], "POST", "/fork", { to, checkpoint: id });
      }
      assertEquals((await target.sandbox(to).ok("GET", "/")).contexts, []);
    },
  );

  await t.step("simultaneous forks of one state are all correct", async () => {
    const box = target.sandbox();
    await box.value("python", "x = list(range(1000))\nlen(x)");
    const copies = Array.from({ length: count(12, 100) }, () => target.sandbox());
    const waiting = copies.entries();
    await Promise.all(Array.from({ length: 8 }, async () => {
      for (const [n, copy] of waiting) {
        await box.ok("POST", "/fork", { to: copy.id }, { status: 201 });
        assertEquals(await copy.value("python", `x.append(${n})\n[len(x), x[-1]]`), [1001, n]);
      }
    }));
    assertEquals(await box.value("python", "len(x)"), "1000");
  });
});

Deno.test("checkpoints", async (t) => {
  await using target = sandboxTarget();

  await t.step(
    "restore puts contexts, files, variables and counts back, again and again",
    async () => {
      const box = target.sandbox();
      const kept = await box.context("python");
      const gone = await box.context("perl");
      await box.value("python", "x = 1\nx", { contextId: kept.id });
      await box.value("perl", "our $x = 1; $x", { contextId: gone.id });
      await write(box, "dir/one.txt", "one");
      await write(box, "two.txt", "two");
      await box.ok("POST", "/env", { envVars: { NAME: "Ada" } });
      const id = await checkpoint(box, "start");
      const before = await box.ok("GET", "/");
      for (let round = 0; round < 3; round++) {
        await box.value("python", "x += 1\nx", { contextId: kept.id });
        await box.value("python", "x += 1\nx", { contextId: kept.id });
        await box.ok("DELETE", `/contexts/${gone.id}`);
        await box.context("javascript");
        await box.ok("POST", "/files", { op: "delete", path: "dir", recursive: true });
        await write(box, "two.txt", "changed");
        await write(box, "three.txt", "three");
        await box.ok("POST", "/env", { envVars: { NAME: "Bob", MORE: "1" } });
        assertEquals(await box.ok("POST", `/checkpoints/${id}/restore`), { success: true });
        const after = await box.ok("GET", "/");
        assertEquals([after.contexts, after.workspace, after.envVars], [
          before.contexts,
          before.workspace,
          before.envVars,
        ]);
        assertEquals([await read(box, "dir/one.txt"), await read(box, "two.txt")], ["one", "two"]);
        const { exists } = await box.ok("POST", "/files", { op: "exists", path: "three.txt" });
        assertEquals(exists, false);
        const run = await box.run("python", "import os\n[x, os.environ['NAME']]", {
          contextId: kept.id,
        });
        assertEquals([run.results[0]?.json, run.executionCount], [[1, "Ada"], 2]);
        assertEquals(await box.value("perl", "$x", { contextId: gone.id }), "1");
        await box.ok("POST", `/checkpoints/${id}/restore`);
        assertEquals(await executionsOf(box), [1, 1]);
      }
      await box.ok("DELETE", `/checkpoints/${id}`);
      assertEquals(await box.value("python", "x", { contextId: kept.id }), "1");
      await box.fails([404, "CHECKPOINT_NOT_FOUND"], "POST", `/checkpoints/${id}/restore`);
      await box.fails([404, "CHECKPOINT_NOT_FOUND"], "DELETE", `/checkpoints/${id}`);
    },
  );

  await t.step("a run under way is ended with 409", async () => {
    const box = target.sandbox();
    await box.value("python", "x = 1\nx");
    const id = await checkpoint(box);
    const running = box.send("POST", "/execute", { code: "while True: x += 1" });
    await new Promise((done) => setTimeout(done, 300));
    await box.ok("POST", `/checkpoints/${id}/restore`);
    const answer = await running;
    await answer.body?.cancel();
    assertEquals(answer.status, 409);
    assertEquals(await box.value("python", "x"), "1");
  });

  await t.step("a sandbox has at most 16 checkpoints, listed oldest first", async () => {
    const box = target.sandbox();
    const ids: string[] = [];
    for (let n = 0; n < 16; n++) ids.push(await checkpoint(box, `n${n}`));
    await box.fails([409, "CONFLICT"], "POST", "/checkpoints", {});
    const { checkpoints } = await box.ok("GET", "/checkpoints");
    assert(Array.isArray(checkpoints));
    assertEquals(checkpoints.map((each) => each.id).toSorted(), ids.toSorted());
    await box.ok("DELETE", `/checkpoints/${ids[3]}`);
    await checkpoint(box);
    for (const name of [1, "", "x".repeat(129)]) {
      await box.fails([400, "VALIDATION_FAILED"], "POST", "/checkpoints", { name });
    }
  });
});
