import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { Language } from "../../client/protocol/types.ts";
import {
  CONTEXT_LANGUAGES,
  type SandboxTarget,
  sandboxTarget,
  shareService,
  type TargetSandbox,
} from "./sandbox_target.ts";

shareService();

/** Counts; fails after it has counted; has more output than a run may have; loops for ever. */
const WORDS = {
  javascript: {
    up: "globalThis.v = (globalThis.v ?? 0) + 1; console.log('é☃'); v",
    fail: "globalThis.v = (globalThis.v ?? 0) + 1; throw new TypeError('no')",
    much: "console.log('x'.repeat(2_000_000))",
    loop: "while (true) {}",
  },
  python: {
    up: "v = globals().get('v', 0) + 1\nprint('é☃')\nv",
    fail: "v = globals().get('v', 0) + 1\nraise TypeError('no')",
    much: "print('x' * 2_000_000)",
    loop: "while True: pass",
  },
  perl: {
    up: "our $v; $v++; binmode(STDOUT, ':utf8'); print qq(\\x{e9}\\x{2603}\\n); $v",
    fail: "our $v; $v++; die qq(no\\n)",
    much: "print 'x' x 2_000_000",
    loop: "1 while 1",
  },
} as const;

interface Answer {
  readonly status: number;
  readonly replayed: string | null;
  readonly text: string;
}

async function send(
  box: TargetSandbox,
  language: Language,
  headers: Record<string, string>,
  body: Record<string, unknown>,
): Promise<Answer> {
  const answer = await box.send("POST", "/execute", body, language, headers);
  const replayed = answer.headers.get("idempotency-replayed");
  return { status: answer.status, replayed, text: await answer.text() };
}

const keyOf = (key: string) => ({ "idempotency-key": key });
const ifMatch = (value: string) => ({ "if-match": value });

function parsed({ text }: Answer) {
  return JSON.parse(text);
}

async function inEachLanguage(target: SandboxTarget, t: Deno.TestContext): Promise<void> {
  for (const language of CONTEXT_LANGUAGES) {
    const words = WORDS[language];
    await t.step(
      `${language}: results, errors and limits are answered again as they were`,
      async () => {
        const box = target.sandbox();
        let runs = 0;
        for (const [word, code] of Object.entries(words)) {
          const first = await send(box, language, keyOf(word), { code });
          assertEquals([first.status, first.replayed], [200, null], first.text);
          assertEquals(parsed(first).executionCount, ++runs);
          const again = await send(box, language, keyOf(word), { code });
          assertEquals([again.status, again.replayed], [200, "true"]);
          assertEquals(again.text, first.text);
        }
        const { results, executionCount } = await box.run(language, words.up);
        assertEquals([results, executionCount], [[{ text: "3" }], runs + 1]);
      },
    );
  }
}

