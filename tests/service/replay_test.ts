// test: long
/** With `seed` and `clock` a run from the same state gives the same bytes, in every process. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { ExecutionResult } from "../../client/protocol/types.ts";
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  type BundledLanguage as Language,
  isBundled,
  isLanguage,
} from "../../shared/languages.ts";
import type { SandboxInfo } from "../../shared/sandbox_types.ts";
import { withServices } from "../support/context_caller.ts";
import { count } from "../support/counts.ts";
import { printedSeed, seededBelow } from "../support/random.ts";
import { replayedPrograms } from "../support/replayed_programs.ts";
import { WAITING_PROGRAMS } from "../support/waiting_programs.ts";
import { jsonPost } from "../support/json_post.ts";

/** Programs of each language. The full count is 300 for the four languages together. */
const PROGRAMS = count(16, 75);
const REPEATS = count(2, 5);
const MOST_SEED = Number.MAX_SAFE_INTEGER;
/** In the years 1980 to 2200. */
const EARLIEST = Date.UTC(1980, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

/**
 * The part of a result that must be the same: all but how long it took and where it ran. A run that reached a
 * limit shows nothing of what came after.
 */
function repeatable({ code, logs, results, error, displays, usage }: ExecutionResult) {
  assertNotEquals(error?.name, "LimitExceeded", `${error?.message}\n${code}`);
  return { logs, results, error, displays, usage };
}

async function post(url: string, body: unknown): Promise<ExecutionResult> {
  const response = await fetch(url, jsonPost(body));
  const answer = await response.json();
  assertEquals(response.status, 200, JSON.stringify(answer));
  return answer;
}

function sandboxUrl(url: string, language: Language, name: string): string {
  return `${url}/languages/${language}/sandboxes/${name}`;
}

/** The state as the sandbox shows it: the memory's pages, and each file with its time. */
async function stateOf(url: string): Promise<unknown> {
  const info: SandboxInfo = await (await fetch(`${url}/`)).json();
  const snapshots = info.contexts.map(({ snapshot, cwd, executions }) => ({
    pages: snapshot?.pages,
    storedBytes: snapshot?.storedBytes,
    cwd,
    executions,
  }));
  const response = await fetch(
    `${url}/files`,
    jsonPost({ op: "list", path: "/workspace", recursive: true, includeHidden: true }),
  );
  const { files } = await response.json();
  const listed = files.map((file: { type: string; modifiedAt: string }) =>
    file.type === "file" ? file : { ...file, modifiedAt: undefined }
  );
  return { snapshots, files: listed };
}

function fixed(below: (most: number) => number): { readonly seed: number; readonly clock: number } {
  return { seed: below(MOST_SEED), clock: EARLIEST + below(LATEST - EARLIEST) };
}

Deno.test("replay: runs without a context give the same bytes in two processes", async () => {
  const seed = printedSeed("replayed programs");
  await withServices(2, {}, async ({ urls }) => {
    for (const language of LANGUAGES) {
      const below = seededBelow(seed);
      for (const code of replayedPrograms(language, PROGRAMS, seed)) {
        const body = { code, ...fixed(below) };
        const answers: unknown[] = [];
        for (let repeat = 0; repeat < REPEATS; repeat++) {
          for (const url of urls) {
            answers.push(repeatable(await post(`${url}/execute/${language}`, body)));
          }
        }
        const [first, ...others] = answers;
        for (const other of others) assertEquals(other, first, `${language}:\n${code}`);
      }
    }
  });
});

Deno.test("replay: runs in contexts give the same bytes with stored and with resident state", async () => {
  const seed = printedSeed("replayed programs in contexts");
  await withServices(2, {}, async ({ urls: [one = "", other = ""] }) => {
    for (const language of LANGUAGES) {
      const below = seededBelow(seed);
      for (const [index, code] of replayedPrograms(language, PROGRAMS, seed).entries()) {
        const before = { code: replayedPrograms(language, 1, seed + index)[0], ...fixed(below) };
        const body = { code, ...fixed(below) };
        const outcomes = [];
        for (let repeat = 0; repeat < REPEATS; repeat++) {
          // the second run has the state in its process, or has it from the store
          const [url, next] = repeat % 2 === 0 ? [one, one] : [one, other];
          const name = `${language}-${index}-${repeat}`;
          const first = await post(`${sandboxUrl(url, language, name)}/execute`, before);
          const box = sandboxUrl(next, language, name);
          const second = await post(`${box}/execute`, body);
          outcomes.push([repeatable(first), repeatable(second), await stateOf(box)]);
          await (await fetch(`${box}/`, { method: "DELETE" })).body?.cancel();
        }
        const [expected, ...others] = outcomes;
        for (const outcome of others) {
          assertEquals(outcome, expected, `${language}:\n${before.code}\n---\n${code}`);
        }
      }
    }
  });
});

Deno.test("replay: every way to wait ends on a clock that is set, and at the same time", async () => {
  await withServices(2, {}, async ({ urls }) => {
    for (const language of LANGUAGES) {
      for (const code of WAITING_PROGRAMS[language]) {
        const body = { code, seed: 1, clock: EARLIEST };
        const [first, other] = await Promise.all(
          urls.map(async (url) => repeatable(await post(`${url}/execute/${language}`, body))),
        );
        assertEquals(first?.error, undefined, `${language}:\n${code}`);
        assertEquals(other, first, `${language}:\n${code}`);
      }
    }
  });
});

/** Writes two files, the later name first; and shows files in the order of their inodes. */
const ORDER: { readonly [language: string]: readonly [write: string, show: string] } = {
  javascript: [
    `for (const f of ["b", "a"]) require("fs").writeFileSync(f, f)`,
    `const fs = require("fs"); [fs.readdirSync("."), ["a", "b"].map((f) => fs.statSync(f).ino)]`,
  ],
  python: [
    `for f in "ba": open(f, "w").write(f)`,
    `import os\n[os.listdir("."), [os.stat(f).st_ino for f in "ab"]]`,
  ],
  perl: [
    `for my $f ("b", "a") { open my $o, ">", $f; print $o $f; close $o }`,
    `opendir my $d, "."; [[readdir $d], [map { (stat $_)[1] } "a", "b"]]`,
  ],
  ruby: [
    `%w[b a].each { |f| File.write(f, f) }`,
    `[Dir.children("."), %w[a b].map { |f| File.stat(f).ino }]`,
  ],
};

Deno.test("replay: files are numbered and listed alike in the process that wrote them and in another", async () => {
  await withServices(2, {}, async ({ urls: [one = "", other = ""] }) => {
    for (const [language, [write, show]] of Object.entries(ORDER)) {
      if (!isLanguage(language) || !isBundled(language)) throw new Error(language);
      const replay = { seed: 1, clock: EARLIEST };
      await post(`${sandboxUrl(one, language, `${language}-1`)}/execute`, { code: write });
      await post(`${sandboxUrl(one, language, `${language}-2`)}/execute`, { code: write });
      const here = sandboxUrl(one, language, `${language}-1`);
      const there = sandboxUrl(other, language, `${language}-2`);
      const { results } = await post(`${here}/execute`, { code: show, ...replay });
      assertEquals((await post(`${there}/execute`, { code: show, ...replay })).results, results);
    }
  });
});

const RANDOM_AND_TIME: { readonly [L in Language]: string } = {
  javascript: "[Math.random(), Date.now()]",
  python: "import random, time\n[random.random(), round(time.time() * 1000)]",
  perl: "use Time::HiRes (); [rand(), int(Time::HiRes::time() * 1000 + 0.5)]",
  ruby: "[rand, (Time.now.to_r * 1000).round]",
};

Deno.test("replay: each field has its effect, and does not affect the next run", async () => {
  await withServices(1, {}, async ({ urls: [url = ""] }) => {
    for (const language of LANGUAGES) {
      const path = `${sandboxUrl(url, language, language)}/execute`;
      const code = RANDOM_AND_TIME[language];
      const run = async (fields: object): Promise<readonly [number, number]> => {
        const { results: [value], error } = await post(path, { code, ...fields });
        assert(Array.isArray(value?.json), JSON.stringify(error));
        const [random, time] = value.json;
        assert(typeof random === "number" && typeof time === "number");
        return [random, time];
      };
      const started = Date.now();
      const both = await run({ seed: 1, clock: 5_000 });
      assertEquals(both[1], 5_000, language);
      assertEquals(await run({ seed: 1, clock: 5_000 }), both);
      const [random, seededTime] = await run({ seed: 1 });
      assertEquals(random, both[0]);
      assert(seededTime >= started && seededTime <= Date.now(), language);
      const [fresh, set] = await run({ clock: 2 ** 41 });
      assertNotEquals(fresh, both[0]);
      assertEquals(set, 2 ** 41);
      const [plain, now] = await run({});
      assertNotEquals(plain, both[0]);
      assert(now >= seededTime && now <= Date.now(), language);
      assertNotEquals((await run({ seed: 0, clock: 0 }))[0], both[0]);
    }
  });
});

Deno.test("replay: the ends of both ranges hold, and beyond them is 400", async () => {
  await withServices(1, {}, async ({ urls: [url = ""] }) => {
    for (const language of LANGUAGES) {
      for (const clock of [0, 8.64e15]) {
        const result = await post(`${url}/execute/${language}`, {
          code: RANDOM_AND_TIME[language],
          seed: Number.MAX_SAFE_INTEGER,
          clock,
        });
        assertEquals(result.error, undefined, `${language} ${clock}`);
      }
    }
    const paths = [`${url}/execute/python`, `${sandboxUrl(url, "python", "bad")}/execute`];
    for (const path of paths) {
      for (const [field, most] of [["seed", MOST_SEED], ["clock", 8.64e15]] as const) {
        for (const value of [-1, 0.5, most + 2, "1", null, true, [], {}]) {
          const response = await fetch(path, jsonPost({ code: "1", [field]: value }));
          const { code, message } = await response.json();
          assertEquals([response.status, code], [400, "VALIDATION_FAILED"]);
          assertEquals(message, `${field} must be an integer from 0 to ${most}`);
        }
      }
    }
  });
});

Deno.test("replay: JavaScript's performance counts from the set clock, and from its own afterwards", async () => {
  await withServices(1, {}, async ({ urls: [url = ""] }) => {
    const run = async (fields: object): Promise<readonly unknown[]> => {
      const code = "[performance.timeOrigin, performance.now()]";
      const path = `${sandboxUrl(url, "javascript", "origin")}/execute`;
      const { results: [value] } = await post(path, { code, ...fields });
      assert(Array.isArray(value?.json));
      return value.json;
    };
    const started = Date.now();
    assertEquals(await run({ seed: 1, clock: 5_000 }), [5_000, 0]);
    const [origin] = await run({});
    assert(Number(origin) >= started, `${origin}`);
    assertEquals(await run({ clock: 7_000 }), [7_000, 0]);
    const [again, now] = await run({});
    assertEquals(again, origin);
    assert(Number(now) >= 0);
  });
});
