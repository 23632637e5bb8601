/**
 * Commands: each is a run of the shell in the sandbox, in a fresh shell in its directory. Commands of
 * one sandbox run one after the other.
 *
 * @module
 */
import { z } from "zod";
import { EXECUTE_PATH } from "../../client/protocol/paths.ts";
import {
  commandProgram,
  COMMANDS_CONTEXT,
  shellWord,
} from "../../client/protocol/shell_command.ts";
import { validationFailed } from "../../shared/errors.ts";
import { jsonResponse } from "../../shared/responses.ts";
import type { RunAudience, RunListener } from "../../shared/run_listener.ts";
import { failureSchema } from "../../shared/run_schemas.ts";
import { sandboxPath } from "../../shared/service_calls.ts";
import { streamRun } from "../../shared/streamed_run.ts";
import { bodyOf } from "./body.ts";
import { connectCode, endOfStream, messageIn } from "./envelope.ts";
import { connectRefused, notImplemented } from "./errors.ts";
import { absolutePath, homePath } from "./paths.ts";
import { ProcessEvents } from "./process_events.ts";
import {
  type EndedBy,
  type ProcessConfig,
  ProcessTable,
  type RunEnd,
  type RunningProcess,
} from "./process_table.ts";
import type { E2bPorts, E2bRequest } from "./request.ts";

const HOME = "/home/user";
/** Longest time-out of a command, in milliseconds: the most that a timer takes. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

const startSchema = z.object({
  process: z.object({
    cmd: z.string("process.cmd must be a string"),
    args: z.array(z.string("process.args must hold strings")).default([]),
    envs: z.record(z.string(), z.string("process.envs must hold strings")).default({}),
    cwd: z.string("process.cwd must be a string").optional(),
  }, "process must be an object"),
  stdin: z.boolean("stdin must be true or false").optional(),
});
const selectorSchema = z.object({
  process: z.object({ pid: z.int("process.pid must be a whole number") }),
});
const signalSchema = z.object({
  ...selectorSchema.shape,
  signal: z.enum(
    ["SIGNAL_SIGKILL", "SIGNAL_SIGTERM"],
    "signal must be SIGNAL_SIGKILL or SIGNAL_SIGTERM",
  ),
});

const TABLE = new ProcessTable();

/** Answers a call of `process.Process`. */
export async function processCall(
  sandbox: string,
  name: string,
  request: E2bRequest,
  ports: E2bPorts,
): Promise<Response> {
  const key = JSON.stringify([ports.tenant, sandbox]);
  switch (name) {
    case "Start":
      return await start({ sandbox, key, request, ports });
    case "Connect":
      return await follow(key, request, ports);
    case "List": {
      const processes = TABLE.list(key).map(({ config, pid }) => ({ config, pid }));
      return jsonResponse({ processes });
    }
    case "SendSignal": {
      const { process: { pid } } = bodyOf(request, signalSchema);
      const found = TABLE.find(key, pid);
      found?.end("signal");
      return found === undefined ? connectRefused(missing(pid)) : jsonResponse({});
    }
    default:
      return notImplemented("Commands take no input while they run, and there are no terminals");
  }
}

function missing(pid: number) {
  return { status: 404, message: `There is no command ${pid}` };
}

interface Start {
  readonly sandbox: string;
  readonly key: string;
  readonly request: E2bRequest;
  readonly ports: E2bPorts;
}

