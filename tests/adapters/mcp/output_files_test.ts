// test: long
/** Output that `run_code` cuts: the whole of it is a file of the sandbox. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { TEXT_BYTES } from "../../../adapters/mcp/results.ts";
import { sharedService } from "../../support/shared_service.ts";
import { connectTo, type McpClient, textOf } from "./client.ts";

const FILE = /\/workspace\/\.belljar\/output-\d+(?:-[0-9a-f]{8})?\.txt/;
/** Prints twice as much as a text for a model holds. */
const MUCH = "print('first')\nfor n in range(4_000): print(f'line {n:05}')\nprint('last')";
const MUCH_OUTPUT = [
  "first",
  ...Array.from({ length: 4_000 }, (_, n) => `line ${String(n).padStart(5, "0")}`),
  "last",
  "",
].join("\n");

interface Box {
  readonly sandbox: string;
  readonly client: McpClient;
  readonly run: (code: string, more?: Record<string, unknown>) => Promise<CallToolResult>;
  /** Calls the plain routes of the sandbox. */
  readonly send: (method: string, path: string, body?: unknown) => Promise<Response>;
}

const service = sharedService({ LANGUAGES: "javascript,python" });

/** Gives a test a sandbox of its own. */
async function withBox(test: (box: Box) => Promise<void>): Promise<void> {
  const { url } = service();
  await using client = await connectTo(url);
  const sandbox = crypto.randomUUID();
  await test({
    sandbox,
    client,
    run: (code, more = {}) =>
      client.call("run_code", { language: "python", sandbox, code, ...more }),
    send: (method, path, body) =>
      fetch(`${url}/languages/python/sandboxes/${sandbox}${path}`, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      }),
  });
}

/** The path that a cut text names, and both ends of the output in it. */
function fileIn(result: CallToolResult): string {
  const text = textOf(result);
  assert(new TextEncoder().encode(text).length <= TEXT_BYTES);
  assertStringIncludes(text, "[... cut here: ");
  const [path] = FILE.exec(text) ?? [];
  assert(path !== undefined, text.slice(TEXT_BYTES / 2 - 300, TEXT_BYTES / 2 + 300));
  return path;
}

async function contents({ send }: Box, path: string): Promise<string> {
  const answer = await send("GET", `/files/${encodeURIComponent(path)}`);
  assertEquals(answer.status, 200);
  return await answer.text();
}

async function names({ send }: Box, includeHidden = true): Promise<readonly string[]> {
  const body = { op: "list", path: "/workspace", recursive: true, includeHidden };
  const { files } = await (await send("POST", "/files", body)).json();
  return files.map(({ absolutePath }: { readonly absolutePath: string }) => absolutePath);
}

Deno.test("mcp output: a file holds output that the text cuts, both streams as they came", async () => {
  await withBox(async (box) => {
    const first = await box.run(MUCH);
    assert(textOf(first).startsWith("first\nline 00000\n") && textOf(first).endsWith("\nlast"));
    assertEquals(fileIn(first), "/workspace/.belljar/output-1.txt");
    assertEquals(await contents(box, fileIn(first)), MUCH_OUTPUT);
    const part = await box.client.call("read_file", {
      sandbox: box.sandbox,
      path: fileIn(first),
      limit: 5,
    });
    assertEquals(textOf(part), "first");
    const mixed = await box.run(
      "import sys\nfor n in range(2_000):\n  print('out', n, flush=True)\n" +
        "  print('err', n, file=sys.stderr)\nsys.stdout.write('ü end')",
    );
    const lines = Array.from({ length: 2_000 }, (_, n) => `out ${n}\nerr ${n}\n`).join("");
    assertEquals(await contents(box, fileIn(mixed)), `${lines}ü end`);
    assertEquals(await names(box, false), []);
    const listed = await box.client.call("list_files", {
      sandbox: box.sandbox,
      path: ".belljar",
    });
    assertStringIncludes(textOf(listed), "output-1.txt");
    const info = await (await box.send("GET", "")).json();
    assert(
      info.workspace.bytes >= MUCH_OUTPUT.length + lines.length,
      JSON.stringify(info.workspace),
    );
  });
});

Deno.test("mcp output: programs that fail, are stopped or report progress have their file too", async () => {
  await withBox(async (box) => {
    assertEquals(await contents(box, fileIn(await box.run(`${MUCH}\n1/0`))), MUCH_OUTPUT);
    const stopped = await box.run(`${MUCH}\nwhile True: pass`);
    assertStringIncludes(textOf(stopped), "are as before this run");
    assertEquals(await contents(box, fileIn(stopped)), MUCH_OUTPUT);
    const notifications: unknown[] = [];
    const watched = await box.client.call(
      "run_code",
      { language: "python", sandbox: box.sandbox, code: MUCH },
      { onprogress: (progress) => notifications.push(progress) },
    );
    assertEquals(await contents(box, fileIn(watched)), MUCH_OUTPUT);
    assert(notifications.length > 10);
  });
});

Deno.test("mcp output: text that shows all output, and runs without a context, have no file", async () => {
  await withBox(async (box) => {
    await box.run("print('short')");
    await box.run("x = ['y' * 40_000]\nx"); // the value is cut, not the output
    await box.run("print('z' * 6_000)\n'y' * 40_000");
    assertEquals(await names(box), []);
    const stateless = await box.client.call("run_code", { language: "python", code: MUCH });
    assertStringIncludes(textOf(stateless), "Write long output to a file");
    assertEquals(FILE.test(textOf(stateless)), false);
  });
});

Deno.test("mcp output: the last ten files stay, and contexts with as many runs have one each", async () => {
  await withBox(async (box) => {
    const paths: string[] = [];
    for (let run = 0; run < 12; run++) paths.push(fileIn(await box.run(MUCH)));
    assertEquals(new Set(paths).size, 12);
    const present = (await names(box)).filter((path) => FILE.test(path));
    assertEquals(present.toSorted(), paths.slice(-10).toSorted());
    const many = "for (let n = 0; n < 4_000; n++) console.log('other', n)";
    for (let run = 0; run < 11; run++) await box.run("1", { language: "javascript" });
    const other = fileIn(await box.run(many, { language: "javascript" }));
    assert(other.startsWith("/workspace/.belljar/output-12-"), other);
    assertStringIncludes(await contents(box, other), "other 3999");
    assertEquals(await contents(box, paths[11] ?? ""), MUCH_OUTPUT);
  });
});

/** Obstacles that a program can make, and the error code that the text then names. */
const OBSTACLES: readonly (readonly [name: string, code: string, refusal: string])[] = [
  ["a file in place of the directory", "open('/workspace/.belljar', 'w').close()", "NOT_DIRECTORY"],
  [
    "a directory in place of the file",
    "import os\nos.makedirs('/workspace/.belljar/output-1.txt')",
    "IS_DIRECTORY",
  ],
  [
    "a full workspace",
    "for n in range(4): open(f'/workspace/{n}', 'wb').write(bytes(4 * 1024 * 1024 - 10))",
    "NO_SPACE",
  ],
];

for (const [name, code, refusal] of OBSTACLES) {
  Deno.test(`mcp output: ${name} leaves the run as it is, and its text cut`, async () => {
    await withBox(async (box) => {
      const result = await box.run(`${code}\n${MUCH}\nnumber = 42`);
      assertEquals(result.isError, undefined);
      assert(textOf(result).endsWith("\nlast"));
      assertStringIncludes(textOf(result), `The whole output could not be stored (${refusal})`);
      assertEquals(textOf(await box.run("number")), "[result]\n42");
    });
  });
}
