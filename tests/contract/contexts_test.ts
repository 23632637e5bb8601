import { assert, assertEquals, assertGreater, assertMatch, assertNotEquals } from "@std/assert";
import {
  CONTEXT_LANGUAGES,
  sandboxTarget,
  shareService,
  type TargetSandbox,
} from "./sandbox_target.ts";

shareService();

const INVALID = [400, "VALIDATION_FAILED"] as const;
const TOO_LARGE = [413, "VALIDATION_FAILED"] as const;
const GONE = [404, "CONTEXT_NOT_FOUND"] as const;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const BAD_CWD = "cwd must be an existing directory under /workspace";

/** Sets a variable, adds to it, loops for ever after changing it, and so on, in each language. */
const WORDS = {
  javascript: {
    set: "var v = 1; v",
    up: "v += 1; v",
    fail: "v += 1; throw new TypeError('no')",
    long: "v += 1; 'x'.repeat(300000)",
    loop: "v = 100; require('fs').writeFileSync('left.txt', ''); while (true) {}",
    error: "TypeError",
    chdir: "require('fs').mkdirSync('d'); process.chdir('d'); 1",
    cwd: "process.cwd()",
    rmdir: "require('fs').rmdirSync('/workspace/d'); 1",
    env: (name: string) => `process.env[${JSON.stringify(name)}] ?? 'none'`,
    setEnv: "process.env.MADE = 'x'; 1",
  },
  python: {
    set: "v = 1\nv",
    up: "v += 1\nv",
    fail: "v += 1\nraise TypeError('no')",
    long: "v += 1\n'x' * 300000",
    loop: "v = 100\nopen('left.txt', 'w').close()\nwhile True: pass",
    error: "TypeError",
    chdir: "import os\nos.mkdir('d')\nos.chdir('d')\n1",
    cwd: "os.getcwd()",
    rmdir: "os.rmdir('/workspace/d')\n1",
    env: (name: string) => `import os\nos.environ.get(${JSON.stringify(name)}, 'none')`,
    setEnv: "import os\nos.environ['MADE'] = 'x'\n1",
  },
  perl: {
    set: "my $v = 1; $v",
    up: "$v += 1; $v",
    fail: '$v += 1; die "no\\n"',
    long: "$v += 1; 'x' x 300000",
    loop: "$v = 100; open my $f, '>', 'left.txt'; close $f; 1 while 1",
    error: "Error",
    chdir: "mkdir 'd'; chdir 'd'; 1",
    cwd: "use Cwd; getcwd()",
    rmdir: "rmdir '/workspace/d'; 1",
    env: (name: string) => `$ENV{'${name}'} // 'none'`,
    setEnv: "$ENV{MADE} = 'x'; 1",
  },
} as const;

const bare = (value: unknown) => String(value).replaceAll("'", "");

