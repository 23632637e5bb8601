import { assert, assertEquals, assertLess, assertMatch } from "@std/assert";
import { openStore } from "../../../store/open.ts";
import { withFile } from "../../store/fixture.ts";
import { atWork } from "../../support/process.ts";
import {
  assertNothingOrphaned,
  refusalOf,
  send,
  startHost,
  TestContext,
  valueOf,
} from "./test_host.ts";
import { jsonPost } from "../../support/json_post.ts";

const STORIES = {
  javascript: {
    define: "let a = 1; const add = (n) => a += n; a",
    go: "add(1)",
    write:
      "require('fs').mkdirSync('d'); require('fs').writeFileSync('d/t', 'text'); process.chdir('d'); 0",
    read: "require('fs').readFileSync('t', 'utf8').length",
    loop: "a = 100; require('fs').writeFileSync('gone', ''); process.chdir('..'); for (;;);",
    fail: "a += 10; throw new TypeError('x')",
    failure: "TypeError: x",
    noise:
      "a = 100; let noise = []; for (let i = 0; i < 9; i++) noise.push(require('crypto').randomBytes(4e6)); 1",
  },
  python: {
    define: "a = 1\ndef add(n):\n  global a\n  a += n\n  return a\na",
    go: "add(1)",
    write: "import os\nos.mkdir('d')\nopen('d/t', 'w').write('text')\nos.chdir('d')\n0",
    read: "len(open('t').read())",
    loop: "a = 100\nopen('gone', 'w').close()\nos.chdir('..')\nwhile True: pass",
    fail: "a += 10\nraise TypeError('x')",
    failure: "TypeError: x",
    noise: "a = 100\nnoise = os.urandom(36_000_000)\n1",
  },
  perl: {
    define: "my $a1 = 1; sub add { $a1 += shift } $a1",
    go: "add(1)",
    write: "mkdir 'd'; open my $f, '>', 'd/t'; print $f 'text'; close $f; chdir 'd'; 0",
    read: "open my $g, '<', 't'; length <$g>",
    loop: "$a1 = 100; open my $h, '>', 'gone'; chdir '..'; while (1) {}",
    fail: '$a1 += 10; die "x\\n"',
    failure: "Error: x",
  },
} as const;

for (const language of ["javascript", "python", "perl"] as const) {
  const story = STORIES[language];
  Deno.test(`context runs of ${language}: the story of a context, resident and restored`, async (t) => {
    await withFile(async (store) => {
      await using host = await startHost(language, { store, limits: { fuel: 1_000_000_000 } });
      await using elsewhere = await startHost(language, { store });
      const context = await TestContext.create(host);
      await t.step("the next run finds the state of a run", async () => {
        const first = await context.run(story.define);
        assertEquals([valueOf(first), first.executionCount], ["1", 1]);
        assertEquals(await context.value(story.go), "2");
        assertEquals(await context.value(story.go), "3");
        await assertNothingOrphaned([context]);
      });
      await t.step("a resident and a restored state continue in the same way", async () => {
        const restored = context.on(elsewhere);
        const [here, there] = [await context.call(story.go), await restored.call(story.go)];
        assert(here.ok && there.ok);
        assertEquals([valueOf(here.result), valueOf(there.result)], ["4", "4"]);
        // the second snapshot has replaced the first: both were based on the same one
        restored.commit(there.result);
        assertEquals(await restored.value(story.go), "5");
        context.reference = restored.reference;
        await assertNothingOrphaned([context]);
      });
      await t.step("files and the working directory are kept", async () => {
        const { context: after, workspace } = await context.run(story.write);
        assertEquals(after.cwd, "/workspace/d");
        assertEquals(workspace.dirs, ["/workspace/d"]);
        assertEquals(workspace.files.map(({ path }) => path), ["/workspace/d/t"]);
        assertEquals(await context.value(story.read), "4");
        assertEquals(context.asked, []);
        const restored = context.on(elsewhere);
        assertEquals(await restored.value(story.read), "4");
        assertEquals(restored.asked, [["/workspace/d/t"]]);
        Object.assign(context, { reference: restored.reference });
      });
      await t.step("a guest's exception keeps what was done before", async () => {
        const failed = await context.run(story.fail);
        assertEquals([valueOf(failed), failed.context.rolledBack], [story.failure, undefined]);
        assertEquals(await context.value(story.go), "16");
      });
      await t.step("a limit rolls all of it back, and is named", async () => {
        const { reference } = context;
        const before = await context.run(story.go);
        const stopped = await context.run(story.loop);
        assertEquals(stopped.error?.name, "ExecutionLimitError");
        assertMatch(stopped.error?.message ?? "", /^Fuel limit reached: 1000000000 units/);
        assertEquals([stopped.context.rolledBack, stopped.context.cwd], [true, "/workspace/d"]);
        assertEquals(stopped.executionCount, before.executionCount + 1);
        assertEquals(stopped.workspace, { dirs: ["/workspace/d"], files: [], deleted: [] });
        assertEquals(stopped.snapshotRef === before.snapshotRef, true);
        assertEquals("snapshotMs" in stopped.context, false);
        assert(reference !== context.reference);
        assertEquals(await context.value(story.go), "18");
        assertEquals(await context.value(story.read), "4");
        await assertNothingOrphaned([context]);
      });
      await t.step("deleting it leaves nothing", async () => {
        await send(host, "DELETE", `/interpreters/${context.key}/contexts/${context.id}`);
        await assertNothingOrphaned([await TestContext.create(host)]);
      });
      assertEquals([host.logged, elsewhere.logged], [[], []]);
    });
  });
}

