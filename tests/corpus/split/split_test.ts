// test: long
/**
 * Programs cut at their top-level statements: run piece by piece in one context they write and
 * end as they do when they are run at once.
 */
import { assertEquals, assertGreater } from "@std/assert";
import type { ExecutionResult } from "../../../client/protocol/types.ts";
import {
  type ContextLanguage,
  SNAPSHOT_LANGUAGES,
} from "../../runtimes/engine/snapshot/engine_bench.ts";
import { count } from "../../support/counts.ts";
import { seeded } from "../../support/random.ts";
import { startService } from "../../support/service.ts";
import { difference } from "./equivalence.ts";
import { javaScriptPrograms, splitJavaScript } from "./javascript_split.ts";
import { perlPrograms, splitPerl } from "./perl_split.ts";
import { cut, type Statement } from "./pieces.ts";
import { pythonPrograms, splitPython } from "./python_split.ts";
import { rubyPrograms, splitRuby } from "./ruby_split.ts";
import { runOnce, SplitContext } from "./service_runs.ts";

interface Corpus {
  readonly programs: () => ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>>;
  readonly split: (url: string, code: string) => Promise<readonly Statement[]>;
}

const CORPORA: Readonly<Record<ContextLanguage, Corpus>> = {
  javascript: {
    programs: javaScriptPrograms,
    split: async (_url, code) => await splitJavaScript(code),
  },
  python: { programs: pythonPrograms, split: splitPython },
  perl: { programs: perlPrograms, split: splitPerl },
  ruby: { programs: rubyPrograms, split: splitRuby },
};
/** In Ruby an assignment has a value, which may be long. */
const ONE_ISOLATE = { ISOLATES: "1", RUBY_CONTEXTS: "1", RESULT_BYTES: String(1 << 20) };
const FEWEST_PIECES = 3;
/** Of the programs that have so many statements, how many must be cut into so many pieces. */
const SHARE = 0.85;
const NO_STATEMENTS = "no program of the language";
/** How many programs of a language are cut; `SPLIT_SEED` chooses others. */
const CUT = count(40, Infinity);
/** How many of these are run; `SPLIT_SEED` chooses others. */
const SAMPLE = count(10, Infinity);
const RESTORED_SAMPLE = count(2, 16);
const RESTARTED_SAMPLE = count(1, 8);
const SEED = Number(Deno.env.get("SPLIT_SEED") ?? 20_260_101);

interface CutProgram {
  readonly name: string;
  readonly code: string;
  readonly pieces: readonly string[];
}

/** Programs in three pieces and more, and why the others are not. */
interface CutCorpus {
  readonly programs: readonly CutProgram[];
  readonly excluded: ReadonlyMap<string, readonly string[]>;
  /** Programs of three statements and more. */
  readonly longEnough: number;
}

const corpora = new Map<ContextLanguage, CutCorpus>();

/** Cut once: all tests of a language use the same pieces. */
async function corpusOf(url: string, language: ContextLanguage): Promise<CutCorpus> {
  const known = corpora.get(language) ?? await cutCorpus(url, language);
  corpora.set(language, known);
  return known;
}

async function cutCorpus(url: string, language: ContextLanguage): Promise<CutCorpus> {
  const { programs, split } = CORPORA[language];
  const found: CutProgram[] = [];
  const excluded = new Map<string, string[]>();
  let longEnough = 0;
  const exclude = (reason: string, name: string) =>
    excluded.set(reason, [...excluded.get(reason) ?? [], name]);
  const chosen = sampleOf([...await programs()], CUT, seeded(SEED));
  for (const [name, code] of chosen) {
    const statements = await statementsOf(split(url, code));
    const { pieces, reasons } = cut(statements);
    if (statements.length >= FEWEST_PIECES) longEnough++;
    if (pieces.length >= FEWEST_PIECES) found.push({ name, code, pieces });
    else if (statements.length === 0) exclude(NO_STATEMENTS, name);
    else exclude(reasons[0] ?? "fewer than three statements", name);
  }
  return { programs: found, excluded, longEnough };
}

