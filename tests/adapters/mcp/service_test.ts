// test: long
/** The tools of MCP with the official client against a real service. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { CallToolResult, Progress } from "@modelcontextprotocol/client";
import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";
import { runSchema } from "../../../adapters/mcp/run_schemas.ts";
import { type Service, startService } from "../../support/service.ts";
import { connectTo, type McpClient, REVISIONS, textOf } from "./client.ts";
import { jsonPost } from "../../support/json_post.ts";

const LANGUAGES = "javascript,python";

/** Starts a service of its own for a test. */
function started(env: Record<string, string> = {}): Promise<Service> {
  return startService({ LANGUAGES, ...env });
}

/** Runs a program and gives its structured result. */
async function ran(
  client: McpClient,
  args: { readonly [name: string]: unknown },
): Promise<ReturnType<typeof runSchema.parse>> {
  const { structuredContent, content } = await client.call("run_code", args);
  assert(structuredContent !== undefined, JSON.stringify(content));
  return runSchema.parse(structuredContent);
}

function valueOf({ results: [result], error }: ReturnType<typeof runSchema.parse>) {
  return error?.name ?? result?.text ?? result?.json;
}

const NAMES = [
  "answer_run",
  "cancel_run",
  "delete_checkpoint",
  "delete_sandbox",
  "list_files",
  "read_file",
  "restore_checkpoint",
  "run_code",
  "save_checkpoint",
  "write_file",
];

/** Calls with what their first text contains; `true`: it is an error. */
type Call = readonly [tool: string, args: Record<string, unknown>, isError: boolean, text: string];

function calls(sandbox: string): readonly Call[] {
  const python = { language: "python", sandbox };
  return [
    ["run_code", { language: "typescript", code: "const a: number = 6; a * 7" }, false, "42"],
    ["run_code", { language: "js", code: "6 * 7" }, false, "42"],
    ["run_code", { language: "ts", code: "const a: number = 6; a * 7" }, false, "42"],
    ["run_code", { language: "Python3", code: "6 * 7" }, false, "42"],
    ["run_code", { language: "python", code: "[True, None, {1}]" }, false, "[True, None, {1}]"],
    ["run_code", { language: "python", code: "[True, None]" }, false, "[result]\n[True, None]"],
    ["run_code", { language: "js", code: "({ a: ['b'] })" }, false, "[result]\n{ a: [ 'b' ] }"],
    ["run_code", { language: "pyhton", code: "1" }, true, "javascript"],
    ["run_code", { language: "python", code: "input() * 2", stdin: "ab" }, false, "abab"],
    ["run_code", { language: "python", code: "1/0" }, true, "ZeroDivisionError"],
    ["run_code", { language: "cobol", code: "1" }, true, "language"],
    ["run_code", { language: "python", code: "" }, true, "code"],
    ["run_code", { language: "python", code: "1", cntext: "a" }, true, "cntext"],
    ["run_code", { language: "python", code: "1", context: "a" }, true, "sandbox"],
    ["run_code", { language: "python", code: "#".repeat(70_000) }, true, "413"],
    ["run_code", { ...python, code: "open('made ü.txt', 'w').write('x')" }, false, "1"],
    ["run_code", { ...python, code: "1", context: "a\nb" }, true, "context"],
    ["run_code", { ...python, code: "1", sandbox: "a/../b" }, true, "Invalid sandbox id"],
    ["write_file", { sandbox, path: "d/e f.txt", text: "Ä b" }, false, "/workspace/d/e f.txt"],
    ["write_file", { sandbox, path: "bytes", base64: "AP8=" }, false, "/workspace/bytes"],
    ["write_file", { sandbox, path: "x", base64: "?" }, true, "base64"],
    ["write_file", { sandbox, path: "x" }, true, "text"],
    ["write_file", { sandbox, path: "x", text: "a", base64: "" }, true, "either"],
    ["write_file", { sandbox, path: "../x", text: "" }, true, "403"],
    ["write_file", { sandbox, path: "empty", text: "" }, false, "/workspace/empty"],
    ["read_file", { sandbox, path: "d/e f.txt" }, false, "Ä b"],
    ["read_file", { sandbox, path: "/workspace/d/../d/e f.txt", offset: 2 }, false, " b"],
    ["read_file", { sandbox, path: "bytes" }, false, "AP8="],
    ["read_file", { sandbox, path: "empty" }, false, ""],
    ["read_file", { sandbox, path: "bytes", offset: 3 }, true, "416"],
    ["read_file", { sandbox, path: "d" }, true, "IS_DIRECTORY"],
    ["read_file", { sandbox, path: "no?#%2F" }, true, "no?#%2F"],
    ["read_file", { sandbox, path: ".." }, true, "403"],
    ["list_files", { sandbox }, false, "made ü.txt (1 bytes)"],
    ["list_files", { sandbox, path: "d" }, false, "e f.txt (4 bytes)"],
    ["list_files", { sandbox, path: "nothing" }, true, "404"],
    ["save_checkpoint", { sandbox, name: "" }, true, "name"],
    ["save_checkpoint", { sandbox: "a/b" }, true, "400"],
    ["restore_checkpoint", { sandbox, checkpoint: "none/../x" }, true, "none/../x"],
    ["restore_checkpoint", { sandbox }, true, "checkpoint"],
    ["delete_sandbox", { sandbox }, false, sandbox],
    ["delete_sandbox", { sandbox: "" }, true, "sandbox"],
    ["list_files", { sandbox }, false, "0 entries"],
  ];
}