Deno.test("contract of repeats", async (t) => {
  await using target = sandboxTarget();
  await inEachLanguage(target, t);

  await t.step("20 simultaneous runs with one key create one context and run once", async () => {
    const box = target.sandbox();
    const calls = Array.from(
      { length: 20 },
      () => send(box, "python", keyOf("k"), { code: WORDS.python.up }),
    );
    const answers = await Promise.all(calls);
    assertEquals(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
    assertEquals(answers.filter(({ replayed }) => replayed === null).length, 1);
    assertEquals((await box.contexts()).length, 1);
    assertEquals(await box.value("python", "v"), "1");
  });

  await t.step("another body, language or context is 409, which names the key", async () => {
    const box = target.sandbox();
    const { id: contextId } = await box.context("python");
    await send(box, "python", keyOf("k"), { code: "v = 1" });
    const others: readonly (readonly [Language, Record<string, unknown>])[] = [
      ["python", { code: "v = 2" }],
      ["python", { code: "v = 1", envVars: { A: "1" } }],
      ["python", { code: "v = 1", limits: { wallMs: 5_000 } }],
      ["python", { code: "v = 1", contextId }],
      ["javascript", { code: "v = 1" }],
      ["ruby", { code: "v = 1" }],
    ];
    for (const [language, body] of others) {
      const answer = await send(box, language, keyOf("k"), body);
      const { code, message } = parsed(answer);
      assertEquals([answer.status, code], [409, "CONFLICT"], answer.text);
      assert(message.includes("Idempotency-Key"));
    }
    const [context] = await box.contexts();
    assertEquals(context?.id, contextId);
    assertEquals((await box.contexts()).length, 1);
  });

  await t.step(
    "keys belong to one sandbox and are deleted with it; contexts may be deleted earlier",
    async () => {
      const [box, other] = [target.sandbox(), target.sandbox()];
      const { id: contextId } = await box.context("python");
      const first = await send(box, "python", keyOf("k"), { code: "1", contextId });
      assertEquals(first.replayed, null);
      assertEquals((await send(other, "python", keyOf("k"), { code: "2" })).replayed, null);
      await box.ok("DELETE", `/contexts/${contextId}`);
      const again = await send(box, "perl", keyOf("k"), { code: "1", contextId });
      assertEquals([again.replayed, again.text], ["true", first.text]);
      await box.delete();
      assertEquals((await send(box, "python", keyOf("k"), { code: "2" })).replayed, null);
    },
  );

  await t.step("refusals are not stored", async () => {
    const box = target.sandbox();
    const body = { code: "1", contextId: "none" };
    assertEquals((await send(box, "python", keyOf("k"), body)).status, 404);
    assertEquals((await send(box, "python", keyOf("k"), { code: "" })).status, 400);
    assertEquals((await send(box, "python", keyOf("k"), { code: "1" })).replayed, null);
  });

  await t.step("after a disconnect the key is free or has its answer", async () => {
    const box = target.sandbox();
    const code = "import time\nv = globals().get('v', 0) + 1\nfor i in range(1_000_000): pass\nv";
    for (let round = 1; round <= 3; round++) {
      const leaving = new AbortController();
      const left = target.call(`/languages/python/sandboxes/${box.id}/execute`, {
        method: "POST",
        headers: { "content-type": "application/json", ...keyOf(`k${round}`) },
        body: JSON.stringify({ code }),
        signal: leaving.signal,
      }).then((answer) => answer.text()).catch(() => undefined);
      setTimeout(() => leaving.abort(), 60 * round);
      const again = await send(box, "python", keyOf(`k${round}`), { code });
      assertEquals([again.status, parsed(again).executionCount], [200, round], again.text);
      assertEquals(parsed(again).results, [{ text: String(round) }]);
      await left;
    }
  });

  await t.step(
    "If-Match: one of 20 simultaneous runs succeeds; errors name the problem",
    async () => {
      const box = target.sandbox();
      for (const value of ["*", '"1"']) {
        assertEquals((await send(box, "python", ifMatch(value), { code: "1" })).status, 412);
      }
      assertEquals(await box.contexts(), []);
      for (const runs of [0, 1]) {
        const calls = Array.from(
          { length: 20 },
          () => send(box, "python", ifMatch(`"${runs}"`), { code: "1" }),
        );
        const answers = await Promise.all(calls);
        const failed = answers.filter(({ status }) => status === 412).map(parsed);
        assertEquals([failed.length, answers.some(({ status }) => status === 200)], [19, true]);
        for (const { code, httpStatus, context } of failed) {
          assertEquals([code, httpStatus], ["PRECONDITION_FAILED", 412]);
          assertEquals(context.executions, runs + 1);
        }
      }
      for (const value of ["2", '"x"', '"2', '"2" "3"', "*, *"]) {
        const answer = await send(box, "python", ifMatch(value), { code: "1" });
        assertEquals([answer.status, parsed(answer).code], [400, "VALIDATION_FAILED"], value);
        assert(parsed(answer).message.startsWith("If-Match"), value);
      }
      for (const key of ["", "a b", "x".repeat(256)]) {
        const answer = await send(box, "python", keyOf(key), { code: "1" });
        assertEquals([answer.status, parsed(answer).code], [400, "VALIDATION_FAILED"], key);
        assert(parsed(answer).message.startsWith("Idempotency-Key"), key);
      }
      const both = { ...keyOf("both"), ...ifMatch('"2"') };
      const first = await send(box, "python", both, { code: "1" });
      assertEquals([first.status, first.replayed], [200, null]);
      const again = await send(box, "python", both, { code: "1" });
      assertEquals([again.status, again.replayed], [200, "true"]);
      assertEquals((await send(box, "python", ifMatch('W/"3"'), { code: "1" })).status, 412);
      assertEquals((await send(box, "python", ifMatch('"2", "3"'), { code: "1" })).status, 200);
    },
  );

  await t.step("stateless runs ignore the headers", async () => {
    const box = target.sandbox();
    const headers = { ...keyOf("k"), ...ifMatch('"7"') };
    const code = "rand(1 << 60)";
    const [first, second] = [
      await send(box, "ruby", headers, { code }),
      await send(box, "ruby", headers, { code }),
    ];
    assertEquals([first.status, second.status, second.replayed], [200, 200, null]);
    assertNotEquals(parsed(first).results, parsed(second).results);
    const answer = await target.call("/execute/ruby", {
      method: "POST",
      headers: { "content-type": "application/json", "if-match": "7", "idempotency-key": "a b" },
      body: JSON.stringify({ code }),
    });
    assertEquals(answer.status, 200);
    await answer.body?.cancel();
  });
});