/** None when the program does not compile: its parser said so. */
async function statementsOf(
  splitting: Promise<readonly Statement[]>,
): Promise<readonly Statement[]> {
  try {
    return await splitting;
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** The turns of a program: each gives what a piece came to. */
async function* runPieces(
  url: () => string,
  language: ContextLanguage,
  { pieces }: CutProgram,
): AsyncGenerator<ExecutionResult> {
  const context = new SplitContext(language);
  for (const piece of pieces) {
    const result = await context.run(url(), piece);
    yield result;
    if (result.error !== undefined) break; // a program ends with its first error
  }
  await context.delete(url());
}

/** The difference as a message; empty when there is none. */
async function compare(
  url: string,
  language: ContextLanguage,
  program: CutProgram,
  results: readonly ExecutionResult[],
): Promise<readonly string[]> {
  const found = difference(await runOnce(url, language, program.code), results);
  return found === undefined ? [] : [`${program.name}: ${found}`];
}

function tell(language: ContextLanguage, { programs, excluded, longEnough }: CutCorpus): void {
  const pieces = programs.reduce((sum, program) => sum + program.pieces.length, 0);
  const others = [...excluded].map(([reason, names]) => `${reason}: ${names.join(", ")}`);
  report(
    `${language}: ${programs.length} programs of ${longEnough} with three statements and more, ` +
      `in ${pieces} pieces; not cut:\n  ${others.join("\n  ")}\n`,
  );
}

function report(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}

/** A sample that its seed repeats. */
function sampleOf<T>(all: readonly T[], count: number, random: () => number): readonly T[] {
  const left = [...all];
  const size = Math.min(count, left.length);
  return Array.from({ length: size }, () => left.splice(Math.floor(random() * left.length), 1))
    .flat();
}

for (const language of SNAPSHOT_LANGUAGES) {
  Deno.test(`split programs, ${language}: pieces in one context do what the whole does`, async () => {
    await using service = await startService({ ...ONE_ISOLATE, LANGUAGES: language });
    const corpus = await corpusOf(service.url, language);
    tell(language, corpus);
    assertGreater(corpus.programs.length / corpus.longEnough, SHARE);
    const wrong: string[] = [];
    report(`seed ${SEED}\n`);
    for (const program of sampleOf(corpus.programs, SAMPLE, seeded(SEED))) {
      const results = await Array.fromAsync(runPieces(() => service.url, language, program));
      wrong.push(...await compare(service.url, language, program, results));
    }
    assertEquals(wrong, []);
  });

  Deno.test(`split programs, ${language}: also when each piece finds another context resident`, async () => {
    report(`seed ${SEED}\n`);
    await using service = await startService({ ...ONE_ISOLATE, LANGUAGES: language });
    const { programs } = await corpusOf(service.url, language);
    const sample = sampleOf(programs, RESTORED_SAMPLE, seeded(SEED));
    const wrong: string[] = [];
    for (let at = 0; at < sample.length; at += 4) {
      const together = sample.slice(at, at + 4);
      const results = await inTurns(
        together.map((program) => runPieces(() => service.url, language, program)),
      );
      for (const [index, program] of together.entries()) {
        wrong.push(...await compare(service.url, language, program, results[index] ?? []));
      }
    }
    assertEquals(wrong, []);
  });
}

/** Takes one step of each in turn, until all have ended. */
async function inTurns<T>(sequences: readonly AsyncGenerator<T>[]): Promise<readonly T[][]> {
  const values = sequences.map((): T[] => []);
  const going = new Set(sequences);
  while (going.size > 0) {
    for (const [index, sequence] of sequences.entries()) {
      if (!going.has(sequence)) continue;
      const { done, value } = await sequence.next();
      if (done) going.delete(sequence);
      else values[index]?.push(value);
    }
  }
  return values;
}

Deno.test("split programs: also when the service is started again in between", async () => {
  report(`seed ${SEED}\n`);
  const directory = await Deno.makeTempDir();
  const env = { ...ONE_ISOLATE, KV_PATH: `${directory}/kv`, LANGUAGES: SNAPSHOT_LANGUAGES.join() };
  try {
    const halves = await beforeRestart(env, seeded(SEED));
    await using service = await startService(env);
    const wrong: string[] = [];
    for (const { language, program, rest, results, move } of halves) {
      move(service.url);
      for await (const result of rest) results.push(result);
      wrong.push(...await compare(service.url, language, program, results));
    }
    assertEquals(wrong, []);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

interface Half {
  readonly language: ContextLanguage;
  readonly program: CutProgram;
  readonly results: ExecutionResult[];
  /** The pieces that are left to run. */
  readonly rest: AsyncGenerator<ExecutionResult>;
  /** Tells it where the service is. */
  readonly move: (url: string) => void;
}

/** Runs each program of a sample up to a random piece. */
async function beforeRestart(
  env: Record<string, string>,
  random: () => number,
): Promise<readonly Half[]> {
  await using service = await startService(env);
  const halves: Half[] = [];
  for (const language of SNAPSHOT_LANGUAGES) {
    const { programs } = await corpusOf(service.url, language);
    for (const program of sampleOf(programs, RESTARTED_SAMPLE, random)) {
      let { url } = service;
      const rest = runPieces(() => url, language, program);
      const results: ExecutionResult[] = [];
      const first = 1 + Math.floor(random() * (program.pieces.length - 1));
      for (let n = 0; n < first; n++) {
        const { done, value } = await rest.next();
        if (!done) results.push(value);
      }
      halves.push({ language, program, results, rest, move: (moved) => void (url = moved) });
    }
  }
  return halves;
}