Deno.test("contract of contexts", async (t) => {
  await using target = sandboxTarget();
  const step = (name: string, body: (box: TargetSandbox) => Promise<void>) =>
    t.step(name, () => body(target.sandbox()));

  await step(
    "created with 201 and six fields, listed the same, the path decides the binding",
    async (box) => {
      const made = await Promise.all([
        box.context("javascript"),
        box.context("python", { binding: "RUBY" }),
        box.context("perl", { binding: 7, cwd: "/workspace/./" }),
      ]);
      for (const context of made) {
        const fields = ["id", "binding", "language", "cwd", "createdAt", "lastUsed"];
        assertEquals(Object.keys(context), fields);
        assertMatch(String(context.createdAt), ISO);
        assertMatch(String(context.lastUsed), ISO);
        assertEquals(context.cwd, "/workspace");
      }
      assertEquals(made.map(({ language }) => language), [...CONTEXT_LANGUAGES]);
      assertEquals(made.map(({ binding }) => binding), ["JAVASCRIPT", "PYTHON", "PERL"]);
      const byId = (left: { readonly id: string }, right: { readonly id: string }) =>
        left.id < right.id ? -1 : 1;
      assertEquals([...await box.contexts()].sort(byId), made.sort(byId));
    },
  );

  await step("creation refuses bad fields with a reason", async (box) => {
    const refused = async (body: unknown, language: "python" | "ruby" = "python") =>
      (await box.fails(INVALID, "POST", "/contexts", body, language)).message;
    assertEquals(
      await refused({}, "ruby"),
      "Code contexts are not supported by binding 'RUBY' (ruby)",
    );
    await box.file("write", "file", { content: "" });
    for (const cwd of ["none", "file", "/", "/etc", "..", "/workspace/../etc"]) {
      assertEquals(await refused({ cwd }), BAD_CWD);
    }
    assertMatch(await refused({ cwd: 1 }), /^cwd must be a string/);
    assertMatch(await refused({ envVars: [] }), /envVars/);
    assertMatch(await refused({ envVars: { "A-B": "" } }), /'A-B'/);
    assertMatch(await refused({ envVars: { N: 1 } }), /'N'/);
    const large = { envVars: { LARGE: "é".repeat(16 * 1024) } };
    await box.fails(TOO_LARGE, "POST", "/contexts", large);
    assertEquals(await box.contexts(), []);
  });

  await step(
    "the ninth context over all languages is refused, also as a default one",
    async (box) => {
      for (let n = 0; n < 8; n++) await box.context(n % 2 === 0 ? "python" : "perl");
      const { message } = await box.fails(INVALID, "POST", "/contexts", {}, "javascript");
      assertMatch(message, /8/);
      await box.fails(INVALID, "POST", "/execute", { code: "1" }, "javascript");
      assertEquals((await box.run("python", "1")).executionCount, 1);
      const [first] = await box.contexts();
      await box.ok("DELETE", `/contexts/${first?.id}`);
      assertEquals((await box.run("javascript", "1")).executionCount, 1);
    },
  );

  await step(
    "a context is deleted through any language; unknown ids are 404 everywhere",
    async (box) => {
      const { id } = await box.context("perl");
      assertEquals(await box.ok("DELETE", `/contexts/${id}`), { success: true });
      assertEquals((await box.fails(GONE, "DELETE", `/contexts/${id}`)).context, { contextId: id });
      const run = { code: "1", contextId: id };
      assertEquals((await box.fails(GONE, "POST", "/execute", run)).context, { contextId: id });
      await box.fails(GONE, "DELETE", "/contexts/__proto__");
      assertEquals(await box.contexts(), []);
    },
  );

  await step("the default context is the oldest of its binding, or a new one", async (box) => {
    await box.context("perl");
    const oldest = await box.context("python");
    const younger = await box.context("python");
    assertEquals((await box.run("python", "x = 1")).context?.id, oldest.id);
    await box.ok("DELETE", `/contexts/${oldest.id}`);
    assertEquals((await box.run("python", "'x' in globals()")).results, [{ text: "False" }]);
    assertEquals((await box.run("python", "1")).context?.id, younger.id);
    const made = await box.run("javascript", "1");
    assertEquals(
      (await box.contexts()).find(({ id }) => id === made.context?.id)?.cwd,
      "/workspace",
    );
    assertEquals((await box.contexts()).length, 3);
  });

  await step("many simultaneous first runs create one default context", async (box) => {
    const runs = await Promise.all(
      Array.from(
        { length: 12 },
        () => box.run("javascript", "globalThis.n = (globalThis.n ?? 0) + 1"),
      ),
    );
    assertEquals(new Set(runs.map(({ context }) => context?.id)).size, 1);
    const numbers = Array.from({ length: 12 }, (_, n) => n + 1);
    const sorted = (values: readonly (number | undefined)[]) =>
      values.map(Number).sort((a, b) => a - b);
    assertEquals(sorted(runs.map(({ executionCount }) => executionCount)), numbers);
    assertEquals(sorted(runs.map(({ results }) => Number(results[0]?.text))), numbers);
  });

  await step(
    "a run's answer has what the contract lists and nothing of the inside",
    async (box) => {
      const result = await box.run("python", "print('a')\n1");
      assertEquals(Object.keys(result).sort(), [
        ...["code", "context", "durationMs", "engine", "executionCount", "language", "logs"],
        ...["results", "usage"],
      ]);
      const { context } = result;
      const fields = Object.keys(context ?? {}).filter((name) => name !== "expiresAt").sort();
      assertEquals(fields, ["cwd", "executions", "id", "snapshotMs"]);
      assertGreater(context?.snapshotMs ?? 0, 0);
      assertEquals([result.executionCount, context?.executions, result.language], [1, 1, "python"]);
    },
  );

  await step("bodies of runs that are refused", async (box) => {
    const refused = async (body: unknown) =>
      (await box.fails(INVALID, "POST", "/execute", body)).message;
    assertMatch(await refused({ code: "1", input: "" }), /input/);
    assertMatch(await refused({ code: "1", cwd: "/workspace" }), /cwd/);
    assertMatch(await refused({ code: "" }), /code/);
    assertMatch(await refused({}), /code/);
    assertMatch(await refused({ code: "1", contextId: 5 }), /contextId/);
    assertMatch(await refused({ code: "1", envVars: { "1A": "x" } }), /'1A'/);
    await box.fails(TOO_LARGE, "POST", "/execute", { code: "#".repeat(64 * 1024 + 1) });
    assertEquals(await box.contexts(), []);
  });

  await step("a context id takes precedence over the language of the path", async (box) => {
    const { id } = await box.context("perl");
    const result = await box.run("python", "my $x = 'perl'; $x", { contextId: id });
    assertEquals([result.language, result.results], ["perl", [{ text: "perl" }]]);
  });

  await step("Ruby runs statelessly: no context, no workspace of the sandbox", async (box) => {
    await box.ok("POST", "/env", { envVars: { A: "sandbox", B: "sandbox" } });
    await box.file("write", "f.txt", { content: "" });
    const code = "$x = ($x || 0) + 1; [ENV['A'], ENV['B'], $x, File.exist?('f.txt')]";
    const ruby = () => box.run("ruby", code, { envVars: { B: "call" } });
    for (const result of [await ruby(), await ruby()]) {
      assertEquals(result.results, [{ json: ["sandbox", "call", 1, false] }]);
      assert(!("context" in result) && !("executionCount" in result));
    }
    assertEquals(await box.contexts(), []);
  });

  for (const language of CONTEXT_LANGUAGES) {
    const words = WORDS[language];

    await step(
      `${language}: state after success, exception, result limit and other limits`,
      async (box) => {
        const value = async (code: string) => Number(await box.value(language, code));
        assertEquals(await value(words.set), 1);
        const failed = await box.run(language, words.fail);
        assertEquals([failed.error?.name, failed.results, failed.executionCount], [
          words.error,
          [],
          2,
        ]);
        assertEquals(await value(words.up), 3);
        const long = await box.run(language, words.long);
        assertEquals([long.error?.name, long.results], ["ExecutionLimitError", []]);
        assertEquals(long.context?.rolledBack, undefined);
        const looped = await box.run(language, words.loop);
        assertEquals(looped.error?.name, "ExecutionLimitError");
        assertEquals([looped.context?.rolledBack, looped.context?.executions], [true, 5]);
        assertEquals((await box.file("exists", "left.txt"))["exists"], false);
        assertEquals(await value(words.up), 5);
        const [context] = await box.contexts();
        assertEquals((await box.run(language, words.up)).executionCount, 7);
        assertNotEquals(context?.lastUsed, context?.createdAt);
      },
    );

    await step(`${language}: the working directory`, async (box) => {
      assertEquals((await box.run(language, words.chdir)).context?.cwd, "/workspace/d");
      assertEquals(bare(await box.value(language, words.cwd)), "/workspace/d");
      assertEquals((await box.contexts())[0]?.cwd, "/workspace/d");
      await box.file("delete", "d", { recursive: true });
      assertEquals(bare(await box.value(language, words.cwd)), "/workspace");
      await box.file("mkdir", "e/f", { recursive: true });
      const { id, cwd } = await box.context(language, { cwd: "e/./f/../f" });
      assertEquals(cwd, "/workspace/e/f");
      const there = await box.value(
        language,
        `${language === "python" ? "import os\n" : ""}${words.cwd}`,
        {
          contextId: id,
        },
      );
      assertEquals(bare(there), "/workspace/e/f");
      const left = await box.run(language, words.chdir.replaceAll("'d'", "'/workspace/d'"));
      assertEquals(left.context?.cwd, "/workspace/d");
      assertEquals((await box.run(language, words.rmdir)).context?.cwd, "/workspace");
    });

    await step(`${language}: variables of the sandbox, the context and the call`, async (box) => {
      const env = { ALL: "sandbox", TWO: "sandbox", ONE: "sandbox", __proto: "p" };
      await box.ok("POST", "/env", { envVars: env });
      const own = { ALL: "context", TWO: "context", OWN: "context" };
      const { id } = await box.context(language, { envVars: own });
      const read = async (name: string, envVars: Record<string, string | null> = {}) =>
        bare(await box.value(language, words.env(name), { contextId: id, envVars }));
      assertEquals(await read("ALL", { ALL: "call" }), "call");
      assertEquals(await read("ALL"), "context");
      assertEquals(await read("ONE"), "sandbox");
      assertEquals(await read("OWN", { OWN: null }), "none");
      assertEquals(await read("ONE", { ONE: null }), "none");
      assertEquals(await read("OWN"), "context");
      assertEquals(await read("__proto"), "p");
      assertEquals(await read("ALL", { ALL: "" }), "");
      await box.ok("POST", "/env", { envVars: { ONE: null, TWO: null } });
      assertEquals([await read("ONE"), await read("TWO")], ["none", "context"]);
      await box.run(language, words.setEnv, { contextId: id });
      assertEquals(await read("MADE"), "none");
    });
  }

  await step("names of objects are ordinary names of variables", async (box) => {
    const body = '{"envVars":{"__proto__":"a","constructor":"b","toString":"c"}}';
    const response = await target.call(`/languages/python/sandboxes/${box.id}/env`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    assertEquals([response.status, await response.json()], [200, { success: true }]);
    const code = "import os\n[os.environ[n] for n in ('__proto__', 'constructor', 'toString')]";
    assertEquals(await box.value("python", code), ["a", "b", "c"]);
    const { envVars } = await box.ok("GET", "");
    assertEquals(envVars, ["__proto__", "constructor", "toString"]);
  });

  await step("refused variables change nothing", async (box) => {
    for (const envVars of [{ "A B": "x" }, { A: 1 }, { A: "\0" }, { "": "x" }, [], null, "x"]) {
      await box.fails(INVALID, "POST", "/env", { envVars });
    }
    await box.fails(INVALID, "POST", "/env", {});
    await box.fails(TOO_LARGE, "POST", "/env", { envVars: { A: "x".repeat(32 * 1024) } });
    await box.ok("POST", "/env", { envVars: { A: "x".repeat(20 * 1024) } });
    await box.fails(TOO_LARGE, "POST", "/env", { envVars: { B: "x".repeat(20 * 1024) } });
    assertEquals((await box.ok("GET", ""))["envVars"], ["A"]);
  });
});
