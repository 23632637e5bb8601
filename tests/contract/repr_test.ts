/** The field `repr` of the routes that run programs, in every language. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  type BundledLanguage as Language,
} from "../../shared/languages.ts";
import { assertError } from "./assertions.ts";
import { type Body, type SandboxTarget, sandboxTarget, shareService } from "./sandbox_target.ts";

shareService();

const MOST = 64 * 1024;

type Case = readonly [code: string, repr: string | undefined];

/** Values of each kind, and their own forms. */
const VALUES: { readonly [L in Language]: readonly Case[] } = {
  javascript: [
    ["[true, null, 'a', undefined]", "[ true, null, 'a', undefined ]"],
    [
      "({ a: { b: { c: { d: { e: 1 } } } } })",
      "{\n  a: {\n    b: { c: { d: { e: 1 } } }\n  }\n}",
    ],
    [
      "Array(3_000).fill('x'.repeat(70))",
      `[\n${`  '${"x".repeat(70)}',\n`.repeat(100)}  ... 2900 more items\n]`,
    ],
    ["new (class P { x = 1n })", "P { x: 1n }"],
    ["'it\\'s'", '"it\'s"'],
    ["new Map([[1, { a: 2 }]])", "Map(1) { 1 => { a: 2 } }"],
    ["const a = [1]; a.push(a); a", "<ref *1> [ 1, [Circular *1] ]"],
    ["42", "42"],
    ["null", "null"],
    ["Promise.resolve([1])", "[ 1 ]"],
  ],
  python: [
    ["[True, None, 'a', (1,), 1.0]", "[True, None, 'a', (1,), 1.0]"],
    ["{1: {'a': False}}", "{1: {'a': False}}"],
    ["class D(dict):\n  def __repr__(self): return 'D!'\nD(a=1)", "D!"],
    [
      "class S(str):\n  def __getitem__(self, at): 1/0\n" +
      "class D(dict):\n  def __repr__(self): return S('own')\nD(a=1)",
      "own",
    ],
    ["'it\\'s'", '"it\'s"'],
    ["a = [1]\na.append(a)\na", "[1, [...]]"],
    ["['\\ud800', '\\0', 'é']", "['\\ud800', '\\x00', 'é']"],
    ["{1, }", "{1}"],
    ["42", "42"],
    ["import asyncio\nasync def f(): return [None]\nf()", "[None]"],
  ],
  perl: [
    ["my $x = [1, 'a', undef]; $x", "[1,'a',undef]"],
    ["+{ b => [1], a => { c => 2 } }", "{'a' => {'c' => 2},'b' => [1]}"],
    ["'it\\'s'", "'it\\'s'"],
    ["bless [1], 'P'", "bless( [1], 'P' )"],
    ["my $x = [1]; push @$x, $x; $x", "[1,$VAR1]"],
    ["42", "42"],
    [
      "$Data::Dumper::Indent = 3; $Data::Dumper::Useqq = 1; $Data::Dumper::Maxdepth = 1; [['\\'', \"\\n\"]]",
      "[['\\'','\n']]",
    ],
    ['["\\x{263a}"]', '["\\x{263a}"]'],
    ['["a\\0b"]', "['a\0b']"],
  ],
  ruby: [
    ["[true, nil, :a, 'b']", '[true, nil, :a, "b"]'],
    ["{ a: { 'b' => 1.0 } }", '{a: {"b" => 1.0}}'],
    ["class D < Hash; def inspect = 'D!'; end; D.new", "D!"],
    ["'a\"b'", '"a\\"b"'],
    ["a = [1]; a << a", "[1, [...]]"],
    ['["\\xff", "\\0", \'é\']', '["\\xFF", "\\u0000", "é"]'],
    ["1..2", "1..2"],
    ["42", "42"],
  ],
};

