/**
 * Runs hostile programs against a separate service. After each case the service is healthy, a
 * harmless run gives the right answer in that language, and an earlier context still has its
 * variable; after every few cases, or each of them at full counts, JavaScript's are tried too. At the end, the memory of the process tree is near its baseline.
 */
import { assertEquals, assertLess } from "@std/assert";
import type { RunLimits } from "../../client/protocol/types.ts";
import type { BundledLanguage as Language } from "../../shared/languages.ts";
import { FUEL } from "../../shared/limits.ts";
import { count } from "../support/counts.ts";
import { treeOwnMemory } from "../support/process.ts";
import {
  KILLS_WITHOUT_END,
  LEAST_FUEL,
  SERVICE_LIMITS,
  SMALL_FUEL,
} from "../support/run_limits.ts";
import { execute, startService } from "../support/service.ts";
import { complaints, type HostileCase } from "./cases.ts";
import { jsonPost } from "../support/json_post.ts";

/** Harmless programs by language: print `canary` and return the list 2, 4, 6. */
const CANARIES: Readonly<Record<Language, string>> = {
  javascript: "console.log('canary'); [1, 2, 3].map((n) => n * 2)",
  python: "print('canary')\n[n * 2 for n in (1, 2, 3)]",
  perl: "print qq(canary\\n); [map { $_ * 2 } 1, 2, 3]",
  ruby: "puts 'canary'\n[1, 2, 3].map { |n| n * 2 }",
};
/** For a context: a program that keeps a variable, and one that returns it as 41. */
const KEPT: Readonly<
  Record<Language, readonly [keep: string, show: string] | undefined>
> = {
  javascript: ["let kept = () => 41; 41", "kept()"],
  python: ["def kept(): return 41\nkept()", "kept()"],
  perl: ["my $kept = 41; $kept", "$kept"],
  ruby: undefined,
};
/**
 * Maximum growth of the process tree's memory by the end. The first hundred runs warm a service that
 * has only started: it grows to some 1.6 times, and stays there. A leak of a memory per run would be
 * ten times as much.
 */
const GROWTH = 2;
/** Whether the suite runs at the service's own limits (`deno task test:hostile:full`), or at small ones. */
export const AT_SERVICE_LIMITS: boolean = Deno.env.get("HOSTILE_LIMITS") === "service";
/**
 * Variables of the attacked service. With little fuel the wall clock stays the service's, because
 * loops must end by fuel on a busy machine too.
 */
export const HOSTILE_LIMITS: Readonly<Record<string, string>> = {
  ...SERVICE_LIMITS,
  ...(AT_SERVICE_LIMITS ? {} : SMALL_FUEL),
  ...KILLS_WITHOUT_END,
};
/** Runs only cases with matching names, because the whole suite takes long. */
const ONLY = new RegExp(Deno.env.get("HOSTILE_ONLY") ?? "");
/** The wall clock of a run, and a little for the transfer. */
const LONGEST_MS = Number(HOSTILE_LIMITS["WALL_MS"]) + 500;

const WALL_CLOCK = /^Wall clock limit/;
/**
 * Names, or programs, of cases that fuel ends although nothing says so: they end in the same way
 * however little fuel they have.
 */
