/** A runtime worker of the fake service (docs/contract.md#runtime-routes). */
import type { InterpreterProbe, Language } from "../../../client/protocol/types.ts";
import type { OutputEvent } from "../../../client/protocol/run_events.ts";
import { readBody, readCode, readFuel, readLayer, readStdin } from "./body.ts";
import { type EngineInput, FakeEngine } from "./engine.ts";
import { answering, noSuchRoute, refused } from "./errors.ts";
import { answerRun, type FakeRun } from "./run_answer.ts";

/** A binding that the fake sandbox can probe and run with. */
export interface FakeRuntime {
  readonly probe: InterpreterProbe;
  fetch(request: Request): Promise<Response>;
}

export function fakeRuntime(language: Language, contexts: boolean): FakeRuntime {
  const probe: InterpreterProbe = { language, engine: `fake ${language} 1`, contexts, protocol: 1 };
  return {
    probe,
    fetch: (request) =>
      answering(async () => {
        const { pathname } = new URL(request.url);
        if (pathname === "/interpreter") return Response.json(probe);
        if (pathname !== "/execute") throw noSuchRoute();
        const body = await readBody(request);
        if ("input" in body) throw refused("input is not supported: pass data in envVars");
        const code = readCode(body);
        const env = new Map<string, string>();
        for (const [name, value] of readLayer(body)) if (value !== null) env.set(name, value);
        const input = { env, stdin: readStdin(body), fuelLimit: readFuel(body) };
        return answerRun(request, execute(probe, code, input, new FakeEngine()));
      }),
  };
}

/** Arguments of a run besides its code. */
export interface RunInput extends EngineInput {
  readonly fuelLimit: number;
}

/** Runs code and puts the result together. */
export function execute(
  { language, engine }: InterpreterProbe,
  code: string,
  input: RunInput,
  interpreter: FakeEngine,
): FakeRun {
  const usage = { fuelConsumed: 1, fuelLimit: input.fuelLimit, memoryBytes: 65_536 };
  const lines: OutputEvent[] = [];
  const outcome = interpreter.run(code, input, (line) => lines.push(line));
  return { result: { code, language, engine, durationMs: 0.1, ...outcome, usage }, lines };
}
