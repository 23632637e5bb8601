// test: long
/**
 * Contexts and sandboxes that are deleted, or expire, while their runs are going.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { ContextCaller, TEST_LEASE_MS, withServices } from "../support/context_caller.ts";
import type { GuestLanguage } from "../support/kill_guests.ts";
import { count } from "../support/counts.ts";
import { sweep, wrongKeys } from "../support/kill_keys.ts";
import { pause } from "../support/wait.ts";

/** Changes a variable and a file, and never ends. */
const ENDLESS: readonly (readonly [GuestLanguage, string])[] = [
  ["javascript", `globalThis.late = 1; require("fs").writeFileSync("late", "1"); for (;;);`],
  ["python", `late = 1\nopen("late", "w").write("1")\nwhile True: pass`],
  ["perl", `our $late = 1; open(my $o, '>', 'late'); print $o 1; close $o; 1 while 1;`],
  ["ruby", "late = 1; File.write('late', '1'); loop {}"],
];

/** Long enough for a busy machine to answer the next call first. */
const IDLE_MS = 3_000;

const endless = (language: GuestLanguage) => ({
  LANGUAGES: language,
  ISOLATES: "2",
  WALL_MS: "300000",
  [`FUEL_${language.toUpperCase()}`]: String(2 ** 50),
});

/** The deletions: both by each process in one language; in the others one by each. */
function deletedFrom(language: GuestLanguage, itself: boolean): readonly ("context" | "sandbox")[] {
  const all = ["context", "sandbox"] as const;
  if (language === "javascript" || count(0, 1) === 1) return all;
  return itself ? ["context"] : ["sandbox"];
}

for (const [language, code] of ENDLESS) {
  Deno.test(`context deletion: ${language}, by the process that runs it and by another`, () =>
    withServices(2, endless(language), async ({ urls: [here = "", there = ""], kv }) => {
      const caller = new ContextCaller(here, language);
      for (const from of [here, there]) {
        for (const what of deletedFrom(language, from === here)) {
          await caller.result("1");
          const [context] = (await caller.info()).contexts;
          assert(context !== undefined);
          const going = caller.run(code, { contextId: context.id });
          await pause(500);
          const waiting = [here, there].flatMap((url) => {
            const other = new ContextCaller(url, language);
            return [other.run("2", { contextId: context.id }), other.run("2")];
          });
          await pause(600);
          // on a busy machine it takes longer until they wait; later calls are answered after that
          for (const url of [here, there, here, there, here, there]) {
            await new ContextCaller(url, language).info();
          }
          const began = performance.now();
          const path = what === "context" ? `/contexts/${context.id}` : "/";
          assertEquals(await new ContextCaller(from, language).remove(path), 200);
          for (const answer of await Promise.all([going, ...waiting])) {
            assert(answer.status === 409 || answer.status === 404, JSON.stringify(answer));
          }
          assert(performance.now() - began < 60_000, "a run outlived its context for long");
          assertEquals([(await caller.info()).contexts, await caller.text("late")], [
            [],
            undefined,
          ]);
          await sweep(kv, TEST_LEASE_MS);
          assertEquals(await wrongKeys(kv), [], `${what} deleted`);
        }
      }
      assertEquals(await caller.executions(), 0);
    }));
}

Deno.test("context deletion: contexts that two processes create, run and delete leave no data", () =>
  withServices(2, { LANGUAGES: "javascript" }, async ({ urls, kv }) => {
    const callers = urls.map((url) => new ContextCaller(url, "javascript"));
    const [one, two] = callers;
    assert(one !== undefined && two !== undefined);
    // each process has the engine in the store, so that it writes nothing beside its answers
    for (const caller of callers) await caller.result("0");
    for (let round = 0; round < count(10, 25); round++) {
      const runs = callers.map((caller) => caller.run("globalThis.n = 1"));
      await pause((round % 10) * 12);
      assertEquals(await (round % 2 === 0 ? one : two).remove(), 200);
      for (const { status } of await Promise.all(runs)) assert([200, 404, 409].includes(status));
      assertEquals(await one.remove(), 200);
      assertEquals((await two.info()).contexts, []);
    }
    await sweep(kv, TEST_LEASE_MS);
    assertEquals(await wrongKeys(kv), []);
  }));

Deno.test("context expiry: does not happen during a run, and leaves nothing afterwards", () =>
  withServices(1, {
    LANGUAGES: "javascript,perl",
    SANDBOX_IDLE_TTL_MS: String(IDLE_MS),
    WALL_MS: "300000",
    FUEL_JAVASCRIPT: String(2 ** 50),
  }, async ({ urls: [url = ""], kv }) => {
    const caller = new ContextCaller(url, "javascript");
    await new ContextCaller(url, "perl").result("our $x = 1");
    const going = caller.value(`require("fs").writeFileSync("f", "1"); globalThis.x = 1;
      const end = Date.now() + ${3 * IDLE_MS}; while (Date.now() < end); [x]`);
    // its later commit must not meet a janitor that considers it dead
    const enough = performance.now() + 1.5 * IDLE_MS;
    while (performance.now() < enough) {
      await pause(500);
      await sweep(kv, TEST_LEASE_MS); // the janitor, which searches for expired sandboxes
    }
    assertEquals(await going, [1]);
    assertEquals([await caller.text("f"), await caller.value("x")], ["1", "1"]);
    await pause(IDLE_MS + 500);
    assertGreater(await sweep(kv, TEST_LEASE_MS), 0);
    assertEquals(await wrongKeys(kv), []);
    for (const kind of ["sandbox", "sandbox_blob", "sandbox_lease", "expiry", "interpreter"]) {
      for await (const { key } of kv.list({ prefix: [kind] })) throw new Error(String(key));
    }
    assertEquals((await caller.info()).createdAt, null);
    assertEquals(await caller.value("globalThis.x ?? [0]"), [0]);
  }));