/** Values whose own form fails in some way, and the JSON that they are without it. */
const HOSTILE: { readonly [L in Language]: readonly Case[] } = {
  javascript: [
    [
      "({ [Symbol.for('nodejs.util.inspect.custom')]() { throw new Error('no') }, a: 1 })",
      '{"a":1}',
    ],
    ["({ get a() { return 1 }, get [Symbol.toStringTag]() { throw 1 } })", '{"a":1}'],
  ],
  python: [
    ["class D(dict):\n  def __repr__(self): 1/0\nD(a=1)", '{"a":1}'],
    ["class D(dict):\n  def __repr__(self): return 1\nD(a=1)", '{"a":1}'],
    ["class D(dict):\n  def __repr__(self): raise SystemExit(3)\nD(a=1)", '{"a":1}'],
    ["class D(dict):\n  def __repr__(self): return repr(self)\nD(a=1)", '{"a":1}'],
    ["class D(dict):\n  def __repr__(self): return 'x' * 10**9\nD(a=1)", '{"a":1}'],
  ],
  perl: [
    ["no warnings; *Data::Dumper::new = sub { die 'no' }; [1]", "[1]"],
    ["no warnings; *Data::Dumper::Dump = sub { die { a => 1 } }; [1]", "[1]"],
  ],
  ruby: [
    ["class D < Hash; def inspect = raise('no'); end; D.new", "{}"],
    ["class D < Hash; def inspect = exit(3); end; D.new", "{}"],
    ["class D < Hash; def inspect = inspect; end; D.new", "{}"],
  ],
};

/** Values that are JSON with a form of more than 64 KiB. */
const LONG: { readonly [L in Language]: string } = {
  javascript: "({ [Symbol.for('nodejs.util.inspect.custom')]: () => 'é'.repeat(50_000), " +
    "a: 'a'.repeat(50_000) })",
  python: "['é' * 50_000]",
  perl: "use utf8; [map { 'ab' x 20 } 1 .. 2_000]",
  ruby: "['é' * 50_000]",
};

const NONE = { javascript: "undefined", python: "None", perl: "undef", ruby: "nil" } as const;

