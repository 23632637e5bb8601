/**
 * The engine of the fake service: a `node:vm` context. Programs of the conformance
 * suite that are sent to another language than JavaScript mean the same in all of them.
 */
import vm from "node:vm";
import type {
  ExecutionError,
  JsonValue,
  Logs,
  ResultEntry,
} from "../../../client/protocol/types.ts";
import type { OutputEvent } from "../../../client/protocol/run_events.ts";

const TIMEOUT_MS = 200;

export interface EngineOutcome {
  readonly logs: Logs;
  readonly results: readonly ResultEntry[];
  readonly error?: ExecutionError;
}

/** Arguments of a run besides its code. */
export interface EngineInput {
  readonly env: ReadonlyMap<string, string>;
  readonly stdin: string;
}

/** One interpreter: what a run defines, the next one sees. */
export class FakeEngine {
  readonly #globals: vm.Context = vm.createContext({});

  /** `onLine` is called for each line of output, in order of arising. */
  run(
    code: string,
    { env, stdin }: EngineInput,
    onLine: (line: OutputEvent) => void = () => undefined,
  ): EngineOutcome {
    const logs = { stdout: new Array<string>(), stderr: new Array<string>() };
    const print = (type: OutputEvent["type"]) => (...items: unknown[]) => {
      for (const text of items.join(" ").split("\n")) {
        logs[type].push(text);
        onLine({ type, text });
      }
    };
    this.#globals["console"] = { log: print("stdout"), error: print("stderr") };
    this.#globals["require"] = () => ({ readFileSync: () => stdin });
    this.#globals["process"] = { env: Object.fromEntries(env) };
    try {
      const value: unknown = vm.runInContext(code, this.#globals, { timeout: TIMEOUT_MS });
      return { logs, results: entriesOf(value) };
    } catch (thrown) {
      return { logs, results: [], error: errorOf(thrown) };
    }
  }
}

function entriesOf(value: unknown): ResultEntry[] {
  if (value === undefined) return [];
  if (typeof value !== "object" || value === null) {
    return [{ text: typeof value === "string" ? `'${value}'` : String(value) }];
  }
  const json: JsonValue = JSON.parse(JSON.stringify(value));
  return [{ json }];
}

function errorOf(thrown: unknown): ExecutionError {
  if (typeof thrown !== "object" || thrown === null) {
    return { name: "Error", message: String(thrown), traceback: [] };
  }
  const message = String(Reflect.get(thrown, "message"));
  if (message.startsWith("Script execution timed out")) {
    return { name: "ExecutionLimitError", message: "fuel limit", traceback: [] };
  }
  const traceback = String(Reflect.get(thrown, "stack")).split("\n");
  const line = /:(\d+)/.exec(traceback[0] ?? "")?.[1];
  return {
    name: String(Reflect.get(thrown, "name")),
    message,
    traceback,
    ...(line === undefined ? {} : { lineNumber: Number(line) }),
  };
}