async function everyTool(service: Service): Promise<void> {
  for (const revision of REVISIONS) {
    await using client = await connectTo(service.url, { revision });
    const { tools } = await client.client.listTools();
    assertEquals(tools.map(({ name }) => name).sort(), NAMES);
    const ajv = new Ajv2020({ strict: false });
    const checks = new Map(
      tools.map(({ name, outputSchema }) => {
        assert(outputSchema !== undefined);
        return [name, ajv.compile(JSON.parse(JSON.stringify(outputSchema)))];
      }),
    );
    for (const { annotations } of tools) assertEquals(annotations?.openWorldHint, false);
    for (const [tool, args, isError, text] of calls(`box.${revision}`)) {
      const place = `${revision} ${tool} ${JSON.stringify(args).slice(0, 200)}`;
      const told = await client.call(tool, args);
      assertEquals([place, told.isError ?? false], [place, isError], textOf(told));
      assertStringIncludes(textOf(told), text, place);
      const { structuredContent } = told;
      const check = checks.get(tool);
      if (isError && structuredContent === undefined) continue;
      assert(check?.(structuredContent), `${place}: ${JSON.stringify(check?.errors)}`);
    }
    await assertRejects(() => client.call("no_tool", {}));
  }
}

async function namedContexts(service: Service): Promise<void> {
  await using client = await connectTo(service.url);
  const inContext = (context: string | undefined, code: string, language = "python") =>
    ran(client, {
      language,
      code,
      sandbox: "names",
      ...(context === undefined ? {} : { context }),
    });
  const first = await Promise.all(
    Array.from({ length: 6 }, (_, n) => inContext("mein Ärger", `v${n} = ${n}`)),
  );
  assertEquals(new Set(first.map(({ context }) => context?.id)).size, 1);
  assertEquals(valueOf(await inContext("mein Ärger", "[v0, v1, v2, v3, v4, v5]")), [
    ...Array(6).keys(),
  ]);
  for (const other of [undefined, "mein ärger", "mein Ärger ", "__proto__"]) {
    assertEquals([other, valueOf(await inContext(other, "v0"))], [other, "NameError"]);
  }
  assertEquals(valueOf(await inContext("mein Ärger", "typeof v0", "javascript")), "'undefined'");
  // the plain routes' default context is that of a call without a name
  const answer = await fetch(
    `${service.url}/languages/python/sandboxes/names/execute`,
    jsonPost({ code: "plain = 1" }),
  );
  await answer.body?.cancel();
  assertEquals(valueOf(await inContext(undefined, "plain")), "1");
}

