/**
 * The program in a process of its own, with all that it writes kept.
 *
 * @module
 */
import { BUNDLED_LANGUAGES } from "../../shared/languages.ts";
import { SMALL_LIMITS } from "./run_limits.ts";
import { SERVICE_FLAGS } from "./service_flags.ts";
import { pause } from "./wait.ts";

/** How it is started. */
export interface ProgramOptions {
  /** Module to run, below the project's folder. @default {"main.ts"} */
  readonly module?: string;
  /** Words of the command line, for example `runtime`, `python`. */
  readonly args?: readonly string[];
  /**
   * Added to the environment, or all of it with `clearEnv`; {@link SMALL_LIMITS} come before it.
   */
  readonly env?: { readonly [name: string]: string };
  readonly clearEnv?: boolean;
  /** Flags of Deno, instead of those of `deno task start`. */
  readonly flags?: readonly string[];
  /** The project's folder, when it is not this one. */
  readonly project?: string;
  /** The user that runs it. Only root can choose one. */
  readonly uid?: number;
  /** Whether its standard error is kept like its output, or goes to that of the test. */
  readonly stderr?: "piped" | "inherit";
}

/** A program that listens. Disposing of it ends it by SIGTERM. */
export interface Program extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** All that it wrote so far. */
  output(): string;
  /** Sends a signal and waits for the end; gives the exit code. */
  end(signal: Deno.Signal): Promise<number>;
}

/** The line in which a program says where it listens. */
export const READY_LINE = /(http:\/\/\S+)[ \t]*\n/;

/** Longer than a service takes to end its runs, also on a busy machine. */
const END_MS = 90_000;
const TRIES = 5;
const PROJECT = new URL("../../", import.meta.url).pathname;

/** A program that ended before it listened. */
export class NotStarted extends Error {
  override readonly name = "NotStarted";
  readonly code: number;

  constructor(code: number, output: string) {
    super(`The program ended with ${code} before it listened:\n${output}`);
    this.code = code;
  }
}

/** Starts the program on an ephemeral port. Rejects with {@link NotStarted}. */
export async function startProgram(options: ProgramOptions = {}): Promise<Program> {
  const { args = [], env = {}, flags = SERVICE_FLAGS, project = PROJECT } = options;
  const { module = "main.ts", stderr = "piped" } = options;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", ...flags, module, ...args],
    cwd: project,
    clearEnv: options.clearEnv ?? false,
    env: {
      PORT: "0",
      KV_PATH: ":memory:",
      LANGUAGES: BUNDLED_LANGUAGES.join(), // also where the module of another language is there
      ...SMALL_LIMITS,
      ...env,
    },
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    stdin: "null",
    stdout: "piped",
    stderr,
  }).spawn();
  let written = "";
  const listening = Promise.withResolvers<string>();
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      written += text;
      const url = READY_LINE.exec(written)?.[1];
      if (url !== undefined) listening.resolve(url);
    }
  };
  const ended = Promise.all([
    child.status,
    collect(child.stdout),
    ...(stderr === "piped" ? [collect(child.stderr)] : []),
  ]);
  ended.then(([{ code }]) => listening.reject(new NotStarted(code, written)));
  const end = async (signal: Deno.Signal) => {
    try {
      child.kill(signal);
    } catch (thrown) {
      if (!(thrown instanceof TypeError)) throw thrown; // it has ended already
    }
    // a killed program has an exit code of its own, which callers see as a failure
    const late = setTimeout(() => child.kill("SIGKILL"), END_MS);
    const [{ code }] = await ended;
    clearTimeout(late);
    return code;
  };
  return {
    url: await listening.promise,
    pid: child.pid,
    output: () => written,
    end,
    [Symbol.asyncDispose]: async () => void await end("SIGTERM"),
  };
}

/**
 * Starts a program on a port that was chosen before. Another process may take the port first; then
 * the start is tried again.
 */
export async function startOnPort(start: () => Promise<Program>): Promise<Program> {
  for (let left = TRIES;; left--) {
    try {
      return await start();
    } catch (thrown) {
      const isTaken = thrown instanceof NotStarted && /in use/i.test(thrown.message);
      if (!isTaken || left === 0) throw thrown;
      await pause(1_000);
    }
  }
}

/** A port that was free a moment ago. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** Sends JSON, or asks for something; gives status and body. */
export async function callJson(
  url: string,
  body?: unknown,
  init: RequestInit = {},
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const response = await fetch(url, {
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    ...init,
    headers: { "content-type": "application/json", ...init.headers },
  });
  return { status: response.status, body: await response.json() };
}
