// test: long
/** Parts of the page that need no browser. */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import type { JsonValue } from "@belljar/client";
import { bytes, countText, duration, plain, share } from "../../page/format.ts";
import { errorHint } from "../../page/error_hints.ts";
import { AnsiText } from "../../page/ansi_text.ts";
import { jsonText } from "../../page/json_text.ts";
import { limitText } from "../../page/limit_text.ts";
import { fragmentOf, linkTo, placeOf, programIn } from "../../page/link.ts";
import { operationRequest } from "../../page/operation_request.ts";
import { operationsOf } from "../../page/operations.ts";
import { readsInput } from "../../page/reads_input.ts";
import { NO_FIELDS, optionsOf, toolNames } from "../../page/run_request.ts";

const PAGE = "http://127.0.0.1:8000/";

Deno.test("page link: a program comes back as it was, and is in the fragment only", async () => {
  for (const code of ["", "print('ü')\n", "x".repeat(60_000), "\u0000\ud83d\ude00"]) {
    const program = { language: "perl", code, stdin: code } as const;
    const link = new URL(await linkTo(PAGE, program));
    assertEquals([link.origin + link.pathname, link.search], [PAGE, ""]);
    assertMatch(link.hash, /^#program=[\w-]+$/);
    const place = placeOf(link.hash);
    assertEquals(place.kind === "program" && await programIn(place.packed), program);
  }
});

Deno.test("page link: a damaged or oversized link, or one without a program, is undefined", async () => {
  const long = { language: "perl", code: "x".repeat(300_000), stdin: "" } as const;
  const packed = new URL(await linkTo(PAGE, long)).hash.replace("#program=", "");
  for (const text of ["", "%", "AAAA", "eyJ9", packed, packed.slice(0, -9)]) {
    assertEquals(await programIn(text), undefined, text.slice(0, 20));
  }
});

Deno.test("page link: a fragment names a place", () => {
  for (const place of [{ kind: "stateless" }, { kind: "sandboxes" }] as const) {
    assertEquals(placeOf(fragmentOf(place)), place);
  }
  const sandbox = { kind: "sandbox", name: "a b/ü" } as const;
  assertEquals(placeOf(fragmentOf(sandbox)), sandbox);
  const followed = { kind: "run", id: "r0/ü" } as const;
  assertEquals(placeOf(fragmentOf(followed)), followed);
  for (const broken of ["#run=", "#run=%"]) assertEquals(placeOf(broken), { kind: "stateless" });
  for (const id of ["", "execute", "a=b"]) {
    const operation = { kind: "operation", id } as const;
    assertEquals(placeOf(fragmentOf(operation)), operation);
  }
  assertEquals(placeOf("#sandbox=%"), { kind: "stateless" });
  assertEquals(placeOf("#anything"), { kind: "stateless" });
});

Deno.test("page output: sequences of a terminal become styles, or nothing", () => {
  const parts = (...lines: string[]) => {
    const text = new AnsiText();
    return lines.map((line) => text.parts(line).map(({ text, style }) => [text, style]));
  };
  assertEquals(parts("a\x1b[31mb\x1b[1mc\x1b[0md"), [[
    ["a", ""],
    ["b", "ansi-red"],
    ["c", "ansi-red ansi-bold"],
    ["d", ""],
  ]]);
  assertEquals(parts("\x1b[38;5;196mx\x1b[48;2;1;2;3my\x1b[94mz\x1b[39m."), [[
    ["x", ""],
    ["y", ""],
    ["z", "ansi-blue"],
    [".", ""],
  ]]);
  // styles last over lines; other sequences are left out; a broken one stays
  assertEquals(parts("\x1b[4mone", "two\x1b[24m", "\x1b[2J\x1b[Hthree\x1b[", "\x1b[m"), [
    [["one", "ansi-under"]],
    [["two", "ansi-under"]],
    [["three\x1b[", ""]],
    [],
  ]);
  assertEquals(parts("\x1b[31mx".repeat(5_000))[0]?.length, 501);
});

Deno.test("page input: the text of a program says whether it may read", () => {
  const reading = {
    javascript: ["for await (const l of process.stdin);", "require('readline')"],
    python: ["x = input()", "import sys; sys.stdin.read()"],
    perl: ["my $x = <STDIN>;", "while (<>) { }"],
    ruby: ["gets", "$stdin.each_line", "ARGF.read"],
  } as const;
  const others = {
    javascript: "let inputs = 1",
    python: "inputs = 2; print(inputs)",
    perl: "print 1 < 2;",
    ruby: "targets = 1",
  } as const;
  for (const language of ["javascript", "python", "perl", "ruby"] as const) {
    for (const code of reading[language]) assert(readsInput(language, code), code);
    assertEquals(readsInput(language, others[language]), false, language);
  }
});

Deno.test("page limits: each limit has a meaning, other texts have none", () => {
  const limits = {
    ...{ fuel: 1, wallMs: 60_000, memoryBytes: 2 ** 28, outputBytes: 2 ** 20, outputLines: 10_000 },
    ...{ resultBytes: 1, displayBytes: 1, snapshotBytes: 1, codeBytes: 1 },
    requestBytes: 1,
  };
  for (const word of ["Fuel", "Wall clock", "Memory", "Output", "Result", "Display", "Snapshot"]) {
    assert(limitText(`${word} limit reached: 1`, limits, 20_000) !== undefined, word);
  }
  assertMatch(
    limitText("Fuel limit reached: 1", limits, 20_000) ?? "",
    /after 20\.0 s of computing/,
  );
  for (const text of ["", "toString limit", "Something else"]) {
    assertEquals(limitText(text, limits, 1), undefined);
  }
});

Deno.test("page operations: fields become a request, and an invalid field is named", () => {
  const parameters = [
    { name: "id", in: "path", required: true },
    { name: "path", in: "path", required: true },
    { name: "limit", in: "query", schema: { description: "How many." } },
    { name: "If-Match", in: "header" },
  ] as const;
  const [operation] = operationsOf({
    paths: {
      "/box/{id}/files/{path}": {
        put: {
          operationId: "upload",
          parameters,
          requestBody: { content: { "*/*": {} } },
          responses: { 200: { content: { "text/plain": {} } }, 404: { content: { "a/b": {} } } },
        },
      },
    },
  });
  assert(operation !== undefined);
  assertEquals([operation.method, operation.types], ["PUT", ["text/plain"]]);
  assertEquals(operation.parameters.map(({ required }) => required), [true, true, false, false]);
  const request = (typed: Record<string, string>, type = "") =>
    operationRequest(operation, { parameters: typed, body: "bytes", type });
  const { path, init } = request({ id: "a/$&", path: "ü/b c", limit: "1&2", "If-Match": '"x"' });
  assertEquals(path, "box/a%2F%24%26/files/%C3%BC%2Fb%20c?limit=1%262");
  assertEquals(Object.fromEntries(new Headers(init.headers)), {
    accept: "text/plain, application/json",
    "content-type": "application/octet-stream",
    "if-match": '"x"',
  });
  assertEquals([init.method, init.body], ["PUT", "bytes"]);
  const plainly = new Headers(request({ id: "a", path: "b" }, "x/y").init.headers);
  assertEquals([plainly.get("accept"), plainly.get("if-match")], ["x/y", null]);
  for (
    const [typed, named] of [
      [{ path: "b" }, "id is missing"],
      [{ id: "..", path: "b" }, "id: "],
      [{ id: "a", path: "." }, "path: "],
      [{ id: "a", path: "b", "If-Match": "ü\n1" }, "If-Match: "],
    ] as const
  ) {
    assertThrows(() => request(typed), Error, named);
  }
});

Deno.test("page fields: fields become options, and an invalid field is named", () => {
  assertEquals(optionsOf(NO_FIELDS), {});
  const typed = { stdin: "a", variables: "A=1\n\nB=x=y\n", fuel: "1,000_000", wallMs: " 5 " };
  assertEquals(optionsOf({ ...NO_FIELDS, ...typed, seed: "0", clock: "2026-01-01T00:00:00Z" }), {
    stdin: "a",
    envVars: { A: "1", B: "x=y" },
    limits: { fuel: 1_000_000, wallMs: 5 },
    seed: 0,
    clock: Date.UTC(2026, 0, 1),
  });
  for (
    const [field, text] of [["fuel", "-1"], ["seed", "1.5"], ["clock", "x"], ["variables", "=1"]]
  ) {
    assertThrows(() => optionsOf({ ...NO_FIELDS, [field ?? ""]: text }), Error);
  }
  const tools = (text: string) => toolNames({ ...NO_FIELDS, tools: text });
  assertEquals([tools(""), tools(" a.b \n\nc_1")], [[], ["a.b", "c_1"]]);
  for (const text of ["a b", "1a", "a.", ".a", "a..b"]) assertThrows(() => tools(text), Error);
});

Deno.test("page text: numbers, JSON and names for people", () => {
  assertEquals([bytes(0), bytes(1536), bytes(4 << 20)], ["0 bytes", "1.5 KiB", "4 MiB"]);
  assertEquals([duration(0.2), duration(12.4), duration(3400)], ["under 1 ms", "12 ms", "3.4 s"]);
  assertEquals([share(1, 1000), share(0, 1), share(2, 1)], ["under 1%", "0%", "100%"]);
  assertEquals([countText(1, "run"), countText(1200, "run")], ["1 run", "1,200 runs"]);
  assertEquals(jsonText({ a: [1, "b", null], c: {} }), '{ "a": [1, "b", null], "c": {} }');
  const long = ["x".repeat(50), "y".repeat(50)];
  assertEquals(jsonText({ long }), `{\n  "long": [\n    "${long[0]}",\n    "${long[1]}"\n  ]\n}`);
  assertEquals(JSON.parse(jsonText({ long, n: [[], {}, [1.5]] })), { long, n: [[], {}, [1.5]] });
  let nested: JsonValue = 1;
  for (let depth = 0; depth < 20_000; depth++) nested = [nested];
  assertEquals(jsonText(nested).trim().slice(0, 1), "[");
  assertEquals(plain("a\u202eb\nc"), "a\ufffdb\ufffdc");
});

Deno.test("page errorHint(): a common error has a hint, another one has none", () => {
  const hint = (language: string, name: string, message: string, code = "", lineNumber = 1) =>
    errorHint({ name, message, traceback: [], lineNumber }, language, code) ?? "";
  assertMatch(hint("python", "EOFError", "EOF when reading a line"), /Standard input/);
  assertMatch(hint("python", "SyntaxError", "invalid syntax", "x = 1\n !pip install x", 2), /pip/);
  assertEquals(hint("python", "SyntaxError", "invalid syntax", "x = 1\n !pip install x", 1), "");
  assertEquals(hint("python", "SyntaxError", "invalid syntax", "", 1e9), "");
  assertMatch(hint("python", "TypeError", "'NoneType' object is not iterable"), /None/);
  assertMatch(
    hint("javascript", "TypeError", "cannot read property 'x' of undefined"),
    /undefined/,
  );
  assertMatch(hint("ruby", "NoMethodError", "undefined method 'x' for nil"), /nil/);
  assertMatch(hint("perl", "Error", "Can't locate LWP.pm in @INC"), /module/);
  for (const language of ["python", "ruby", "shell", "constructor"]) {
    assertEquals(hint(language, "MyError", "no"), "", language);
  }
});