async function start({ sandbox, key, request, ports }: Start): Promise<Response> {
  const order = bodyOf({ body: messageIn(request.body) }, startSchema);
  if (order.stdin === true) {
    const message = "Commands take no input while they run: write it to a file";
    return endOfStream({ code: "unimplemented", message });
  }
  const timeoutMs = timeoutOf(request);
  let endedBy: EndedBy | undefined;
  const stopped = new AbortController();
  const end = (by: EndedBy) => {
    endedBy ??= by;
    stopped.abort();
  };
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => end("timeout"), timeoutMs);
  const pid = TABLE.nextPid();
  const ended = Promise.withResolvers<RunEnd>();
  const listeners = new Set<RunListener>();
  const process = { pid, config: order.process, listeners, ended: ended.promise, end };
  const run = async ({ signal, listener }: RunAudience) => {
    if (listener !== undefined) listeners.add(listener);
    const code = commandProgram(commandOf(order.process), directoryOf(order.process));
    const answer = await ports.call({
      method: "POST",
      path: sandboxPath("shell", sandbox, EXECUTE_PATH),
      body: { code, envVars: { HOME, ...order.process.envs } },
      contextName: COMMANDS_CONTEXT,
      listener: toAll(listeners, () => TABLE.add(key, process)),
    }, AbortSignal.any([signal, stopped.signal]));
    const body = new Uint8Array(await answer.arrayBuffer());
    ended.resolve({ status: answer.status, body, endedBy });
    return answerOf({ status: answer.status, body, endedBy });
  };
  try {
    const events = new ProcessEvents(pid, () => endedBy);
    const answer = await streamRun(events, request.signal, ports.streams, run);
    return answer.status === 200 ? answer : await refusalOf(answer);
  } finally {
    ended.promise.then(() => clearTimeout(timer));
  }
}

/** A run that was ended by its caller has an answer without a body. */
function answerOf({ status, body, endedBy }: RunEnd): Response {
  if (endedBy === undefined) return new Response(body, { status });
  return new Response(JSON.stringify({ code: "CANCELLED", message: "The command was ended" }));
}

/** The end of a stream for a run that did not begin. */
async function refusalOf(answer: Response): Promise<Response> {
  const { code, message } = failureSchema.parse(await answer.json());
  return endOfStream({ code: connectCode(answer.status), message: `${message} (${code})` });
}

/** Passes events to the current listeners. */
function toAll(listeners: ReadonlySet<RunListener>, begun: () => void): RunListener {
  return {
    start: () => {
      begun();
      for (const listener of listeners) listener.start();
    },
    output: (stream, bytes) => {
      for (const listener of listeners) listener.output(stream, bytes);
    },
    display: () => undefined,
  };
}

/** Follows a command from now on. A follower that disconnects ends nothing. */
async function follow(key: string, request: E2bRequest, ports: E2bPorts): Promise<Response> {
  const { process: { pid } } = bodyOf({ body: messageIn(request.body) }, selectorSchema);
  const found = TABLE.find(key, pid);
  if (found === undefined) {
    return endOfStream({ code: "not_found", message: missing(pid).message });
  }
  let endedBy: EndedBy | undefined;
  const events = new ProcessEvents(pid, () => endedBy);
  return await streamRun(events, request.signal, ports.streams, async ({ signal, listener }) => {
    const end = await followed(found, { signal, listener });
    endedBy = end.endedBy;
    return answerOf(end);
  });
}

async function followed(
  { listeners, ended }: RunningProcess,
  { signal, listener }: RunAudience,
): Promise<RunEnd> {
  if (listener === undefined) return await ended;
  listeners.add(listener);
  listener.start();
  const gone = Promise.withResolvers<RunEnd>();
  const leave = () => gone.resolve({ status: 200, body: new Uint8Array(), endedBy: "signal" });
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([ended, gone.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
    listeners.delete(listener);
  }
}

/** The time that a command may take; undefined without a limit of its own. */
function timeoutOf({ headers }: E2bRequest): number | undefined {
  const text = headers.get("connect-timeout-ms");
  if (text === null || text === "0") return undefined;
  if (!/^\d{1,10}$/.test(text)) {
    throw validationFailed("connect-timeout-ms must be a whole number of milliseconds");
  }
  return Math.min(Number(text), MAX_TIMEOUT_MS);
}

/** The text for the shell: that of `bash -c`, or the program with its arguments. */
function commandOf({ cmd, args }: ProcessConfig): string {
  const isShell = /^(?:\/(?:usr\/)?bin\/)?(?:ba)?sh$/.test(cmd);
  const at = args.indexOf("-c");
  const command = args[at + 1];
  if (isShell && at !== -1 && command !== undefined) return command;
  return [cmd, ...args].map(shellWord).join(" ");
}

function directoryOf({ cwd = "" }: ProcessConfig): string {
  return homePath(absolutePath(cwd === "" ? HOME : cwd));
}
