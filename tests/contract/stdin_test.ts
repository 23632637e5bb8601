/** The field `stdin` of the routes that run programs, in every language. */
import { assert, assertEquals } from "@std/assert";
import { BUNDLED_LANGUAGES as LANGUAGES } from "../../shared/languages.ts";
import { printedSeed } from "../support/random.ts";
import { randomInput } from "../engines/stdin/random_input.ts";
import { assertError } from "./assertions.ts";
import {
  type Body,
  CONTEXT_LANGUAGES,
  type SandboxTarget,
  sandboxTarget,
  shareService,
} from "./sandbox_target.ts";
import { jsonPost } from "../support/json_post.ts";

shareService();

const KIB = 1024;
const MOST = 64 * KIB;
const TOO_LARGE = `stdin is larger than ${MOST} bytes`;
/** Write all of standard input as it is. */
const ECHO = {
  javascript: "process.stdout.write(require('fs').readFileSync(0))",
  python: "import sys\n_ = sys.stdout.buffer.write(sys.stdin.buffer.read())\nsys.stdout.flush()",
  perl: "binmode STDIN; local $/; print <STDIN> // ''",
  ruby: "STDOUT.write(STDIN.read)",
};
/** Read the first line, and write it. */
const FIRST = {
  javascript: "const { createInterface } = require('readline'); " +
    "for await (const l of createInterface({ input: process.stdin })) { console.log(l); break }",
  python: "print(input())",
  perl: "print scalar <STDIN>",
};

async function run(target: SandboxTarget, path: string, body: unknown): Promise<Response> {
  return await target.call(path, jsonPost(body));
}

/** Lines of output as one text, without the last newline. */
async function echoed(target: SandboxTarget, path: string, body: Body): Promise<string> {
  const response = await run(target, path, body);
  const result = await response.json();
  assertEquals([response.status, result.error], [200, undefined], JSON.stringify(result));
  return result.logs.stdout.join("\n");
}

type Step = (target: SandboxTarget, t: Deno.TestContext) => Promise<void>;

const STEPS: Readonly<Record<string, Step>> = {
  "a run reads what it is given, and nothing without it": async (target, t) => {
    const box = target.sandbox();
    const random = randomInput(printedSeed("stdin over HTTP"));
    for (const language of LANGUAGES) {
      const code = ECHO[language];
      const paths = [`/execute/${language}`, `/languages/${language}/sandboxes/${box.id}/execute`];
      for (const path of paths) {
        await t.step(path.replace(box.id, "…"), async () => {
          for (const stdin of ["x", "a\r\nb\rc\n\nd", "\ufeffé𝄞", random(), random()]) {
            const sent = await echoed(target, path, { code, stdin });
            assertEquals(sent, stdin.replace(/\n$/, ""), JSON.stringify(stdin));
          }
          assertEquals(await echoed(target, path, { code }), "");
          assertEquals(await echoed(target, path, { code, stdin: "" }), "");
        });
      }
    }
  },

  "half of a pair of surrogates is a replacement character": async (target) => {
    const body = { code: ECHO.python, stdin: "a\ud800b" };
    assertEquals(await echoed(target, "/execute/python", body), "a\ufffdb");
  },

  "it belongs to one run of a context": async (target, t) => {
    for (const language of CONTEXT_LANGUAGES) {
      await t.step(language, async () => {
        const box = target.sandbox();
        const output = async (code: string, fields: Body = {}) =>
          (await box.run(language, code, fields)).logs.stdout.join("\n");
        assertEquals(await output(FIRST[language], { stdin: "one\ntwo\nthree" }), "one");
        assertEquals(await output(ECHO[language]), "");
        assertEquals(await output(FIRST[language], { stdin: "four\nfive" }), "four");
        assertEquals(await output(ECHO[language], { stdin: "six\nseven" }), "six\nseven");
        const { id } = await box.context(language);
        assertEquals(await output(ECHO[language], { stdin: "there", contextId: id }), "there");
        assertEquals(await output(ECHO[language]), "");
      });
    }
  },

  "more than 64 KiB of UTF-8 is 413 that names the field": async (target, t) => {
    const box = target.sandbox();
    for (const path of ["/execute/python", `/languages/python/sandboxes/${box.id}/execute`]) {
      await t.step(path.replace(box.id, "…"), async () => {
        const count = "import sys\nprint(len(sys.stdin.buffer.read()))";
        const length = async (stdin: string) => await echoed(target, path, { code: count, stdin });
        const refusal = async (body: Body) =>
          (await assertError(await run(target, path, body), 413, "VALIDATION_FAILED")).message;
        assertEquals(await length("x".repeat(MOST)), String(MOST));
        assertEquals(await length("é".repeat(MOST / 2)), String(MOST));
        assertEquals(await refusal({ code: count, stdin: "x".repeat(MOST + 1) }), TOO_LARGE);
        assertEquals(await refusal({ code: count, stdin: "é".repeat(MOST / 2) + "x" }), TOO_LARGE);
        // the whole request stays within its own limit, which is checked first
        const large = await refusal({ code: "1".repeat(40 * KIB), stdin: "x".repeat(60 * KIB) });
        assert(large !== TOO_LARGE && large.includes(String(96 * KIB)), large);
        assertEquals(await length("x".repeat(40 * KIB)), String(40 * KIB));
      });
    }
  },

  "what is no text is 400 that names the field, after all other checks of the run": async (
    target,
    t,
  ) => {
    const box = target.sandbox();
    for (const path of ["/execute/python", `/languages/python/sandboxes/${box.id}/execute`]) {
      await t.step(path.replace(box.id, "…"), async () => {
        const message = async (body: Body, status = 400) =>
          (await assertError(await run(target, path, body), status, "VALIDATION_FAILED")).message;
        for (const stdin of [null, 1, true, [], {}, ["a"], { text: "a" }]) {
          assertEquals(await message({ code: "1", stdin }), "stdin must be a string");
        }
        const wrong = { code: 1, envVars: 1, limits: 1, stdin: 1 };
        assertEquals(await message(wrong), "code must be a string");
        assertEquals(await message({ ...wrong, code: "1" }), "envVars must be an object");
        assertEquals(
          await message({ ...wrong, code: "1", envVars: {} }),
          "limits must be an object",
        );
        assertEquals(
          await message({ ...wrong, code: "1", envVars: {}, limits: {} }),
          "stdin must be a string",
        );
      });
    }
    assertEquals(await box.contexts(), [], "nothing was made for what was refused");
  },

  "many at once get each their own": async (target) => {
    const texts = Array.from({ length: 24 }, (_, index) => `${index} `.repeat(100 * index));
    const echoes = await Promise.all(
      texts.map((stdin, index) => {
        const language = LANGUAGES[index % LANGUAGES.length] ?? "python";
        return echoed(target, `/execute/${language}`, { code: ECHO[language], stdin });
      }),
    );
    assertEquals(echoes, texts);
  },
};

Deno.test("stdin", async (t) => {
  await using target = sandboxTarget();
  for (const [name, step] of Object.entries(STEPS)) {
    await t.step(name, async (inner) => await step(target, inner));
  }
});
