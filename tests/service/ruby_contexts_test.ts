// test: long
/**
 * Ruby with `RUBY_CONTEXTS=1`: it has contexts as the other languages have, seen from outside. And
 * without: each run is stateless, and requests for contexts are refused.
 */
import { assert, assertEquals, assertGreater, assertLess, assertNotEquals } from "@std/assert";
import { TargetSandbox } from "../contract/sandbox_target.ts";
import { callJson } from "../support/program.ts";
import { startService } from "../support/service.ts";

const WITH = { ISOLATES: "1", LANGUAGES: "ruby,python", RUBY_CONTEXTS: "1" };
const INVALID = [400, "VALIDATION_FAILED"] as const;
const SLEEP_MS = 9_000;

function sandboxAt(url: string): TargetSandbox {
  return new TargetSandbox((path, init) => fetch(url + path, init), crypto.randomUUID());
}

async function listedAt(url: string) {
  const { languages } = await (await fetch(`${url}/languages`)).json();
  assert(Array.isArray(languages));
  const { contexts, capabilities } = languages.find(({ id }) => id === "ruby");
  return [contexts, capabilities];
}

Deno.test("ruby contexts, switched on", async (t) => {
  await using service = await startService(WITH);
  const { url } = service;
  const step = (name: string, body: (box: TargetSandbox) => Promise<void>) =>
    t.step(name, async () => {
      const box = sandboxAt(url);
      await body(box);
      await box.delete();
    });
  const value = (box: TargetSandbox, code: string, fields = {}) => box.value("ruby", code, fields);

  await step(
    "the listing shows contexts, and they are created, listed and deleted",
    async (box) => {
      assertEquals(await listedAt(url), [true, ["stateless", "env", "contexts"]]);
      const { id, ...made } = await box.context("ruby");
      assertEquals([made.binding, made.language, made.cwd], ["RUBY", "ruby", "/workspace"]);
      assertEquals((await box.contexts()).map((context) => context.id), [id]);
      await box.ok("DELETE", `/contexts/${id}`);
      assertEquals(await box.contexts(), []);
    },
  );

  await step("a run has the own form of its value only if it asks for it", async (box) => {
    const entry = async (code: string, fields = {}) =>
      (await box.run("ruby", code, fields)).results[0];
    const json = [true, null];
    const repr = "[true, nil]";
    assertEquals(await entry("a = [true, nil]", { repr: true }), { json, repr });
    for (const exit of ["exit 0", "exit! 0"]) {
      assertEquals(await entry(exit, { repr: true }), undefined);
      assertEquals(await entry("a"), { json });
    }
    assertEquals(await entry("a", { repr: true }), { json, repr });
  });

  await step(
    "locals, methods and globals stay in a context; a stateless run has none",
    async (box) => {
      assertEquals(await value(box, "x = 1; $g = [1]; def up(n) = n + 1; x"), "1");
      assertEquals(await value(box, "x = up(x); $g << x; [x, $g]"), [2, [1, 2]]);
      const failed = await box.run("ruby", "x = 10\nraise 'late'");
      assertEquals([failed.error?.message, failed.error?.lineNumber], ["late", 2]);
      assertEquals([failed.context?.rolledBack, failed.executionCount], [undefined, 3]);
      const stopped = await box.run("ruby", "x = 100; loop {}", { limits: { fuel: 100_000_000 } });
      assertEquals([stopped.context?.rolledBack, stopped.executionCount], [true, 4]);
      assertEquals(await value(box, "x"), "10");
      const { body } = await callJson(`${url}/execute/ruby`, { code: "defined?(x).inspect" });
      assertEquals(body["results"], [{ text: '"nil"' }]);
    },
  );

  await step(
    "forks share memory, suspended enumerators too, and a checkpoint brings it back",
    async (box) => {
      const { id } = await box.context("ruby");
      const show = "[$a.sum, $g.next]";
      await value(box, "$a = [1]; $g = Enumerator.new { |y| 9.times { |n| y << n } }; $g.next", {
        contextId: id,
      });
      const made = await box.ok("POST", `/contexts/${id}/fork`, {}, {
        language: "ruby",
        status: 201,
      });
      const fork = { contextId: String(made.id) };
      const { id: checkpoint } = await box.ok("POST", "/checkpoints", {}, { status: 201 });
      assertEquals(await value(box, `$a << 10; ${show}`, fork), [11, 1]);
      assertEquals(await value(box, show, { contextId: id }), [1, 1]);
      await box.ok("POST", `/checkpoints/${checkpoint}/restore`);
      assertEquals(await value(box, show, fork), [1, 1]);
      assertEquals(await value(box, show, { contextId: id }), [1, 1]);
    },
  );

  await step("the line of an error is one of its own program", async (box) => {
    await value(box, "def deep\n\n\n  raise 'in'\nend\nblock = -> {\n\n\n raise 'block' }\n1");
    for (const call of ["deep", "block.()"]) {
      const { error } = await box.run("ruby", `${"\n".repeat(9)}${call}`);
      assertEquals(error?.lineNumber, 10);
      assertEquals(error?.traceback.at(-1), "main.rb:10:in '<main>'");
    }
  });

  await step("files, directory and variables are those of the sandbox", async (box) => {
    await box.ok("POST", "/env", { envVars: { WHO: "me" } });
    await box.file("write", "in.txt", { content: "text" });
    await value(
      box,
      "Dir.mkdir('d'); Dir.chdir('d'); File.write('out.txt', ENV['WHO']); ENV['X'] = 'x'",
    );
    assertEquals((await box.file("read", "d/out.txt"))["content"], "me");
    assertEquals(await value(box, "[Dir.pwd, File.read('../in.txt'), ENV['X']]"), [
      "/workspace/d",
      "text",
      null,
    ]);
    assertEquals(await box.value("python", "open('d/out.txt').read()"), "'me'");
  });

  await step("clocks never go back, sleeps move them; random numbers are fresh", async (box) => {
    const code =
      "[Time.now.to_f * 1000, Process.clock_gettime(Process::CLOCK_MONOTONIC) * 1000, rand]";
    const look = async () => await value(box, code) as [number, number, number];
    const before = await look();
    const slept = await box.run("ruby", `srand(7); sleep ${SLEEP_MS / 1000}; 1`);
    assertLess(slept.durationMs, SLEEP_MS);
    await sandboxAt(url).value("ruby", "1"); // takes the isolate's memory
    const after = await look();
    assertGreater(after[0], before[0] + SLEEP_MS - 1);
    assertGreater(after[1], before[1] + SLEEP_MS - 1);
    assertNotEquals(after[2], before[2]);
    assertNotEquals((await look())[2], after[2]);
  });

  await step("standard input and displays, and what is done at the end", async (box) => {
    await value(box, "class Table; def to_html = '<b>'; end; at_exit { puts 'end' }; 1");
    const shown = await box.run("ruby", "[gets, $stdin.read].each { |t| puts t }; Table.new", {
      stdin: "a\nb",
    });
    assertEquals(shown.logs.stdout, ["a", "b"]);
    assertEquals(shown.displays, [{ data: { "text/html": "<b>" }, main: true }]);
    assertEquals(await value(box, "gets.inspect"), '"nil"');
  });

  await step("a repeat with a key runs nothing", async (box) => {
    const body = { code: "$n = ($n || 0) + 1" };
    const headers = { "idempotency-key": "k" };
    for (let turn = 0; turn < 2; turn++) {
      const response = await box.send("POST", "/execute", body, "ruby", headers);
      assertEquals((await response.json()).results, [{ text: "1" }]);
    }
    assertEquals(await value(box, "$n"), "1");
  });
});

