// test: long
/**
 * Hostile runs inside contexts: the context continues correctly, or is as before the run. Other
 * contexts, and the service, are not affected.
 */
import { assert, assertEquals, assertLess, assertMatch } from "@std/assert";
import { TargetSandbox } from "../contract/sandbox_target.ts";
import {
  type ContextLanguage,
  SNAPSHOT_LANGUAGES,
} from "../runtimes/engine/snapshot/engine_bench.ts";
import { count } from "../support/counts.ts";
import { treeOwnMemory } from "../support/process.ts";
import { type Service, startService } from "../support/service.ts";
import type { ExecutionResult } from "../../client/protocol/types.ts";
import { FUEL } from "../../shared/limits.ts";
import { AT_SERVICE_LIMITS, HOSTILE_LIMITS } from "./attack.ts";
import type { ContextCase, ContextWords } from "./contexts/case.ts";
import { JAVASCRIPT_CONTEXT } from "./contexts/javascript_cases.ts";
import { PERL_CONTEXT } from "./contexts/perl_cases.ts";
import { RUBY_CONTEXT } from "./contexts/ruby_cases.ts";
import { PYTHON_CONTEXT } from "./contexts/python_cases.ts";

const WORDS: Readonly<Record<ContextLanguage, ContextWords>> = {
  javascript: JAVASCRIPT_CONTEXT,
  python: PYTHON_CONTEXT,
  perl: PERL_CONTEXT,
  ruby: RUBY_CONTEXT,
};
const ONE_ISOLATE = { ISOLATES: "1", RUBY_CONTEXTS: "1" };
const CANARY = [41, "safe"];
/**
 * Maximum growth of the process tree's memory. V8's compiled code and garbage vary; a leak of a
 * hundred KiB per run would exceed this.
 */
const GROWTH = 1.5;
/** Cases that fill memory, files or the store. */
const HEAVY = /MiB|memory|as many files/;
const RUNS = count(150, 1_000);
/** The run after which memory is first measured. */
const EARLY = count(50, 100);
/** Cases that only compute, after a few changes: little fuel ends them as much does. */
const ONLY_COMPUTES = /^endless loop|never ends?$|that never answers$/;
const LITTLE = 200;
/** Of the cases that are repeated, one in so many. */
const REPEATED_EVERY = count(2, 1);
/** Maximum bytes of a small context in the store, whatever it did before. */
const STORED_BYTES = 256 * 1024;

function sandboxOf({ url }: Service): TargetSandbox {
  return new TargetSandbox((path, init) => fetch(url + path, init), crypto.randomUUID());
}

/** The outcome of a run, in the words of the cases. */
function outcomeOf({ error, context }: ExecutionResult): string {
  if (error === undefined) return "kept";
  return context?.rolledBack === true ? "rolled back" : "failed";
}

function limitsFor(language: ContextLanguage, { name }: ContextCase) {
  if (AT_SERVICE_LIMITS || !ONLY_COMPUTES.test(name)) return {};
  return { limits: { fuel: Math.ceil(FUEL[language] / LITTLE) } };
}

async function runCase(box: TargetSandbox, language: ContextLanguage, hostile: ContextCase) {
  const words = WORDS[language];
  await box.value(language, words.make);
  let last: ExecutionResult | undefined;
  for (const [index, code] of hostile.runs.entries()) {
    last = await box.run(language, code, limitsFor(language, hostile));
    assertEquals(last.executionCount, index + 2);
  }
  assert(last !== undefined);
  const said = `${last.error?.name}: ${last.error?.message}`;
  if (hostile.outcome !== "any") assertEquals(outcomeOf(last), hostile.outcome, said);
  if (hostile.message !== undefined) assertMatch(said, hostile.message);
  // twice: as resident, and as a run after a probe leaves it
  for (let turn = 0; turn < 2; turn++) {
    const seen = await box.run(language, words.show);
    const intact = JSON.stringify(seen.results) === JSON.stringify([{ json: CANARY }]);
    if (hostile.losesVariable !== true || outcomeOf(last) === "rolled back") {
      assert(intact, `after ${said}: ${JSON.stringify([seen.results, seen.error])}`);
    }
  }
}

async function checkCanaries(canaries: ReadonlyMap<ContextLanguage, TargetSandbox>) {
  for (const [language, box] of canaries) {
    assertEquals(await box.value(language, WORDS[language].show), CANARY, language);
  }
}

for (const language of SNAPSHOT_LANGUAGES) {
  Deno.test(`hostile runs in contexts of ${language}: state is committed or rolled back`, async (t) => {
    const other = language === "python" ? "javascript" : "python";
    await using service = await startService({
      ...ONE_ISOLATE,
      LANGUAGES: [language, other].join(),
      ...HOSTILE_LIMITS,
    });
    const canaries = new Map<ContextLanguage, TargetSandbox>();
    for (const each of [language, other] as const) {
      const box = sandboxOf(service);
      await box.value(each, WORDS[each].make);
      canaries.set(each, box);
    }
    const { cases } = WORDS[language];
    for (const hostile of cases) {
      await t.step(hostile.name, async () => {
        const box = sandboxOf(service);
        await runCase(box, language, hostile);
        await checkCanaries(canaries);
        await box.delete();
        const health = await (await fetch(`${service.url}/healthz`)).json();
        assertEquals(health.status, "ok");
      });
    }
    await t.step("repeating it takes no more memory of the process tree", async () => {
      const before = await treeOwnMemory(service.pid);
      const heavy = cases.filter(({ name }) => HEAVY.test(name));
      for (const hostile of heavy.filter((_, index) => index % REPEATED_EVERY === 0)) {
        const box = sandboxOf(service);
        await runCase(box, language, hostile);
        await box.delete();
      }
      await checkCanaries(canaries);
      assertLess(await treeOwnMemory(service.pid), before * GROWTH);
    });
  });

  Deno.test(`hostile runs in contexts of ${language}: hundreds of runs stay small`, async () => {
    await using service = await startService({ ...ONE_ISOLATE, LANGUAGES: language });
    const box = sandboxOf(service);
    const { count } = WORDS[language];
    let early = 0;
    for (let run = 1; run <= RUNS; run++) {
      const result = await box.run(language, count);
      assertEquals([result.executionCount, result.results], [run, [{ text: `${run}` }]]);
      if (run === EARLY) early = await treeOwnMemory(service.pid);
    }
    const { contexts } = await box.ok("GET", "", undefined, { language });
    assert(Array.isArray(contexts));
    assertLess(contexts[0].snapshot.storedBytes, STORED_BYTES);
    assertLess(await treeOwnMemory(service.pid), early * GROWTH);
  });
}