const ONLY_COMPUTES: readonly RegExp[] = [
  /^(endless(?! (gen|it|micro|async|int|timer|out))|catastrophic)|loops?$|huge|sparse|proxy|tied hash|without end$|and again$|growth$/,
  /digests|ciphers|decompress|surrogates|finalizers that allocate|a signal to itself/,
  /iter\(int|(?<!list\()itertools\.(count|repeat)|re\.(match|search)|^import (bz2|gzip|lzma|zip|zlib)|b64encode|\[held\]/,
  /pickle\.loads\(.*2a|b'l' \*|set_int_max_str_digits|def f\(\): f\(\)/,
  /10 ?\*\* ?10 ?\*\*|pow\(|factorial|Fraction|Rational|\*\*20$|\*= x|100_000 %|power of a big number/,
  /const_set|to_proc|Object\.new|a\.dup|def f = begin|^(->?\{|\{|if 1;|def a;|"#)|^eval\("(->|\{|if|def|\\")/,
  /^source of sub \{|^deep require|^container over|^held hash|two billion$|describe = sub/,
];
/** Share of the fuel that such a case gets, so that hundreds of cases take minutes. */
const LITTLE = 300;
const FUEL_MESSAGE = "Fuel limit reached: 1 units";
/** After how many cases the other language is tried. */
const OTHER_LANGUAGE_EVERY = count(8, 1);

/** Limits for a case: little fuel if only fuel ends it. */
function limitsFor(language: Language, hostile: HostileCase): RunLimits | undefined {
  const { name, outcome, message, error } = hostile;
  if (AT_SERVICE_LIMITS || outcome === "value" || outcome === "error") return undefined;
  const little = { fuel: Math.ceil(FUEL[language] / LITTLE) };
  if (message !== undefined || error !== undefined) {
    return message?.test(FUEL_MESSAGE) ? little : undefined;
  }
  return ONLY_COMPUTES.some((names) => names.test(name)) ? little : undefined;
}

/**
 * Cases whose message must name the fuel have already failed; the others are printed for the
 * reader.
 */
function report(language: Language, byWallClock: readonly string[]): void {
  const names = byWallClock.map((name) => `\n  ${name}`).join("");
  const text = `${language}: ${byWallClock.length} cases ended by the wall clock${names}\n`;
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}

async function canary(url: string, language: Language): Promise<void> {
  const { result } = await execute(url, language, CANARIES[language]);
  assertEquals(
    [result.logs.stdout, result.results, result.error],
    [["canary"], [{ json: [2, 4, 6] }], undefined],
  );
}

/** Runs one of the two programs in the canary context of a language, if it can have one. */
async function keptCanary(url: string, language: Language, which: 0 | 1): Promise<void> {
  const programs = KEPT[language];
  if (programs === undefined) return;
  const response = await fetch(
    `${url}/languages/${language}/sandboxes/canary/execute`,
    jsonPost({ code: programs[which] }),
  );
  assertEquals((await response.json()).results, [{ text: "41" }]);
}

async function checkInnocents(url: string, languages: readonly Language[]): Promise<void> {
  for (const language of languages) await canary(url, language);
  for (const language of languages) await keptCanary(url, language, 1);
  const health = await fetch(`${url}/healthz`);
  assertEquals((await health.json()).status, "ok");
}

/** Waits until each language has two isolates, both of them used. */
async function bothIsolates(url: string, languages: readonly Language[]): Promise<void> {
  for (let isolates: readonly number[] = [0]; isolates.some((count) => count < 2);) {
    await Promise.all(
      languages.flatMap((language) => [1, 2, 3, 4].map(() => canary(url, language))),
    );
    const health = await (await fetch(`${url}/healthz`)).json();
    isolates = health.languages.map((item: { isolates: number }) => item.isolates);
  }
}

/** Registers one step for each case. `settings`: further variables of the service. */
export async function attack(
  test: Deno.TestContext,
  language: Language,
  cases: readonly HostileCase[],
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const languages = [...new Set<Language>([language, "javascript"])];
  await using service = await startService({
    ISOLATES: "2",
    ...HOSTILE_LIMITS,
    ...(AT_SERVICE_LIMITS ? {} : LEAST_FUEL),
    ...settings,
    LANGUAGES: languages.join(),
  });
  const byWallClock: string[] = [];
  await bothIsolates(service.url, languages);
  for (const each of languages) await keptCanary(service.url, each, 0);
  const before = await treeOwnMemory(service.pid);
  const chosen = cases.filter(({ name }) => ONLY.test(name));
  for (const [index, hostile] of chosen.entries()) {
    const isTurn = (index + 1) % OTHER_LANGUAGE_EVERY === 0 || index === chosen.length - 1;
    await test.step(hostile.name, async () => {
      const { result } = await execute(
        service.url,
        language,
        hostile.code,
        limitsFor(language, hostile),
      );
      if (WALL_CLOCK.test(result.error?.message ?? "")) byWallClock.push(hostile.name);
      assertEquals(complaints(hostile, result), []);
      assertLess(result.durationMs, LONGEST_MS);
      await checkInnocents(service.url, isTurn ? languages : [language]);
    });
  }
  if (AT_SERVICE_LIMITS) report(language, byWallClock);
  await test.step("memory of the process tree is back near its baseline", async () => {
    assertLess(await treeOwnMemory(service.pid), before * GROWTH);
  });
}
