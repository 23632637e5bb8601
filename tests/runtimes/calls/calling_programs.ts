/**
 * Programs that call, on an engine in the test's own process: what they write and what they ask.
 *
 * @module
 */
import type { Ending, Engine } from "../../../runtimes/engine/engine.ts";
import { createJavaScriptEngine } from "../../../runtimes/languages/javascript/create.ts";
import { createPythonEngine } from "../../../runtimes/languages/python/create.ts";
import { MEMORY_BYTES } from "../../../shared/limits.ts";
import { builtIsolate, TEST_STACK_BYTES } from "../../support/built.ts";
import { runOn, WIDE_LIMITS } from "../../support/engine_runs.ts";
import { callerOf, type CallerOptions, Failure } from "../../support/program_calls.ts";

const FUNCTIONS: NonNullable<CallerOptions["functions"]> = {
  add: ({ a, b }) => Number(a) + Number(b),
  echo: (args) => ({ ...args }),
  "crm.find": ({ q }) => ({ name: q ?? null, tags: ["a", 2.5, null, true] }),
  "crm.class": () => "class",
  fail: ({ data = { code: 7 } }) => new Failure("no luck", { data }),
  deny: () => new Failure("not you", { kind: "denied" }),
  expire: () => new Failure("too late", { kind: "expired" }),
  slow: () => "slow",
  start: () => "start",
};

type Called = "javascript" | "python";
const engines = new Map<Called, Promise<Engine>>();

async function create(language: Called): Promise<Engine> {
  const { artifact } = await builtIsolate(language);
  const memoryBytes = MEMORY_BYTES[language];
  return language === "python"
    ? await createPythonEngine({ ...artifact, memoryBytes })
    : await createJavaScriptEngine({ ...artifact, memoryBytes, stackBytes: TEST_STACK_BYTES });
}

/** The engine of a test file. */
export function engineFor(language: Called): Promise<Engine> {
  const engine = engines.get(language) ?? create(language);
  engines.set(language, engine);
  return engine;
}

/** The calls, waits and output of a program. */
export interface Told {
  /** Output, then the value or the error. */
  readonly told: string;
  readonly asked: readonly string[];
}

/** Runs a program; in a context it goes on with the state of the engine. `plain`: without calls. */
export async function calling(
  language: Called,
  code: string,
  { inContext = false, plain = false, ...options }: CallerOptions & {
    readonly inContext?: boolean;
    readonly plain?: boolean;
  } = {},
): Promise<Told> {
  const engine = await engineFor(language);
  if (!inContext) engine.reset();
  const caller = callerOf({ functions: FUNCTIONS, delays: { slow: 5_000 }, ...options });
  const ran = runOn(engine, {
    code,
    inContext,
    limits: { ...WIDE_LIMITS, fuel: 60e9, wallMs: 60_000 },
    ...(plain ? {} : { calls: caller.calls }),
  });
  if (inContext) engine.state?.endRun();
  const parts = [ran.stdout, ran.stderr, textOf(ran.ending)].filter((text) => text !== "");
  return { told: parts.join(" | "), asked: caller.asked };
}

function textOf(ending: Ending): string {
  switch (ending.kind) {
    case "text":
      return ending.text;
    case "json":
      return ending.json;
    case "error":
      return `${ending.error.name}: ${ending.error.message}`;
    case "limit":
      return `limit ${ending.limit}`;
    default:
      return ending.kind === "none" ? "" : ending.kind;
  }
}
