/** The same display in every language: one entry, the same. */
import { assertEquals } from "@std/assert";
import type { Display, ExecutionResult } from "../../client/protocol/types.ts";
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  type BundledLanguage as Language,
} from "../../shared/languages.ts";
import { CONTEXT_LANGUAGES, sandboxTarget, shareService } from "./sandbox_target.ts";
import { jsonPost } from "../support/json_post.ts";

shareService();

type Programs = Readonly<Record<Language, string>>;

const js = (bundle: string) => `display({ [Symbol.for("Jupyter.display")]: () => (${bundle}) })`;
const python = (bundle: string, rest = "") => `display(${bundle}, raw=True${rest})`;

/** JavaScript gives metadata by the device alone. */
const METADATA: Display = {
  data: { "text/html": "<b>" },
  metadata: { "text/html": { isolated: true }, n: [1] },
};

/** Programs that write an entry to the device. */
const DEVICE_LINE = {
  javascript: (entry: Display) =>
    `require("fs").writeFileSync("/dev/display", ${quoted(`${JSON.stringify(entry)}\n`)})`,
  python: (entry: Display) =>
    `with open("/dev/display", "w") as out: _ = out.write(${quoted(`${JSON.stringify(entry)}\n`)})`,
  perl: (entry: Display) =>
    `open my $out, ">", "/dev/display"; print $out '${JSON.stringify(entry)}', "\\n"; close $out`,
  ruby: (entry: Display) => `File.write("/dev/display", '${JSON.stringify(entry)}' + "\\n"); nil`,
};

function quoted(text: string): string {
  return JSON.stringify(text);
}

/** The displays of programs, and the entries of the answer. */
const SHOWN: Readonly<Record<string, readonly [programs: Programs, displays: readonly Display[]]>> =
  {
    "text is a string, and nothing is added to it": [{
      javascript: js(`{ "text/html": "<b>é\\u2028</b>" }`),
      python: python(`{"text/html": "<b>é\\u2028</b>"}`),
      perl: `use utf8; Belljar::display("text/html", "<b>é\\x{2028}</b>")`,
      ruby: `display_data("text/html", "<b>é\\u2028</b>")`,
    }, [{ data: { "text/html": "<b>é\u2028</b>" } }]],
    "bytes of an image are base64": [{
      javascript: js(`{ "image/png": Uint8Array.of(0x89, 0x50, 0xff) }`),
      python: python(`{"image/png": b"\\x89P\\xff"}`),
      perl: `Belljar::display("image/png", "\\x89P\\xff")`,
      ruby: `display_data("image/png", "\\x89P\\xff".b)`,
    }, [{ data: { "image/png": "iVD/" } }]],
    "an image that is text already: as it is where strings are text, base64 where they are bytes": [
      {
        javascript: js(`{ "image/jpeg": "/9j/" }`),
        python: python(`{"image/jpeg": "/9j/"}`),
        perl: `Belljar::display("image/jpeg", "\\xff\\xd8\\xff")`,
        ruby: `display_data("image/jpeg", "\\xff\\xd8\\xff".b)`,
      },
      [{ data: { "image/jpeg": "/9j/" } }],
    ],
    "plain text is text, whatever it says": [{
      javascript: js(`{ "text/plain": "a\\n{\\"b\\": 1}" }`),
      python: python(`{"text/plain": "a\\n{\\"b\\": 1}"}`),
      perl: `Belljar::display("text/plain", qq(a\\n{"b": 1}))`,
      ruby: `display_data("text/plain", "a\\n{\\"b\\": 1}")`,
    }, [{ data: { "text/plain": 'a\n{"b": 1}' } }]],
    "metadata is beside the data": [{
      javascript: DEVICE_LINE.javascript(METADATA),
      python: python(
        `{"text/html": "<b>"}`,
        `, metadata={"text/html": {"isolated": True}, "n": [1]}`,
      ),
      perl:
        `Belljar::display("text/html", "<b>", { "text/html" => { isolated => !!1 }, n => [1] })`,
      ruby:
        `display_data("text/html", "<b>", metadata: { "text/html" => { isolated: true }, n: [1] })`,
    }, [METADATA]],
    "a line of the device is an entry, with its metadata": [{
      javascript: DEVICE_LINE.javascript(METADATA),
      python: DEVICE_LINE.python(METADATA),
      perl: DEVICE_LINE.perl(METADATA),
      ruby: DEVICE_LINE.ruby(METADATA),
    }, [METADATA]],
    "SVG is text": [{
      javascript: js(`{ "image/svg+xml": "<svg/>" }`),
      python: python(`{"image/svg+xml": "<svg/>"}`),
      perl: `Belljar::display("image/svg+xml", "<svg/>")`,
      ruby: `display_data("image/svg+xml", "<svg/>")`,
    }, [{ data: { "image/svg+xml": "<svg/>" } }]],
    "JSON is JSON, of any type that ends so": [{
      javascript: js(`{ "a/b+json": { a: [1, "x", null, true, 2.5] } }`),
      python: python(`{"a/b+json": {"a": [1, "x", None, True, 2.5]}}`),
      perl: `Belljar::display("a/b+json", { a => [1, "x", undef, !!1, 2.5] })`,
      ruby: `display_data("a/b+json", { a: [1, "x", nil, true, 2.5] })`,
    }, [{ data: { "a/b+json": { a: [1, "x", null, true, 2.5] } } }]],
    "what is shown at the end of a program is shown": [{
      javascript: `process.on("exit", () => ${js(`{ "a/b": "x" }`)})`,
      python: `import atexit; atexit.register(lambda: ${python(`{"a/b": "x"}`)}); None`,
      perl: `END { Belljar::display("a/b", "x") } undef`,
      ruby: `END { display_data("a/b", "x") }`,
    }, [{ data: { "a/b": "x" } }]],
  };