Deno.test("context runs: a state that is too large is a limit, and is rolled back", async () => {
  for (const language of ["javascript", "python"] as const) {
    await using host = await startHost(language);
    const context = await TestContext.create(host);
    await context.run(STORIES[language].define);
    if (language === "python") await context.run("import os");
    const over = await context.run(STORIES[language].noise);
    assertEquals(over.error?.name, "ExecutionLimitError");
    assertEquals(over.error?.message, `Snapshot limit reached: ${32 * 1024 * 1024} bytes`);
    assertEquals([over.context.rolledBack, over.results], [true, []]);
    assertEquals(await context.value(STORIES[language].go), "2");
    await assertNothingOrphaned([context]);
  }
});

Deno.test("context runs: a result that is too long is a limit, and the state is kept", async () => {
  await using host = await startHost("javascript", { limits: { resultBytes: 1_000 } });
  const context = await TestContext.create(host);
  const long = await context.run("let a = 5; 'x'.repeat(2000)");
  assertEquals(long.error?.message, "Result limit reached: 1000 bytes");
  assertEquals(long.context.rolledBack, undefined);
  assertEquals(await context.value("a"), "5");
});

Deno.test("context runs: the wall-clock limit rolls a run back, and its output is kept", async () => {
  await using host = await startHost("javascript", {
    limits: { wallMs: 3_000, fuel: Number.MAX_SAFE_INTEGER },
  });
  const context = await TestContext.create(host);
  await context.run("let a = 1");
  const stopped = await context.run("console.log('before'); a = 100; for (;;);");
  assertEquals(stopped.error?.message, "Wall clock limit reached: 3000 ms");
  assertEquals([stopped.logs.stdout, stopped.context.rolledBack], [["before"], true]);
  assertEquals(host.kills, ["acme"]);
  assertEquals(await context.value("a"), "1");
  await assertNothingOrphaned([context]);
});

Deno.test("context runs: a run that is cancelled changes nothing", async () => {
  await using host = await startHost("javascript", { limits: { fuel: Number.MAX_SAFE_INTEGER } });
  const context = await TestContext.create(host);
  await context.run("let a = 1");
  for (const code of ["a = 100; for (;;);", "a = 100", "a = 100; await new Promise(() => {})"]) {
    const stop = new AbortController();
    const answer = context.call(code, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error("gone")), code.includes("for") ? 100 : 0);
    assertEquals(refusalOf(await answer).slice(0, 2), [409, "CONFLICT"]);
  }
  const before = AbortSignal.abort(new Error("gone"));
  assertEquals(refusalOf(await context.call("a", { signal: before })).slice(0, 2), [
    409,
    "CONFLICT",
  ]);
  assertEquals(await context.value("a"), "1");
  await assertNothingOrphaned([context]);
});

Deno.test("context runs: an isolate that dies is 502, and nothing has changed", async () => {
  await using host = await startHost("javascript", { limits: { fuel: Number.MAX_SAFE_INTEGER } });
  const context = await TestContext.create(host);
  await context.run("let a = 1");
  const isolates = host.isolates();
  assertEquals(isolates.length, 1);
  const running = context.call("a = 100; for (;;);");
  await atWork(isolates);
  for (const pid of isolates) Deno.kill(pid, "SIGKILL");
  assertEquals(refusalOf(await running), [
    502,
    "INTERNAL_ERROR",
    "The runtime could not be called",
  ]);
  assertEquals(await context.value("a"), "1");
  await assertNothingOrphaned([context]);
});

Deno.test("context runs: contexts take turns on one isolate without seeing each other", async () => {
  await using host = await startHost("javascript");
  const contexts = await Promise.all([1, 2, 3].map(() => TestContext.create(host)));
  for (let turn = 0; turn < 3; turn++) {
    for (const [n, context] of contexts.entries()) {
      const value = await context.value(`globalThis.list ??= []; list.push(${n}); list`);
      assertEquals(value, JSON.stringify(Array(turn + 1).fill(n)));
      const stateless = await host.runtime.binding.fetch(
        new Request("https://runtime.internal/execute", jsonPost({ code: "typeof list" })),
      );
      assertEquals((await stateless.json()).results, [{ text: "'undefined'" }]);
    }
  }
  await assertNothingOrphaned(contexts);
});

Deno.test("context runs: a context outlives the process that created it", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/data.sqlite3`;
  try {
    let kept: Pick<TestContext, "key" | "id" | "reference" | "files" | "dirs"> | undefined;
    for (let life = 0; life < 3; life++) {
      const store = await openStore(path);
      try {
        await using host = await startHost("javascript", { store });
        const context = kept === undefined
          ? await TestContext.create(host)
          : Object.assign(new TestContext(host, kept.key, kept.id), { reference: kept.reference });
        const code = life === 0 ? "let lives = 0; ++lives" : "++lives";
        assertEquals(await context.value(code), String(life + 1));
        kept = context;
      } finally {
        store.close();
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("context runs: the reported figures of a snapshot are true", async () => {
  await using host = await startHost("javascript");
  const context = await TestContext.create(host);
  const first = await context.run("let a = 1");
  const { snapshot, snapshotMs } = first.context;
  assert(snapshot !== null && snapshotMs !== undefined && snapshotMs > 0);
  assertEquals(snapshot.bytes, snapshot.pages * 4096);
  assertEquals(snapshot.build, host.runtime.health().build);
  assert(Math.abs(snapshot.takenAt - Date.now()) < 60_000);
  assert(snapshot.storedBytes > 0 && snapshot.pages > 0);
  // one variable in a new context
  assertLess(snapshot.storedBytes, 32 * 1024);
});
