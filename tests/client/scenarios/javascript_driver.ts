/**
 * Runs scenarios with the JavaScript client.
 *
 * @module
 */
import {
  type CodeContext,
  type Connection,
  type ExecutionResult,
  getSandbox,
  type JsonValue,
  runCode,
  type RunCodeOptions,
  type Sandbox,
  SandboxError,
  ToolDenied,
  type Tools,
} from "../../../client/mod.ts";
import { languageNamed } from "../../../client/protocol/language_names.ts";
import { bindingName, type ExecutionResult as RunResult } from "../../../client/protocol/types.ts";
import { bytesOf, difference, isObject, type JsonObject, resolved } from "./scenario.ts";
import type { Scenario, Step } from "./scenario.ts";

/** Between two looks at a run, in milliseconds. */
const LOOK_MS = 50;

/** Runs a scenario in a sandbox of its own; throws what differs. */
export async function runScenario(env: Connection, { steps }: Scenario): Promise<void> {
  const sandbox = getSandbox(env.Sandbox, `scenario-${crypto.randomUUID()}`);
  const driver = new Driver(env, sandbox);
  try {
    for (const step of steps) await driver.perform(step);
  } finally {
    await sandbox.destroy();
  }
}

class Driver {
  readonly #env: Connection;
  readonly #sandbox: Sandbox;
  readonly #saved = new Map<string, JsonObject>();
  readonly #contexts = new Map<string, CodeContext>();
  readonly #heard: JsonValue[] = [];
  readonly #asked: JsonValue[] = [];

  constructor(env: Connection, sandbox: Sandbox) {
    this.#env = env;
    this.#sandbox = sandbox;
  }

