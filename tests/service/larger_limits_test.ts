// test: long
/** Limits that the operator raises, seen from outside, and what must not start. */
import { assert, assertEquals, assertGreater, assertMatch } from "@std/assert";
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  type BundledLanguage as Language,
} from "../../shared/languages.ts";
import { NotStarted, startProgram } from "../support/program.ts";
import { execute, startService } from "../support/service.ts";

const MIB = 1024 * 1024;
const MEMORY = 640 * MIB;
const RAISED = {
  ISOLATES: "1",
  RUBY_CONTEXTS: "1",
  FUEL_PYTHON: "400000000000",
  CODE_BYTES: String(MIB),
  REQUEST_BYTES: String(2 * MIB),
  STDIN_BYTES: String(MIB),
  FILE_BYTES: String(12 * MIB),
  WORKSPACE_BYTES: String(40 * MIB),
  SNAPSHOT_BYTES: String(64 * MIB),
  ...Object.fromEntries(LANGUAGES.map((id) => [`MEMORY_${id.toUpperCase()}`, String(MEMORY)])),
};

/** Programs that need more memory than any language has by default, and show its size. */
const LARGE: { readonly [L in Language]: string } = {
  javascript:
    "const a = []; for (let i = 0; i < 20; i++) a.push(new Uint8Array(2 ** 24)); a.length",
  python: "a = bytearray(400 * 2 ** 20)\nlen(a) // 2 ** 24",
  perl: "my @a = map { 'x' x (2 ** 24 + $_) } 1 .. 20; scalar @a",
  ruby: "a = Array.new(20) { 'x' * 2 ** 24 }\na.size",
};
const ENDLESS: { readonly [L in Language]: string } = {
  javascript: "const a = []; for (;;) a.push(new Uint8Array(2 ** 24))",
  python: "a = []\nwhile True: a.append(bytearray(2 ** 24))",
  perl: "my @a; while (1) { push @a, 'x' x (2 ** 24 + @a) }",
  ruby: "a = []\nloop { a << 'x' * 2 ** 24 }",
};
/** Programs that write a file of so many MiB. */
const WRITE: { readonly [L in Language]: (mib: number) => string } = {
  javascript: (mib) => `require("fs").writeFileSync("a", Buffer.alloc(${mib} * 2 ** 20))`,
  python: (mib) => `open("a", "wb").write(bytes(${mib} * 2 ** 20))`,
  perl: (mib) =>
    `open(my $f, '>', 'a') or die $!; print $f 'x' x (${mib} * 2 ** 20) or die "$!"; ` +
    `close $f or die "$!"`,
  ruby: (mib) => `File.binwrite("a", "x" * (${mib} * 2 ** 20))`,
};

async function post(url: string, body: unknown): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
}

Deno.test("service: limits that are raised hold, and are published", async (t) => {
  await using service = await startService(RAISED);
  const { url } = service;

  await t.step("GET /languages has the configured values", async () => {
    const { languages } = await (await fetch(`${url}/languages`)).json();
    for (const { limits } of languages) {
      assertEquals(limits.memoryBytes, MEMORY);
      assertEquals([limits.codeBytes, limits.requestBytes], [MIB, 2 * MIB]);
    }
  });

  for (const language of LANGUAGES) {
    await t.step(`${language} has more memory, and no more than that`, async () => {
      const { result } = await execute(url, language, LARGE[language]);
      assertEquals([result.error, result.results[0]?.text?.length], [undefined, 2]);
      assertGreater(result.usage?.memoryBytes ?? 0, 300 * MIB);
      const full = (await execute(url, language, ENDLESS[language])).result;
      assert(full.error !== undefined);
      assert((full.usage?.memoryBytes ?? 0) <= MEMORY, `${full.usage?.memoryBytes}`);
      assertGreater(full.usage?.memoryBytes ?? 0, MEMORY / 2);
      assertEquals((await execute(url, language, "1")).result.error, undefined);
    });

    await t.step(`${language} writes a large file in a context, and none too large`, async () => {
      const box = `${url}/languages/${language}/sandboxes/${language}`;
      const run = async (code: string) => await (await post(`${box}/execute`, { code })).json();
      assertEquals((await run(WRITE[language](11))).error, undefined);
      const refused = await run(WRITE[language](13).replace('a"', 'b"').replace("'a'", "'b'"));
      assert(refused.error.message.includes(`at most ${12 * MIB} bytes`), refused.error.message);
      const file = await fetch(`${box}/files/a`);
      assertEquals((await file.arrayBuffer()).byteLength, 11 * MIB);
    });
  }

  await t.step("code, standard input and requests may be longer", async () => {
    const code = `# ${"x".repeat(MIB - 40)}\nimport sys; len(sys.stdin.read())`;
    const answer = await post(`${url}/execute/python`, { code, stdin: "y".repeat(MIB / 2) });
    assertEquals((await answer.json()).results[0].text, String(MIB / 2));
    const cases = [
      [{ code: "x".repeat(MIB + 1) }, `code is larger than ${MIB} bytes`],
      [{ code: "1", stdin: "x".repeat(MIB + 1) }, `stdin is larger than ${MIB} bytes`],
      [{ code: "1", more: "x".repeat(2 * MIB) }, `The request is larger than ${2 * MIB} bytes`],
    ] as const;
    for (const path of ["/execute/python", "/languages/python/sandboxes/ada/execute"]) {
      for (const [body, message] of cases) {
        const refused = await post(url + path, body);
        assertEquals([refused.status, (await refused.json()).message], [413, message]);
      }
    }
  });

  await t.step("files may be larger through every route", async () => {
    const box = `${url}/languages/python/sandboxes/files`;
    const most = new Uint8Array(12 * MIB).fill(7);
    const stored = await fetch(`${box}/files/most`, { method: "PUT", body: most });
    assertEquals([stored.status, await stored.text()], [201, ""]);
    const long = new Uint8Array(12 * MIB + 1);
    const refused = await fetch(`${box}/files/long`, { method: "PUT", body: long });
    const { code, context } = await refused.json();
    assertEquals([refused.status, code, context.maxSize], [413, "FILE_TOO_LARGE", 12 * MIB]);
    const content = most.toBase64();
    const write = { op: "write", path: "json", content, encoding: "base64" };
    assertEquals((await (await post(`${box}/files`, write)).json()).success, true);
    const read = await (await post(`${box}/files`, { op: "read", path: "json" })).json();
    assertEquals(read.size, 12 * MIB);
  });

  await t.step("a workspace and a snapshot may be larger", async () => {
    const box = `${url}/languages/python/sandboxes/snapshot`;
    const code = "import random; a = random.Random(1).randbytes(40 * 2 ** 20); len(a)";
    const kept = await (await post(`${box}/execute`, { code })).json();
    assertEquals(kept.error, undefined);
    assertGreater(
      kept.context?.snapshot?.storedBytes ?? kept.snapshot?.storedBytes ?? 2 ** 26,
      2 ** 25,
    );
    const more = await (await post(`${box}/execute`, { code: "len(a) + 1" })).json();
    assertEquals(more.results[0].text, String(40 * MIB + 1));
    const over = { code: "b = random.Random(2).randbytes(40 * 2 ** 20); len(b)" };
    const { error } = await (await post(`${box}/execute`, over)).json();
    assertEquals(error.message, `Snapshot limit reached: ${64 * MIB} bytes`);
  });

  await t.step("the document says what holds", async () => {
    const document = JSON.stringify(await (await fetch(`${url}/openapi.json`)).json());
    for (const bytes of [12 * MIB, 40 * MIB, MIB, 2 * MIB]) assert(document.includes(`${bytes}`));
  });
});

