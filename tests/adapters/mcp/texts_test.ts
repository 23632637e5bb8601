/** The texts of MCP's tools for outputs, files and displays, without a service. */
import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { partOf } from "../../../adapters/mcp/file_part.ts";
import { LineProgress } from "../../../adapters/mcp/line_progress.ts";
import { jsonBytes, MESSAGE_BYTES } from "../../../adapters/mcp/message_size.ts";
import { OutputRecorder } from "../../../adapters/mcp/output_file.ts";
import { packagesText } from "../../../adapters/mcp/packages_text.ts";
import { refusalOf, shortened, TEXT_BYTES } from "../../../adapters/mcp/results.ts";
import { runResult } from "../../../adapters/mcp/run_result.ts";
import { runSchema } from "../../../adapters/mcp/run_schemas.ts";
import { textOf } from "./client.ts";

const BYTES = (text: string) => new TextEncoder().encode(text);

/** The result of a run with some fields of its own. */
function run(fields: { readonly [name: string]: unknown }) {
  return runSchema.parse({
    code: "x",
    language: "python",
    engine: "CPython",
    durationMs: 1,
    logs: { stdout: [], stderr: [] },
    results: [],
    ...fields,
  });
}

Deno.test("mcp text: a text of the maximum length is whole, a longer one loses its middle", () => {
  for (const character of ["a", "ü", "€", "🎈"]) {
    const width = BYTES(character).length;
    const fits = character.repeat(Math.floor(TEXT_BYTES / width));
    assertEquals(shortened(fits), fits);
    for (const more of [1, 2, 3, 1_000_000 / width]) {
      const cut = shortened(`<${fits}${character.repeat(more)}>`);
      assert(BYTES(cut).length <= TEXT_BYTES, String(BYTES(cut).length));
      assert(cut.startsWith("<") && cut.endsWith(">"));
      assertStringIncludes(cut, "[... cut here: ");
      assertFalse(cut.includes("\ufffd"));
    }
  }
});

Deno.test("mcp packages: each language names as many as fit, and the number of the others", () => {
  const named = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `package-${index}`, version: "1.0" }));
  const text = (javascript: number, perl: number) =>
    packagesText(
      ["javascript", "perl", "ruby"],
      new Map([["javascript", named(javascript)], ["perl", named(perl)]]),
    );
  assertEquals(text(0, 0), "");
  assertEquals(
    text(2, 1),
    " Packages for JavaScript: package-0 1.0, package-1 1.0. Packages for Perl: package-0 1.0.",
  );
  const long = text(10_000, 0);
  assert(long.length < 1_100, String(long.length));
  assertMatch(long, /package-0 1\.0, .* and \d+ others\.$/);
});

Deno.test("mcp file part: parts of UTF-8 are text, and together the whole file", () => {
  const file = BYTES("aü€🎈".repeat(40));
  for (const limit of [4, 5, 6, 7, 50, file.length]) {
    let [text, offset] = ["", 0];
    for (let next: number | undefined = 0; next !== undefined;) {
      offset = next;
      const part = partOf(file.slice(offset, offset + limit), { size: file.length, offset });
      assertEquals(part.base64, undefined, `limit ${limit} at ${offset}`);
      text += part.text;
      next = part.nextOffset;
    }
    assertEquals(BYTES(text), file);
  }
});

Deno.test("mcp file part: with any limit, the parts together are the whole file", () => {
  const seed = 18;
  const file = new Uint8Array(300).map((_, at) => (at * 7919 + seed) % 256);
  for (const limit of [1, 2, 3, 16]) {
    const bytes: number[] = [];
    for (let next: number | undefined = 0; next !== undefined;) {
      const part = partOf(file.slice(next, next + limit), { size: file.length, offset: next });
      const { text, base64 } = part;
      bytes.push(...(base64 === undefined ? BYTES(text ?? "") : Uint8Array.fromBase64(base64)));
      next = part.nextOffset;
    }
    assertEquals(bytes, [...file], `limit ${limit}`);
  }
});

Deno.test("mcp run: output, streams, value, error and notes have separate sections", () => {
  const told = runResult(
    run({
      logs: { stdout: ["a", "b"], stderr: ["c"] },
      error: { name: "ValueError", message: "bad", traceback: ["at line 1"] },
      context: { id: "1", cwd: "/workspace", executions: 1, rolledBack: true },
    }),
    { note: "something" },
  );
  assertEquals(told.isError, true);
  assertEquals(
    textOf(told),
    "a\nb\n[stderr]\nc\n[error]\nValueError: bad\nat line 1\n" +
      "[note] Variables and files are as before this run.\n[note] something",
  );
  assertEquals(textOf(runResult(run({ results: [{ json: [1, "x"] }] }))), '[result]\n[1,"x"]');
  assertEquals(textOf(runResult(run({ results: [{ text: "" }] }))), "[no output]");
});