  async perform(step: Step): Promise<void> {
    this.#heard.length = 0;
    this.#asked.length = 0;
    const observed = await this.#call(step).catch((error: unknown) => told(error));
    const { expect = {}, fails = {}, save } = step;
    if (!isObject(expect) || !isObject(fails)) throw new Error("a bad step");
    const wanted = { ...expect, ...fails };
    const isFailure = "code" in observed && "status" in observed;
    const problem = isFailure !== "fails" in step
      ? JSON.stringify(observed)
      : difference(wanted, observed, this.#saved);
    if (problem !== undefined) throw new Error(`${JSON.stringify(step)}: ${problem}`);
    if (typeof save === "string") this.#saved.set(save, observed);
  }

  async #call(step: Step): Promise<JsonObject> {
    const { path = "", recursive, newPath = "", content = "" } = step;
    const { interpreter, files, checkpoints, runs } = this.#sandbox;
    const [at, options] = [String(path), { recursive: recursive === true }];
    switch (step.do) {
      case "run":
        return this.#told(await this.#run(step, false));
      case "boxRun":
        return this.#told(await this.#run(step, true));
      case "createContext":
        return this.#keep(step, await interpreter.createCodeContext({ binding: bindingOf(step) }));
      case "forkContext": {
        const made = await interpreter.listCodeContexts();
        const source = made.find(({ id }) => id === this.#context(step)?.id);
        if (source === undefined) throw new Error("no such context");
        return this.#keep(step, await source.fork());
      }
      case "contexts":
        return { count: (await interpreter.listCodeContexts()).length };
      case "deleteContext":
        await interpreter.deleteCodeContext(this.#context(step)?.id ?? "");
        return {};
      case "setEnv":
        await this.#sandbox.setEnvVars(variables(step["envVars"]));
        return {};
      case "info": {
        const info = await this.#sandbox.info();
        return {
          envVars: [...info.envVars].sort(),
          contexts: info.contexts.length,
          created: info.createdAt !== null,
          ...info.workspace,
        };
      }
      case "write":
        await files.write(at, String(content), options);
        return {};
      case "read":
        return { text: await files.read(at) };
      case "mkdir":
        await files.mkdir(at, options);
        return {};
      case "rename":
        await files.rename(at, String(newPath));
        return {};
      case "delete":
        await files.delete(at, options);
        return {};
      case "exists":
        return { exists: await files.exists(at) };
      case "stat": {
        const { type, size, mode } = await files.stat(at);
        return { type, size, mode };
      }
      case "list":
        return { paths: (await files.list(at, options)).map(({ absolutePath }) => absolutePath) };
      case "upload": {
        const bytes = bytesOf(Number(step["bytes"]));
        const body = step["asStream"] === true ? new Blob([bytes]).stream() : bytes;
        const ifNoneMatch = step["ifNoneMatch"] === undefined ? {} : { ifNoneMatch: "*" };
        await files.upload(at, body, ifNoneMatch);
        return {};
      }
      case "download":
        return size(await files.download(at));
      case "downloadStream":
        return size(await new Response(await files.downloadStream(at)).bytes());
      case "checkpoint": {
        const { id } = await checkpoints.create({ name: String(step["checkpointName"]) });
        return { id };
      }
      case "checkpoints":
        return { names: (await checkpoints.list()).map(({ name }) => name) };
      case "restore":
        await checkpoints.restore(this.#id(step["checkpoint"]));
        return {};
      case "deleteCheckpoint":
        await checkpoints.delete(this.#id(step["checkpoint"]));
        return {};
      case "forkSandbox": {
        const fork = await this.#sandbox.fork(`scenario-${crypto.randomUUID()}`);
        const { check } = step;
        const text = isObject(check) ? await fork.files.read(String(check["path"])) : "";
        await fork.destroy();
        if (!isObject(check) || text !== check["text"]) throw new Error(`the fork has ${text}`);
        return {};
      }
      case "runs":
        return { states: (await runs.list()).map(({ state }) => state) };
      case "firstRun": {
        const { state, execution } = await runs.get((await runs.list())[0]?.id ?? "");
        return { state, value: execution === undefined ? null : valueOf(execution) };
      }
      case "cancelRun":
        await runs.cancel(String(step["run"]));
        return {};
      case "respond":
        return await this.#respond(step);
      case "freed":
        return await this.#freed(step);
      case "exec": {
        const { stdout, stderr, exitCode } = await this.#sandbox.exec(String(step["command"]));
        return { stdout, stderr, exitCode };
      }
      case "destroy":
        await this.#sandbox.destroy();
        return {};
      case "listed":
        for await (const { id, contexts, files, bytes } of this.#env.Sandbox.list()) {
          if (id === this.#sandbox.id) return { listed: { contexts, files, bytes } };
        }
        return { listed: null };
      default:
        throw new Error(`no such step: ${step.do}`);
    }
  }

  async #run(step: Step, inSandbox: boolean): Promise<ExecutionResult> {
    const code = String(resolved(step["code"] ?? "", this.#saved));
    const options = this.#options(isObject(step["options"]) ? step["options"] : {});
    if (!inSandbox) return await runCode(this.#env[bindingOf(step)], code, options);
    const context = this.#context(step);
    const binding = bindingOf(step);
    return await this.#sandbox.interpreter.runCode(code, { ...options, context, binding });
  }

  #options(given: JsonObject): RunCodeOptions {
    const { hear, tools, input, key, ifExecutions, timeoutMs, envVars, ...rest } = given;
    const hearing = hear !== true ? {} : {
      onStdout: ({ text }: { text: string }) => void this.#heard.push(["stdout", text]),
      onStderr: ({ text }: { text: string }) => void this.#heard.push(["stderr", text]),
      onDisplay: ({ data }: { data: object }) =>
        void this.#heard.push(["display", Object.keys(data)[0] ?? ""]),
      onResult: ({ text, json }: { text?: string; json?: JsonValue }) =>
        void this.#heard.push(["result", json ?? text ?? null]),
      onError: ({ name }: { name: string }) => void this.#heard.push(["error", name]),
    };
    const lines = Array.isArray(input) ? [...input] : [];
    const onInput = (prompt: string) => {
      this.#asked.push(prompt);
      const line = lines.shift();
      return typeof line === "string" ? line : null;
    };
    return {
      ...rest,
      ...hearing,
      ...(envVars === undefined ? {} : { envVars: variables(envVars) }),
      ...(isObject(tools) ? { tools: this.#tools(tools) } : {}),
      ...(input === undefined ? {} : { onInput }),
      ...(key === undefined ? {} : { idempotencyKey: String(key) }),
      ...(ifExecutions === undefined ? {} : { ifExecutions: Number(ifExecutions) }),
      ...(timeoutMs === undefined ? {} : { timeout: Number(timeoutMs) }),
    };
  }

  #tools(described: JsonObject): Tools {
    return Object.fromEntries(
      Object.entries(described).map(([name, tool]) => {
        if (!isObject(tool)) throw new Error("a bad tool");
        const { inputSchema } = tool;
        const meeting = Promise.withResolvers<void>();
        const met = { count: 0 };
        const execute = async (given: JsonObject) => {
          this.#asked.push(name);
          const { echo, value = null, error, deny, data, meet, never, strange } = tool;
          if (typeof error === "string") throw Object.assign(new Error(error), { data });
          if (typeof deny === "string") throw new ToolDenied(deny);
          if (never === true) return await new Promise<JsonValue>(() => undefined);
          if (strange === true) return () => undefined;
          if (typeof meet === "number") {
            if (++met.count === meet) meeting.resolve();
            await meeting.promise;
            return given["n"];
          }
          return typeof echo === "string" ? given[echo] : value;
        };
        return [name, isObject(inputSchema) ? { inputSchema, execute } : execute];
      }),
    );
  }

  /** Answers a run as somebody else does, while its own caller does not. */
  async #respond(step: Step): Promise<JsonObject> {
    const options = { tools: { ask: { never: true } }, input: [] };
    const never = () => new Promise<null>(() => undefined);
    const run = this.#sandbox.interpreter.runCode(String(step["code"]), {
      ...this.#options(options),
      onInput: never,
      binding: bindingOf(step),
    });
    const answers = Array.isArray(step["answers"]) ? step["answers"] : [];
    const { runs } = this.#sandbox;
    for (const value of answers) {
      for (;;) {
        const waiting = (await runs.list()).find(({ state }) => state === "waiting");
        const now = waiting && (await runs.get(waiting.id)).waiting;
        const key = now?.calls[0]?.key ?? now?.input?.key;
        if (now !== undefined && key !== undefined) {
          await runs.answer(now.run, [{ key, value }]);
          break;
        }
        await pause();
      }
    }
    return this.#told(await run);
  }

  /** Runs as soon as a cancelled run has left its context. */
  async #freed(step: Step): Promise<JsonObject> {
    for (;;) {
      const observed = await this.#run({ ...step, code: "1" }, true).then(
        (result) => this.#told(result),
        (error: unknown) => told(error),
      );
      if (observed["code"] !== "RUN_WAITING") return observed;
      await pause();
    }
  }

  #told(result: ExecutionResult): JsonObject {
    const { logs, results: [main], error, context, usage, executionCount, displays = [] } = result;
    return {
      value: valueOf(result),
      formats: main?.formats() ?? [],
      repr: main?.repr ?? null,
      stdout: logs.stdout,
      stderr: logs.stderr,
      error: error === undefined
        ? null
        : { name: error.name, message: error.message, lineNumber: error.lineNumber ?? null },
      displays: displays.map(({ data }) => Object.keys(data)),
      language: result.language,
      executionCount: executionCount ?? null,
      contextId: context?.id ?? null,
      rolledBack: context?.rolledBack ?? false,
      hasUsage: usage !== undefined && usage.fuelConsumed > 0,
      fuelLimit: usage?.fuelLimit ?? null,
      heard: [...this.#heard],
      asked: [...this.#asked],
    };
  }

  #keep(step: Step, context: CodeContext): JsonObject {
    if (typeof step["save"] === "string") this.#contexts.set(step["save"], context);
    const { id, language, cwd } = context;
    return { id, language, cwd };
  }

  #context({ context }: Step): CodeContext | undefined {
    return typeof context === "string" ? this.#contexts.get(context) : undefined;
  }

  #id(name: JsonValue | undefined): string {
    return String(this.#saved.get(String(name))?.["id"]);
  }
}

function bindingOf({ language }: Step): "JAVASCRIPT" | "PYTHON" {
  const named = languageNamed(String(language));
  const binding = named === undefined ? undefined : bindingName(named);
  if (binding !== "JAVASCRIPT" && binding !== "PYTHON") throw new Error("no such language");
  return binding;
}

function valueOf({ results: [main] }: Pick<RunResult, "results">): JsonValue {
  return main?.json ?? main?.text ?? null;
}

function size(bytes: Uint8Array): JsonObject {
  const isSame = bytesOf(bytes.length).every((byte, at) => byte === bytes[at]);
  return { bytes: isSame ? bytes.length : -1 };
}

function told(error: unknown): JsonObject {
  if (error instanceof SandboxError) {
    const { code, httpStatus: status, message, operation = null } = error;
    return { code, status, message, operation };
  }
  if (error instanceof DOMException) return { code: error.name, status: 0 };
  throw error;
}

function variables(envVars: JsonValue | undefined): Record<string, string | undefined> {
  const entries = isObject(envVars) ? Object.entries(envVars) : [];
  return Object.fromEntries(entries.map(([name, value]) => {
    return [name, typeof value === "string" ? value : undefined];
  }));
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}
