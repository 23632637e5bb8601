/** The same display in every language: one entry, the same. */
import { assertEquals } from "@std/assert";
import type { Display, ExecutionResult, Language } from "../../client/protocol/types.ts";
import { LANGUAGES } from "../../wire/languages.ts";
import { sandboxTarget, shareService } from "./sandbox_target.ts";

shareService();

type Programs = Readonly<Record<Language, string>>;

const js = (bundle: string) => `display({ [Symbol.for("Jupyter.display")]: () => (${bundle}) })`;
const python = (bundle: string, rest = "") => `display(${bundle}, raw=True${rest})`;

/** What programs show, and the entries of the answer. */
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
    const answer = await target.plainCall(`/execute/${language}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
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