async function run(target: SandboxTarget, path: string, body: unknown): Promise<Response> {
  return await target.call(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function result(target: SandboxTarget, path: string, body: Body) {
  const response = await run(target, path, body);
  const answer = await response.json();
  assertEquals([response.status, answer.error], [200, undefined], JSON.stringify(answer));
  return answer;
}

/** A stateless run of a language, and one in a new sandbox. */
function pathsOf(target: SandboxTarget, language: Language): readonly string[] {
  const { id } = target.sandbox();
  return [`/execute/${language}`, `/languages/${language}/sandboxes/${id}/execute`];
}

/** The fields of a result that repr must not change. */
function othersOf({ results, logs, error, context }: Body): unknown {
  const entries = (results as readonly Body[]).map(({ repr: _repr, ...entry }) => entry);
  const { executions } = (context ?? {}) as Body;
  return { entries, logs, error, executions };
}

for (const language of LANGUAGES) {
  Deno.test(`repr: ${language} gives values in its own form, and nothing else changes`, async (t) => {
    await using target = sandboxTarget();
    for (const path of pathsOf(target, language)) {
      for (const [code, repr] of VALUES[language]) {
        await t.step(`${path.split("/")[1]} ${code}`, async () => {
          const box = target.sandbox();
          const at = path.replace(/sandboxes\/[^/]+/, `sandboxes/${box.id}`);
          const asked = await result(target, at, { code, repr: true });
          assertEquals(asked.results[0].repr, repr);
          const other = target.sandbox();
          const plain = await result(target, at.replace(box.id, other.id), { code });
          assertEquals(othersOf(asked), othersOf(plain));
          assertEquals("repr" in plain.results[0], false);
        });
      }
      const none = await result(target, path, { code: NONE[language], repr: true });
      assertEquals(none.results, []);
      const denied = await result(target, path, { code: "[1]", repr: false });
      assertEquals(denied.results, [{ json: [1] }]);
    }
  });

  Deno.test(`repr: a ${language} value whose own form fails keeps its JSON`, async (t) => {
    await using target = sandboxTarget();
    const [stateless = "", inContext = ""] = pathsOf(target, language);
    for (const [code, json] of HOSTILE[language]) {
      await t.step(code, async () => {
        for (const path of [stateless, inContext]) {
          const { results: [entry] } = await result(target, path, { code, repr: true });
          assertEquals(JSON.stringify(entry.json), json);
          assertEquals(entry.repr, undefined);
        }
      });
    }
  });

  Deno.test(`repr: a long ${language} value's form is cut at 64 KiB`, async () => {
    await using target = sandboxTarget();
    for (const path of pathsOf(target, language)) {
      const { results: [{ json, repr }] } = await result(target, path, {
        code: LONG[language],
        repr: true,
      });
      assert(JSON.stringify(json).length > 50_000);
      const bytes = new TextEncoder().encode(repr);
      assert(bytes.length <= MOST && bytes.length > MOST - 4, String(bytes.length));
      assert(repr.endsWith("…"));
      assertEquals(repr.isWellFormed() && !repr.includes("\ufffd"), true);
    }
  });

  Deno.test(`repr: a run of ${language} with a seed and a clock gives the same again`, async () => {
    await using target = sandboxTarget();
    const body = { code: VALUES[language][1]?.[0] ?? "", repr: true, seed: 1, clock: 0 };
    const answers: unknown[] = [];
    for (let time = 0; time < 2; time++) {
      const [, path = ""] = pathsOf(target, language);
      const { results, usage } = await result(target, path, body);
      answers.push([results, usage]);
    }
    assertEquals(answers[0], answers[1]);
  });
}

Deno.test("repr: a form without an end is the fuel limit", async () => {
  await using target = sandboxTarget();
  const endless: readonly (readonly [Language, string])[] = [
    ["javascript", "({ [Symbol.for('nodejs.util.inspect.custom')]() { for (;;); } })"],
    ["python", "class D(dict):\n  def __repr__(self):\n    while True: pass\nD(a=1)"],
    ["ruby", "class D < Hash; def inspect = loop {}; end; D.new"],
  ];
  for (const [language, code] of endless) {
    for (const path of pathsOf(target, language)) {
      const body = { code, repr: true, limits: { fuel: 2_000_000_000 } };
      const { error } = await (await run(target, path, body)).json();
      assertEquals(error?.name, "ExecutionLimitError", language);
      assertStringIncludes(error.message, "Fuel");
    }
  }
});

Deno.test("repr: a value over the result limit ends the run as without it", async () => {
  await using target = sandboxTarget();
  const codes: { readonly [L in Language]: string } = {
    javascript: "['x'.repeat(300_000)]",
    python: "['x' * 300_000]",
    perl: "['x' x 300_000]",
    ruby: "['x' * 300_000]",
  };
  for (const language of LANGUAGES) {
    const [path = ""] = pathsOf(target, language);
    const { error, results } =
      await (await run(target, path, { code: codes[language], repr: true }))
        .json();
    assertEquals([error?.name, results], ["ExecutionLimitError", []], language);
    assertStringIncludes(error.message, "Result");
  }
});

Deno.test("repr: a later run of the context without it has none, also after an exit", async () => {
  await using target = sandboxTarget();
  const exits = { javascript: "process.exit(0)", python: "exit()", perl: "exit 0" } as const;
  for (const language of ["javascript", "python", "perl"] as const) {
    const [, path = ""] = pathsOf(target, language);
    await result(target, path, { code: exits[language], repr: true });
    const { results } = await result(target, path, { code: "[1]" });
    assertEquals(results, [{ json: [1] }]);
    const again = await result(target, path, { code: "[1]", repr: true });
    assertEquals(typeof again.results[0].repr, "string");
  }
});

Deno.test("repr: what is not boolean is 400 that names the field", async () => {
  await using target = sandboxTarget();
  for (const path of pathsOf(target, "python")) {
    for (const repr of ["true", 1, null, {}, []]) {
      const error = await assertError(
        await run(target, path, { code: "1", repr }),
        400,
        "VALIDATION_FAILED",
      );
      assertEquals(error.message, "repr must be true or false");
    }
  }
});

Deno.test("repr: an Idempotency-Key means a run with the same repr", async () => {
  await using target = sandboxTarget();
  const [, path = ""] = pathsOf(target, "python");
  const headers = { "content-type": "application/json", "idempotency-key": "k" };
  const send = async (body: Body) =>
    await target.plainCall(path, { method: "POST", headers, body: JSON.stringify(body) });
  const first = await (await send({ code: "[None]", repr: true })).json();
  const again = await (await send({ code: "[None]", repr: true })).json();
  assertEquals([first.results, again.results], Array(2).fill([{ json: [null], repr: "[None]" }]));
  await assertError(await send({ code: "[None]" }), 409, "CONFLICT");
});