Deno.test("ruby contexts: contexts continue after a restart, and wait while they are switched off", async () => {
  const folder = await Deno.makeTempDir();
  const env = { ...WITH, KV_PATH: `${folder}/data.sqlite3` };
  const id = crypto.randomUUID();
  const boxAt = (url: string) => new TargetSandbox((path, init) => fetch(url + path, init), id);
  try {
    for (const expected of ["1", "2"]) {
      await using service = await startService(env);
      assertEquals(await boxAt(service.url).value("ruby", "n = (n || 0) + 1"), expected);
    }
    {
      await using service = await startService({ ...env, RUBY_CONTEXTS: "0" });
      const { message } = await boxAt(service.url).fails(INVALID, "POST", "/execute", {
        code: "n",
      }, "ruby");
      assertEquals(message, "Code contexts are not supported for ruby");
    }
    await using service = await startService(env);
    assertEquals(await boxAt(service.url).value("ruby", "n += 1"), "3");
    await boxAt(service.url).delete();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("ruby contexts, not switched on: runs are stateless, and the listing says so", async () => {
  await using service = await startService({ ISOLATES: "1", LANGUAGES: "ruby" });
  const box = sandboxAt(service.url);
  assertEquals(await listedAt(service.url), [false, ["stateless", "env"]]);
  const { message } = await box.fails(INVALID, "POST", "/contexts", {}, "ruby");
  assertEquals(message, "Code contexts are not supported by binding 'RUBY' (ruby)");
  for (let turn = 0; turn < 2; turn++) {
    const result = await box.run("ruby", "$n = ($n || 0) + 1");
    assertEquals([result.results, "context" in result], [[{ text: "1" }], false]);
  }
});
