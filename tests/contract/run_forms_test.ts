/** The same run in three forms: a plain answer, NDJSON, and server-sent events agree. */
import { assertEquals } from "@std/assert";
import type { ExecutionResult } from "../../client/protocol/types.ts";
import type { BundledLanguage as Language } from "../../shared/languages.ts";
import { type Call, callIn, FORM_NAMES, type FormName } from "./forms.ts";
import { sandboxTarget, shareService } from "./sandbox_target.ts";
import { jsonPost } from "../support/json_post.ts";

shareService();

/** Programs by what they do. */
const PROGRAMS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  javascript: {
    "a value": "[1, 2, 3]",
    "lines of both streams": "for (let i = 0; i < 50; i++) console[i % 3 ? 'log' : 'error'](i)",
    "a last line without a newline": "process.stdout.write('a\\nb')",
    "line breaks of other kinds": "console.log('a\\r\\nb\\u2028c\\u0085d\\ve\\u0000f')",
    "bytes that are not text": "process.stdout.write(Uint8Array.of(0xe2, 0x82, 0x0a, 0xff, 0x41))",
    "a character that is written byte by byte":
      "for (const b of new TextEncoder().encode('😀\\n')) process.stdout.write(Uint8Array.of(b))",
    "an error after output": "console.log('so far'); undefinedName",
    "too much output": "for (;;) console.log('x'.repeat(1000))",
    "too many lines": "for (;;) console.log('')",
    "too much work": "console.log('so far'); for (;;);",
    "a sleep that is too long":
      "console.log('so far'); await new Promise((r) => setTimeout(r, 1e9))",
    "a value that is too large": "console.log('so far'); 'x'.repeat(3e5)",
  },
  python: {
    "an integer that no number holds": "[2 ** 70]",
    "many small writes":
      "import sys\nfor i in range(3000): sys.stdout.write('x' if i % 7 else '\\n')",
    "lines of both streams":
      "import sys\nfor i in range(50): print(i, file=[sys.stdout, sys.stderr][i % 2])",
    "bytes that are not text": "import os\n_ = os.write(1, b'\\xe2\\x82\\n\\xff\\xffA')",
    "an error after output": "print('so far')\n1 / 0",
    "an exit": "print('bye', end='')\nraise SystemExit(3)",
    "too much output": "while True: print('x' * 1000)",
  },
  perl: {
    "a value": "{ a => 1 }",
    "lines of both streams":
      'for my $i (1..50) { if ($i % 2) { print "$i\\n" } else { warn "$i\\n" } }',
    "an error after output": "print 'so far'; die 'no'",
  },
  ruby: {
    "a value": "[1, nil]",
    "lines of both streams": "50.times { |i| i.odd? ? puts(i) : warn(i) }",
    "an error after output": "print 'so far'\nraise 'no'",
  },
};

/** Little fuel, so that too much work ends by fuel on a busy machine too. */
const LIMITS = { fuel: 1_000_000_000 };

/** The common part of two runs of the same program. */
function comparable({ durationMs: _, usage, context, ...rest }: ExecutionResult) {
  const { executions, cwd, rolledBack } = context ?? {};
  return { ...rest, fuelLimit: usage?.fuelLimit, context: { executions, cwd, rolledBack } };
}

async function runIn(form: FormName, call: Call, path: string, code: string) {
  const answer = await callIn(form, call, path, jsonPost({ code, limits: LIMITS }));
  assertEquals(answer.status, 200);
  return comparable(await answer.json());
}

Deno.test("forms: the same run has the same answer in all of them", async (t) => {
  await using target = sandboxTarget();
  const call: Call = (path, init) => target.plainCall(path, init);
  for (const [language, programs] of Object.entries(PROGRAMS)) {
    for (const [name, code] of Object.entries(programs)) {
      await t.step(`${language}: ${name}`, async () => {
        const [plain, ...streamed] = FORM_NAMES;
        const paths = FORM_NAMES.map(() =>
          `/languages/${language}/sandboxes/${target.sandbox().id}/execute`
        );
        for (const inContext of [false, true]) {
          const path = (index: number) => inContext ? paths[index] ?? "" : `/execute/${language}`;
          const expected = await runIn(plain ?? "plain", call, path(0), code);
          for (const [index, form] of streamed.entries()) {
            assertEquals(await runIn(form, call, path(index + 1), code), expected, form);
          }
        }
      });
    }
  }
});