/** A state is kept, changed in memory, files and contexts, and is there again. */
async function goneBackTo(service: Service): Promise<void> {
  await using client = await connectTo(service.url);
  const box = { sandbox: "tried" };
  const python = async (code: string, context?: string) =>
    valueOf(await ran(client, { language: "python", ...box, code, ...context && { context } }));
  await python("a = 1; open('f', 'w').write('before')");
  await python("b = 2", "named");
  const saved = await client.call("save_checkpoint", { ...box, name: "first" });
  const { id: checkpoint } = z.object({ id: z.string() }).parse(saved.structuredContent);
  assertStringIncludes(textOf(saved), checkpoint);
  await python("a = 100; open('f', 'w').write('after')");
  await python("del b", "named");
  const restored = await client.call("restore_checkpoint", { ...box, checkpoint });
  assertEquals(restored.structuredContent, { ...box, checkpoint });
  assertEquals([await python("a"), await python("b", "named")], ["1", "2"]);
  assertEquals(textOf(await client.call("read_file", { ...box, path: "f" })), "before");
  for (const isError of [undefined, true]) {
    const deleted = await client.call("delete_checkpoint", { ...box, checkpoint });
    assertEquals(deleted.isError, isError);
  }
  const unknown = await client.call("restore_checkpoint", { ...box, checkpoint: "none" });
  assertStringIncludes(textOf(unknown), "CHECKPOINT_NOT_FOUND, status 404");
}

async function allKindsOfText(service: Service): Promise<void> {
  await using client = await connectTo(service.url);
  const exact = await client.call("run_code", { language: "python", code: "[10**20 + 1]" });
  assertStringIncludes(textOf(exact), "[100000000000000000001]");
  const hostile = [
    "\u0000",
    "\u2028\u2029\u0085",
    "</script>",
    "../../etc/passwd",
    "\ud800",
    "${1+1}",
    '"}]}',
    "data: x\n\nevent: end",
    "\u{1f388}".repeat(1_000),
  ];
  for (const text of hostile) {
    const code = "import sys; sys.stdin.buffer.read().decode()";
    const told = await ran(client, { language: "python", code, stdin: text });
    assertEquals(typeof valueOf(told), "string");
    for (const tool of ["write_file", "read_file", "list_files", "delete_sandbox"]) {
      const path = tool === "delete_sandbox" ? {} : { path: text };
      const content = tool === "write_file" ? { text } : {};
      assertEquals((await client.call(tool, { sandbox: text, ...path, ...content })).isError, true);
    }
  }
  const progress: Progress[] = [];
  const code = "for n in range(9_999): print(n, 'x' * 88)";
  const long = await client.call("run_code", { language: "python", code }, {
    onprogress: (told) => progress.push(told),
  });
  assert(new TextEncoder().encode(textOf(long)).length <= 16 * 1024);
  assertStringIncludes(textOf(long), "[... cut here: ");
  assertEquals(runSchema.parse(long.structuredContent).logs.stdout.length, 9_999);
  assert(progress.length > 10 && progress.length < 1_000, String(progress.length));
  assertEquals(progress.at(-1)?.progress, 9_999);
}

async function toldLines(service: Service): Promise<void> {
  for (const revision of REVISIONS) {
    await using client = await connectTo(service.url, { revision });
    const messages: unknown[] = [];
    const code = "for n in range(3): print('line', n)";
    await client.call("run_code", { language: "python", code }, {
      onprogress: ({ message }) => messages.push(message),
    });
    assertEquals(messages, ["line 0", "line 1", "line 2"], revision);
  }
}

/** The assertions about one service. */
const HOLDS: Readonly<Record<string, (service: Service) => Promise<void>>> = {
  "a kept state is gone back to": goneBackTo,
  "every tool with good and bad input, in the new and an earlier revision": everyTool,
  "a context is a name, made at its first use, once, and its own for each language": namedContexts,
  "exact digits, strings of all kinds, and long output come through": allKindsOfText,
  "lines are told while the program goes on, in both revisions": toldLines,
};

Deno.test("mcp: against one service", async (test) => {
  await using service = await started();
  for (const [what, holds] of Object.entries(HOLDS)) {
    await test.step(what, () => holds(service));
  }
});

/** Endless: only its limits or its caller end it. */
const ENDLESS = "while True: pass";