Deno.test("mcp run: images of displays are blocks, and not in the data as well", () => {
  const png = "iVBORw0KGgo=";
  const displays = [
    { data: { "image/png": png, "text/plain": "<Figure>" }, main: true },
    { data: { "text/html": "<b>x</b>", "text/markdown": "**x**" }, metadata: { a: 1 } },
    { data: { "image/svg+xml": "<svg/>" } },
    { data: { "application/vnd.x+json": { n: 1 } } },
  ];
  const { content, structuredContent } = runResult(run({ displays }));
  const resource = (place: number, mimeType: string, text: string) => ({
    type: "resource" as const,
    resource: { uri: `belljar://displays/${place}`, mimeType, text },
  });
  assertEquals(content, [
    {
      type: "text",
      text: "[display]\n**x**\n[display] text/html, 8 B\n[display] image/svg+xml, 6 B\n" +
        "[display] application/vnd.x+json, 7 B",
    },
    { type: "image", data: png, mimeType: "image/png" },
    resource(2, "text/html", "<b>x</b>"),
    resource(3, "image/svg+xml", "<svg/>"),
    resource(4, "application/vnd.x+json", '{"n":1}'),
  ]);
  assertEquals(runSchema.parse(structuredContent).displays, [
    { data: { "text/plain": "<Figure>" }, main: true },
    ...displays.slice(1),
  ]);
});

Deno.test("mcp run: a display without an image is a line with its type and size, and a resource", () => {
  const svg = `<svg>${"ü".repeat(600)}</svg>`;
  const cases: readonly (readonly [unknown, string, unknown])[] = [
    [{ "image/svg+xml": svg, "text/plain": "<S>" }, "image/svg+xml, 1.2 KB", { text: svg }],
    [{ "text/html": "", "text/plain": "" }, "text/html, 0 B", { text: "" }],
    [{ "text/markdown": "**x**", "text/plain": "" }, "text/markdown, 5 B", { text: "**x**" }],
    [{ "application/json": [1] }, "application/json, 3 B", { text: "[1]" }],
    [{ "application/pdf": "AAAA" }, "application/pdf, 3 B", { blob: "AAAA" }],
    [{ "audio/wav": "AAA=" }, "audio/wav, 2 B", { blob: "AAA=" }],
  ];
  for (const [data, line, contents] of cases) {
    const results = [{ text: "<value>" }];
    const made = runResult(run({ results, displays: [{ data, main: true }] }));
    assertEquals(textOf(made), `[display] ${line}\n[result]\n<value>`);
    const [, block] = made.content;
    assert(block?.type === "resource", line);
    const { uri, mimeType, ...rest } = block.resource;
    assertEquals([uri, mimeType], ["belljar://displays/1", line.split(",")[0]]);
    assertEquals(rest, contents);
  }
  const plain = runResult(run({ displays: [{ data: { "text/plain": "a" } }] }));
  assertEquals(plain.content, [{ type: "text", text: "[display]\na" }]);
});

Deno.test("mcp run: a display that has room only once is in the structured content", () => {
  const data = { "image/svg+xml": "x".repeat(600_000) };
  const made = runResult(run({ displays: [{ data }] }));
  assertEquals(
    made.content,
    [{ type: "text", text: "[display] image/svg+xml, 600.0 KB (only in the structured content)" }],
  );
  assertEquals(runSchema.parse(made.structuredContent).displays, [{ data }]);
});

Deno.test("mcp run: an image that is not base64 is no image", () => {
  const hostile = ["", "a", "äbcd", "abc\n", "ab=c", "====", { a: 1 }, 7, null];
  for (const data of hostile) {
    const { content } = runResult(run({ displays: [{ data: { "image/png": data } }] }));
    assertEquals(content.some(({ type }) => type === "image"), false, JSON.stringify(data));
    assertStringIncludes(textOf({ content }), "[display] image/png, ");
  }
});

Deno.test("mcp errors: a refusal contains its code and advice", () => {
  const error = { code: "OVERLOADED", message: "Too many", httpStatus: 503 };
  const busy = refusalOf({ ...error, context: { limit: "wait", retryAfterMs: 1_500 } });
  assertEquals([textOf(busy), busy.isError], [
    "Too many (OVERLOADED, status 503). Try again in 2 s.",
    true,
  ]);
  const full = refusalOf({ ...error, code: "NO_SPACE", httpStatus: 507, context: {} });
  assertStringIncludes(textOf(full), "Delete files or sandboxes");
});