Deno.test("service: after limits are lowered, what is too large is refused by name", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const env = { ISOLATES: "1", LANGUAGES: "python", KV_PATH: `${folder}/data` };
    const boxes = (url: string, name: string) => `${url}/languages/python/sandboxes/${name}`;
    await using raised = await startService({ ...RAISED, ...env });
    const file = await fetch(`${boxes(raised.url, "files")}/files/a`, {
      method: "PUT",
      body: new Uint8Array(5 * MIB),
    });
    assertEquals([file.status, await file.text()], [201, ""]);
    const code = "a = bytearray(300 * 2 ** 20); len(a)";
    const ran = await (await post(`${boxes(raised.url, "memory")}/execute`, { code })).json();
    assertEquals(ran.results[0].text, String(300 * MIB));
    await raised.end("SIGTERM");
    await using service = await startService(env);
    const run = async (name: string) => {
      const answer = await post(`${boxes(service.url, name)}/execute`, { code: "1" });
      const { code, message } = await answer.json();
      return [answer.status, code, /(this service allows) \d+/.exec(message)?.[1]];
    };
    const told = "this service allows";
    assertEquals(await run("files"), [507, "NO_SPACE", told]);
    assertEquals(await run("memory"), [409, "SNAPSHOT_INCOMPATIBLE", told]);
    const gone = await fetch(`${boxes(service.url, "files")}/files/a`, { method: "DELETE" });
    assertEquals([gone.status, await gone.text()], [204, ""]);
    assertEquals((await run("files"))[0], 200);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("service: a size beyond its maximum stops the start and names it", async () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ["MEMORY_RUBY", "2147483649", /MEMORY_RUBY must be .* to 2147483648\n/],
    ["FILE_BYTES", "268435457", /FILE_BYTES must be .* to 268435456\n/],
    ["WORKSPACE_BYTES", "1 GiB", /WORKSPACE_BYTES must be .* to 1073741824\n/],
    ["STDIN_BYTES", "200000", /STDIN_BYTES must not be more than REQUEST_BYTES/],
  ];
  for (const [name, value, expected] of cases) {
    const failure = await startProgram({ env: { [name]: value } }).then(
      () => "started",
      (thrown: unknown) => thrown instanceof NotStarted ? thrown.message : "other",
    );
    assertMatch(failure, expected);
    assert(!failure.includes(value) || /^\d{6}$/.test(value));
  }
});

Deno.test("service: a variable that it does not know is named in a warning", async () => {
  const env = { LANGUAGES: "perl", MEMORY_PHYTON: "secret" };
  await using service = await startProgram({ env, stderr: "piped" });
  const line = service.output().split("\n").find((text) => text.includes("unknown_variables"));
  assert(line?.includes('"names":"MEMORY_PHYTON"') === true, line);
  assert(!service.output().includes("secret"));
});
