/** The displays of runs, in every language that has programs for them here. */
import { assert, assertEquals } from "@std/assert";
import type { ExecutionResult } from "../../client/protocol/types.ts";
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  type BundledLanguage as Language,
} from "../../shared/languages.ts";
import { eventsOf, STREAM_TYPES, streamHeaders } from "../support/run_stream.ts";
import {
  CONTEXT_LANGUAGES,
  type SandboxTarget,
  sandboxTarget,
  shareService,
} from "./sandbox_target.ts";
import { jsonPost } from "../support/json_post.ts";

shareService();

const LIMIT = "Display limit reached: 1048576 bytes or 16 entries";

/** Programs of a language. */
interface Programs {
  /** Shows the HTML `<b>1</b>`, has the value 7, and nothing else. */
  readonly html: string;
  /** Prints `one`, shows the HTML `<i>`, prints `two`. */
  readonly between: string;
  /** Shows a hundred things and then sets the global `kept`; the value is 1. */
  readonly flood: string;
  /** Shows the HTML `<i>` and fails. */
  readonly failing: string;
  /** Shows the HTML `<i>` and never ends. */
  readonly endless: string;
  /** The value is the global `kept`, which is the number 5. */
  readonly kept: string;
  /** The value has the HTML `<table>`, and is a container or a text. */
  readonly main?: string;
}

const JS_HTML = (html: string) =>
  `display({ [Symbol.for("Jupyter.display")]: () => ({ "text/html": "${html}" }) })`;

/** A language is one more row. */
const PROGRAMS: { readonly [L in Language]?: Programs } = {
  javascript: {
    html: `${JS_HTML("<b>1</b>")}; 7`,
    between: `console.log("one"); ${JS_HTML("<i>")}; console.log("two")`,
    flood: "for (let i = 0; i < 100; i++) display(i); var kept = 5; 1",
    failing: `${JS_HTML("<i>")}; throw new Error("mine")`,
    endless: `${JS_HTML("<i>")}; for (;;);`,
    kept: "kept",
    main: '({ [Symbol.for("Jupyter.display")]: () => ({ "text/html": "<table>" }) })',
  },
};

const html = (text: string) => ({ data: { "text/html": text } });

async function execute(
  target: SandboxTarget,
  language: Language,
  code: string,
  fields: object = {},
): Promise<ExecutionResult> {
  const answer = await target.call(`/execute/${language}`, jsonPost({ code, ...fields }));
  assertEquals(answer.status, 200);
  return await answer.json();
}

type Step = (target: SandboxTarget, language: Language, programs: Programs) => Promise<void>;

const STEPS: Readonly<Record<string, Step>> = {
  "what is shown is beside the value": async (target, language, programs) => {
    for (let form = 0; form < 3; form++) {
      const { displays, results } = await execute(target, language, programs.html);
      assertEquals([displays, results], [[html("<b>1</b>")], [{ text: "7" }]]);
    }
    assert(!("displays" in await execute(target, language, "1")));
  },

  "the value's own form is the last one, and main": async (target, language, { main }) => {
    if (main === undefined) return;
    const { displays = [], results } = await execute(target, language, main);
    const last = displays.at(-1);
    assertEquals([last?.main, last?.data["text/html"]], [true, "<table>"]);
    assertEquals(results.length, 1);
  },

  "a stream has each where it arose": async (target, language, { between }) => {
    for (const type of STREAM_TYPES) {
      const answer = await target.plainCall(`/execute/${language}`, {
        method: "POST",
        headers: streamHeaders(type),
        body: JSON.stringify({ code: between }),
      });
      const events = await Array.fromAsync(eventsOf(answer));
      assertEquals(events.slice(0, -1), [
        { type: "start" },
        { type: "stdout", text: "one" },
        { type: "display", display: html("<i>") },
        { type: "stdout", text: "two" },
      ]);
    }
  },

  "a run with too many goes on, and says so": async (target, language, { flood }) => {
    const { displays, results, error } = await execute(target, language, flood);
    assertEquals([displays?.length, results], [16, []]);
    assertEquals([error?.name, error?.message], ["ExecutionLimitError", LIMIT]);
  },

  "a run that fails or is stopped keeps what it showed": async (target, language, programs) => {
    const failed = await execute(target, language, programs.failing);
    assertEquals([failed.displays, failed.results], [[html("<i>")], []]);
    assert(failed.error !== undefined && failed.error.name !== "ExecutionLimitError");
    const limits = { fuel: 200_000_000 };
    const stopped = await execute(target, language, programs.endless, { limits });
    assertEquals([stopped.displays, stopped.error?.name], [[html("<i>")], "ExecutionLimitError"]);
    // on a busy machine it has shown nothing after 200 ms; on an idle one its fuel lasts for 500
    for (const wallMs of [200, 400, 800, 1_600]) {
      const killed = await execute(target, language, programs.endless, { limits: { wallMs } });
      if (killed.displays === undefined && wallMs < 1_600) continue;
      assertEquals(killed.displays, [html("<i>")]);
      assertEquals(killed.error?.message, `Wall clock limit reached: ${wallMs} ms`);
      break;
    }
  },

  "a context keeps its state after too many, and an answer is given again": async (
    target,
    language,
    { flood, kept },
  ) => {
    if (!CONTEXT_LANGUAGES.some((name) => name === language)) return;
    const box = target.sandbox();
    const path = `/languages/${language}/sandboxes/${box.id}/execute`;
    const send = async () => {
      const answer = await target.call(path, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": "flood" },
        body: JSON.stringify({ code: flood }),
      });
      const result: ExecutionResult = await answer.json();
      return [answer.status, result] as const;
    };
    const [status, first] = await send();
    assertEquals([status, first.error?.message, first.displays?.length], [200, LIMIT, 16]);
    assertEquals(first.context?.rolledBack, undefined);
    for (let form = 0; form < 3; form++) assertEquals(await send(), [200, first]);
    assertEquals((await box.run(language, kept)).results, [{ text: "5" }]);
  },
};

Deno.test("displays", async (t) => {
  await using target = sandboxTarget();
  for (const language of LANGUAGES) {
    const programs = PROGRAMS[language];
    if (programs === undefined) continue;
    for (const [name, step] of Object.entries(STEPS)) {
      await t.step(`${language}: ${name}`, () => step(target, language, programs));
    }
  }
});