Deno.test("mcp progress: few lines are a message each, ten thousand some hundred", () => {
  const told: [number, string][] = [];
  const progress = new LineProgress((count, message) => {
    told.push([count, message]);
    return Promise.resolve();
  });
  for (let n = 1; n <= 50; n++) progress.line(`line ${n}`);
  progress.end();
  assertEquals(told, Array.from({ length: 50 }, (_, n) => [n + 1, `line ${n + 1}`]));
  for (let n = 51; n <= 10_000; n++) progress.line(`line ${n}`);
  progress.end();
  assert(told.length < 400, String(told.length));
  assertEquals(told.at(-1)?.[0], 10_000);
  assert(told.every(([, message]) => BYTES(message).length <= 4096));
  assert(told.every(([count], at) => at === 0 || count > (told[at - 1]?.[0] ?? 0)));
});

Deno.test("mcp progress: a disconnected caller is no failure", async () => {
  const progress = new LineProgress(() => Promise.reject(new Error("gone")));
  for (let n = 0; n < 200; n++) progress.line("ü".repeat(5_000));
  progress.end();
  await Promise.resolve();
});

Deno.test("mcp run: results with the largest output, displays and values are small enough for clients", () => {
  const mebibyte = 1024 * 1024;
  const image = (bytes: number) => ({ data: { "image/png": "iVBO".repeat(bytes / 4) } });
  const kinds: Readonly<Record<string, { readonly [field: string]: unknown }>> = {
    "one line": { logs: { stdout: ["x".repeat(mebibyte)], stderr: [] } },
    "many lines": { logs: { stdout: Array(9_999).fill("ü".repeat(52)), stderr: [] } },
    "empty lines": { logs: { stdout: Array(1_000_000).fill(""), stderr: [] } },
    "control characters": { logs: { stdout: [], stderr: ["\u0001".repeat(mebibyte)] } },
    "controls in one half": {
      logs: { stdout: ["a".repeat(mebibyte / 2), "\u0001".repeat(mebibyte / 2)], stderr: ["b"] },
    },
    "an image and output": {
      logs: { stdout: ["x".repeat(mebibyte)], stderr: [] },
      displays: [image(400_000)],
    },
    "images": { displays: [image(400_000), image(500_000), image(600_000)] },
    "an image of the longest": { displays: [image(mebibyte - 64)] },
    "a value of an operator's limit": { results: [{ text: "🎈".repeat(mebibyte) }] },
    "a traceback of an operator's limit": {
      error: { name: "E", message: "", traceback: Array(30_000).fill("at some line of some file") },
    },
  };
  for (const [kind, fields] of Object.entries(kinds)) {
    const made = runResult(run(fields));
    assert(jsonBytes(made) <= MESSAGE_BYTES, `${kind}: ${jsonBytes(made)}`);
    const least = kind === "an image of the longest" ? 0 : TEXT_BYTES;
    assert(jsonBytes(made) > least, `${kind}: only ${jsonBytes(made)} bytes are left`);
    assertStringIncludes(JSON.stringify(made), /image/.test(kind) ? "bytes" : "cut here", kind);
    runSchema.parse(made.structuredContent);
  }
  const { content } = runResult(run(kinds["an image and output"] ?? {}));
  assertEquals(content.map(({ type }) => type), ["text", "image"]);
  const dropped = textOf(runResult(run(kinds["an image of the longest"] ?? {})));
  assertStringIncludes(dropped, "are too many for a message");
});

Deno.test("mcp run: output that fits is whole", () => {
  const stdout = Array(9_999).fill("x".repeat(98));
  const { structuredContent } = runResult(run({ logs: { stdout, stderr: [] } }));
  assertEquals(runSchema.parse(structuredContent).logs.stdout, stdout);
});

Deno.test("mcp run: a container is shown in its own form, which the structured content lacks", () => {
  const json = [true, null];
  const cases = [
    { entry: { json }, repr: { repr: "[True, None]" }, shown: "[True, None]" },
    { entry: { json }, repr: {}, shown: "[true,null]" },
    { entry: { text: "plain" }, repr: { repr: "'plain'" }, shown: "plain" },
  ];
  for (const { entry, repr, shown } of cases) {
    const converted = runResult(run({ results: [{ ...entry, ...repr }] }));
    assertEquals(textOf(converted), `[result]\n${shown}`);
    assertEquals(runSchema.parse(converted.structuredContent).results, [entry]);
  }
});

Deno.test("mcp output: start() forgets the output of an earlier beginning of the run", () => {
  const recorder = new OutputRecorder();
  for (const text of ["one", "two"]) {
    recorder.start();
    const bytes = BYTES(`${text} and `);
    recorder.output("stdout", bytes);
    bytes.fill(0); // they are valid only during the call
    recorder.output("stderr", BYTES("more"));
    assertEquals(new TextDecoder().decode(recorder.bytes()), `${text} and more`);
  }
});
