/** A runtime worker of the fake service (docs/contract.md#runtime-routes). */
import type {
  ExecutionResult,
  InterpreterProbe,
  Language,
} from "../../../client/protocol/types.ts";
import { readBody, readCode, readFuel, readLayer } from "./body.ts";
import { FakeEngine } from "./engine.ts";
import { answering, noSuchRoute, refused } from "./errors.ts";

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
        return Response.json(execute(probe, code, env, new FakeEngine(), readFuel(body)));
      }),
  };
}

/** Runs code and puts the result together. */
export function execute(
  { language, engine }: InterpreterProbe,
  code: string,
  env: ReadonlyMap<string, string>,
  interpreter: FakeEngine,
  fuelLimit: number,
): ExecutionResult {
  const usage = { fuelConsumed: 1, fuelLimit, memoryBytes: 65_536 };
  return { code, language, engine, durationMs: 0.1, ...interpreter.run(code, env), usage };
}