/** Programs that show, change what they can, and never end; and what the context has then. */
const ROLLED_BACK: Readonly<
  Record<typeof CONTEXT_LANGUAGES[number], readonly [begin: string, endless: string, look: string]>
> = {
  javascript: ["var n = 1", `n = 2; ${js(`{ "a/b": "x" }`)}; for (;;);`, "n"],
  python: ["n = 1", `n = 2\n${python(`{"a/b": "x"}`)}\nwhile True: pass`, "n"],
  perl: ["our $n = 1; undef", `$n = 2; Belljar::display("a/b", "x"); 1 while 1;`, "$n"],
};

/** Types that are none: the program's error, on its line. */
const WRONG: Programs = {
  javascript: `\n${js(`{ "html": "x" }`)}`,
  python: `\n${python(`{"html": "x"}`)}`,
  perl: `\nBelljar::display("html", "x")`,
  ruby: `\ndisplay_data("html", "x")`,
};

Deno.test("displays in all languages", async (t) => {
  await using target = sandboxTarget();
  const run = async (language: Language, code: string): Promise<ExecutionResult> => {
    const answer = await target.plainCall(`/execute/${language}`, jsonPost({ code }));
    assertEquals(answer.status, 200);
    return await answer.json();
  };
  for (const [name, [programs, displays]] of Object.entries(SHOWN)) {
    for (const language of LANGUAGES) {
      await t.step(`${language}: ${name}`, async () => {
        const { displays: shown, error } = await run(language, programs[language]);
        assertEquals([shown, error], [displays, undefined]);
      });
    }
  }
  for (const language of CONTEXT_LANGUAGES) {
    await t.step(
      `${language}: the displays of a run that is rolled back are in its result`,
      async () => {
        const [begin, endless, look] = ROLLED_BACK[language];
        const box = target.sandbox();
        await box.run(language, begin);
        const send = async (): Promise<ExecutionResult> => {
          const path = `/languages/${language}/sandboxes/${box.id}/execute`;
          const answer = await target.plainCall(path, {
            method: "POST",
            headers: { "content-type": "application/json", "idempotency-key": "rolled-back" },
            body: JSON.stringify({ code: endless, limits: { fuel: 300_000_000 } }),
          });
          assertEquals(answer.status, 200);
          return await answer.json();
        };
        const result = await send();
        assertEquals(await send(), result);
        const { displays, error, context } = result;
        assertEquals([displays, error?.name, context?.rolledBack], [
          [{ data: { "a/b": "x" } }],
          "ExecutionLimitError",
          true,
        ]);
        assertEquals((await box.run(language, look)).results, [{ text: "1" }]);
        assertEquals((await box.run(language, look)).displays, undefined);
      },
    );
  }
  for (const language of LANGUAGES) {
    await t.step(
      `${language}: a wrong type is the program's error, and shows nothing`,
      async () => {
        const { displays, error } = await run(language, WRONG[language]);
        assertEquals([displays, error?.lineNumber], [undefined, 2]);
        assertEquals(error?.name === "ExecutionLimitError", false);
      },
    );
  }
});