Deno.test("mcp: a disconnect ends a running or queued program, and the context is as before", async () => {
  await using service = await started({
    RUNS_PER_TENANT: "1",
    FUEL_PYTHON: "800000000000",
    WALL_MS: "300000",
  });
  for (const revision of REVISIONS) {
    await using client = await connectTo(service.url, { revision });
    const box = { language: "python", sandbox: `left-${revision}` };
    await ran(client, { ...box, code: "kept = 1" });
    const leaving = [box, box, { language: "python" }].map(async (where, n) => {
      await using caller = await connectTo(service.url, { revision });
      const code = `kept = 2\nprint('on')\n${ENDLESS}`;
      const begun = Promise.withResolvers<void>();
      const call = caller.call("run_code", { ...where, code }, {
        onprogress: () => begun.resolve(),
      });
      const gone = assertRejects(() => call);
      // the others wait: for the turn of the context, and for the tenant's only place
      if (n === 0) await begun.promise;
      await new Promise((resolve) => setTimeout(resolve, 300));
      await caller.client.close();
      await gone;
    });
    await Promise.all(leaving);
    const after = await ran(client, { ...box, code: "kept" });
    assertEquals([valueOf(after), after.executionCount], ["1", 2], revision);
  }
});

Deno.test("mcp: fifty calls at once are answered, and a slow reader does not delay others", async () => {
  await using service = await started({ RUNS_PER_TENANT: "1" });
  await using client = await connectTo(service.url);
  const code = "import sys; sys.stdout.write('x' * 1_000_000); 7";
  const params = {
    name: "run_code",
    arguments: { language: "python", code },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": REVISIONS[0],
      "io.modelcontextprotocol/clientInfo": { name: "slow", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  };
  const slow = await fetch(`${service.url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": REVISIONS[0],
      "mcp-method": "tools/call",
      "mcp-name": "run_code",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => {
      if (n % 2 === 0) return ran(client, { language: "python", code: `${n}` }).then(valueOf);
      return client.call("write_file", { sandbox: "many", path: `f${n}`, text: "" }).then(textOf);
    }),
  );
  assertEquals(
    answers,
    Array.from({ length: 50 }, (_, n) => n % 2 === 0 ? `${n}` : `Wrote /workspace/f${n}`),
  );
  const [data] = (await slow.text()).split("\n").filter((line) => line.startsWith("data: "));
  const { result }: { readonly result: CallToolResult } = JSON.parse(data?.slice(6) ?? "");
  assertEquals(runSchema.parse(result.structuredContent).logs.stdout[0]?.length, 1_000_000);
});

Deno.test("mcp: state survives a kill of the service between two calls", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const env = { KV_PATH: `${folder}/kv.sqlite3` };
    const box = { language: "python", sandbox: "lasting", context: "c" };
    for (const [code, value] of [["a = 20\na + 1", "21"], ["a += 5\na", "25"], ["a * 2", "50"]]) {
      await using service = await started(env);
      await using client = await connectTo(service.url);
      assertEquals(valueOf(await ran(client, { ...box, code })), value);
      await service.end("SIGKILL");
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("mcp: tenants have separate sandboxes, and an exceeded quota gives advice", async () => {
  await using service = await started({ TOKENS: "a:alpha,b:beta", MAX_SANDBOXES: "1" });
  await assertRejects(() => connectTo(service.url));
  await assertRejects(() => connectTo(service.url, { token: "gamma" }));
  await using alpha = await connectTo(service.url, { token: "alpha" });
  await using beta = await connectTo(service.url, { token: "beta" });
  const box = { language: "python", sandbox: "same" };
  await ran(alpha, { ...box, code: "open('secret', 'w').write('x'); a = 1" });
  assertEquals(valueOf(await ran(beta, { ...box, code: "a" })), "NameError");
  const read = await beta.call("read_file", { sandbox: "same", path: "secret" });
  assertStringIncludes(textOf(read), "404");
  const second = await alpha.call("write_file", { sandbox: "second", path: "x", text: "" });
  assertEquals(second.isError, true);
  assertStringIncludes(textOf(second), "NO_SPACE, status 507");
  await beta.call("delete_sandbox", { sandbox: "same" });
  assertEquals(valueOf(await ran(alpha, { ...box, code: "a" })), "1");
});
