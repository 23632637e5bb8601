/**
 * The suite that every engine passes: the promises of the `Engine` interface, whatever the
 * language.
 */
import { assert, assertEquals, assertLess, assertStringIncludes } from "@std/assert";
import type { Ending, Engine, RunLimits, RunOutcome } from "../../runtimes/engine/engine.ts";
import { limitOutput } from "../../runtimes/isolate/output.ts";
import { LANGUAGE_INFO } from "../../shared/languages.ts";
import type { EngineKit } from "./kit.ts";

const LIMITS: RunLimits = {
  fuel: 3_000_000_000,
  outputBytes: 100_000,
  outputLines: 1_000,
  resultBytes: 4_000,
  tracebackBytes: 20_000,
  displayBytes: 1 << 20,
  wallMs: 10_000,
};

interface Ran extends RunOutcome {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program from the baseline. */
function run(
  engine: Engine,
  code: string,
  options: { readonly limits?: Partial<RunLimits>; readonly env?: ReadonlyMap<string, string> } =
    {},
): Ran {
  engine.reset();
  const limits = { ...LIMITS, ...options.limits };
  const decoders = { 1: new TextDecoder(), 2: new TextDecoder(), 5: new TextDecoder() };
  const written = { 1: "", 2: "", 5: "" };
  const output = limitOutput(limits, (stream, bytes) => {
    written[stream] += decoders[stream].decode(bytes, { stream: true });
  });
  const request = { code, env: options.env ?? new Map(), typescript: false, limits };
  const outcome = engine.run(request, output.sink);
  return { ...outcome, stdout: written[1], stderr: written[2] };
}

function limitOf(ending: Ending): string {
  return ending.kind === "limit" ? ending.limit : `${ending.kind}: no limit`;
}

function errorOf(ending: Ending) {
  assert(ending.kind === "error", `the run ended with ${JSON.stringify(ending)}`);
  return ending.error;
}

/** Defines the tests for one language. They share an engine, and each run begins with a reset. */
export function testEngine(kit: EngineKit): void {
  const { language, programs } = kit;
  let made: Promise<Engine> | undefined;
  const test = (name: string, body: (engine: Engine) => void) =>
    Deno.test(`${language} engine: ${name}`, async () => body(await (made ??= kit.makeEngine())));

  test("it has its language, and a state if the table lists contexts", (engine) => {
    assertEquals(engine.language, language);
    assertEquals(engine.state !== undefined, LANGUAGE_INFO[language].contexts === "always");
  });

  test("output is written to both streams, byte for byte", (engine) => {
    const ran = run(engine, programs.bothStreams);
    assertEquals([ran.stdout, ran.stderr], ["out\n", "err\n"]);
    assertEquals(run(engine, programs.noNewline).stdout, "no newline");
  });

  test("the value is text, JSON, or nothing", (engine) => {
    assertEquals(run(engine, programs.number).ending, { kind: "text", text: "42" });
    const { ending } = run(engine, programs.container);
    assert(ending.kind === "json");
    assertEquals(JSON.parse(ending.json), { a: 1, b: [1, "x"] });
    assertEquals(run(engine, programs.nothing).ending, { kind: "none" });
  });

  test("an exception has name, message, line and traceback", (engine) => {
    const error = errorOf(run(engine, programs.exception.code).ending);
    assertEquals([error.name, error.lineNumber], [programs.exception.name, 3]);
    assertStringIncludes(error.message, "bad thing");
    assert(error.traceback.length > 0);
    assert(!error.traceback.join("\n").includes("belljar"), error.traceback.join("\n"));
  });

  test("a syntax error has its line", (engine) => {
    const error = errorOf(run(engine, programs.syntaxError.code).ending);
    assertEquals([error.name, error.lineNumber], [programs.syntaxError.name, 2]);
  });

  test("endless loops use up the fuel, caught or not, and the next run is right", (engine) => {
    for (const code of [programs.endlessLoop, programs.endlessCatch]) {
      const ran = run(engine, code);
      assertEquals(limitOf(ran.ending), "fuel");
      assertEquals(ran.fuelConsumed, LIMITS.fuel);
      assertEquals(run(engine, programs.number).ending, { kind: "text", text: "42" });
    }
  });

  test("output over the limit ends the run, and what came before is kept", (engine) => {
    const byBytes = run(engine, programs.endlessOutput, { limits: { outputBytes: 50 } });
    assertEquals(limitOf(byBytes.ending), "output");
    assert(byBytes.stdout.startsWith("first\n") && byBytes.stdout.length === 50);
    const byLines = run(engine, programs.endlessOutput, { limits: { outputLines: 3 } });
    assertEquals(limitOf(byLines.ending), "output");
    assertEquals(byLines.stdout.split("\n").length, 4);
  });

  test("a value over the limit ends with the result limit", (engine) => {
    assertEquals(limitOf(run(engine, programs.longText).ending), "result");
  });

  test("memory is bounded, and the next run is right", (engine) => {
    const ran = run(engine, programs.memoryHog);
    assert(["error", "limit"].includes(ran.ending.kind), JSON.stringify(ran.ending));
    assertLess(ran.memoryBytes, 257 * 1024 * 1024);
    assertEquals(run(engine, programs.number).ending, { kind: "text", text: "42" });
  });

  test("deep recursion ends the run cleanly, and the next run is right", (engine) => {
    const { ending } = run(engine, programs.deepRecursion);
    assert(["error", "limit"].includes(ending.kind), JSON.stringify(ending).slice(0, 500));
    assertEquals(run(engine, programs.number).ending, { kind: "text", text: "42" });
  });

  test("sleep takes no real time; sleeping past the wall clock is the limit", (engine) => {
    const slept = [1, 2, 3].map(() => run(engine, programs.sleep));
    for (const { ending } of slept) assertEquals(ending, { kind: "text", text: "1" });
    // on a busy machine, a run may take longer than it should
    assertLess(Math.min(...slept.map(({ durationMs }) => durationMs)), 4_000);
    assertEquals(limitOf(run(engine, programs.longSleep).ending), "wall clock");
  });

  test("random numbers differ between runs", (engine) => {
    const values = [1, 2, 3].map(() => JSON.stringify(run(engine, programs.random).ending));
    assertEquals(new Set(values).size, 3);
  });

  test("environment variables are those of the run, with odd names too", (engine) => {
    const env = new Map([["BELLJAR_TEST", "vàlue\n2"], ["__proto__", "x"], ["toString", "y"]]);
    assertEquals(run(engine, programs.environment, { env }).stdout, "vàlue\n2\n");
    assertEquals(run(engine, programs.environment).stdout, "none\n");
  });

  test("nothing of a run is left after a reset", (engine) => {
    run(engine, programs.define);
    assertEquals(run(engine, programs.isUndefined).ending, { kind: "text", text: "1" });
  });

  test("exit 0 is a success, another status a SystemExit", (engine) => {
    const zero = run(engine, programs.exitZero);
    assertEquals([zero.ending.kind, zero.stdout.includes("after")], ["none", false]);
    const error = errorOf(run(engine, programs.exitThree).ending);
    assertEquals(error.name, "SystemExit");
    assertStringIncludes(error.message, "3");
  });

  test("the same program from the same state costs the same fuel, every time", (engine) => {
    const costs = Array.from({ length: 20 }, () => run(engine, programs.work).fuelConsumed);
    assertEquals(new Set(costs).size, 1);
    assert((costs[0] ?? 0) > 0);
  });
}
