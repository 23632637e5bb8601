/**
 * Programs of other languages that the shell starts: each runs in an isolate of its language, on the
 * files of the shell, with the fuel and the time that are left to the run.
 *
 * The shell's isolate waits meanwhile. No other program waits for an isolate of the shell, so that
 * runs which hold one and wait for another cannot wait for each other.
 *
 * `runtimes/commands/` owns the command lines of interpreters. It knows nothing of contexts.
 *
 * @module
 */
import { WORKSPACE } from "../../client/protocol/paths.ts";
import type { Language } from "../../client/protocol/types.ts";
import { ServiceError } from "../../shared/errors.ts";
import { LANGUAGE_INFO } from "../../shared/languages.ts";
import { type LanguageLimits, WORKSPACE_LIMITS } from "../../shared/limits.ts";
import type { RunListener } from "../../shared/run_listener.ts";
import type { LimitName } from "../engine/engine.ts";
import {
  COMMAND_LIMITS,
  type CommandOrder,
  type CommandOutcome,
  type FileChanges,
  type LiveStreams,
  type OutputStream,
} from "../engine/program_command.ts";
import type { BaselineChoice } from "../imported_packages.ts";
import { withContents } from "../isolate/command_messages.ts";
import type { CommandCaller, CommandRunner } from "../pool/command_monitor.ts";
import { isWorkspacePath } from "../contexts/workspace_mirror.ts";
import { type ContextRun, hasBaseline } from "../pool/isolate.ts";
import type { IsolatePool } from "../pool/pool.ts";
import type { PoolRun } from "../pool/pool_options.ts";
import type { RunAnswer } from "../pool/run_answer.ts";
import { runRequest } from "../execution.ts";
import type { CommandProgram, Saying } from "./command_line.ts";
import { commandProgram } from "./command_program.ts";
import { joinBytes } from "../../shared/join_bytes.ts";

/** A language that can be started. */
export interface StartableLanguage {
  readonly pool: Pick<IsolatePool, "hold">;
  readonly limits: LanguageLimits;
  readonly preloaded: BaselineChoice;
}

const NO_CHANGES: FileChanges = { removed: [], dirs: [], files: [] };
const ENCODER = new TextEncoder();
const EXIT_STATUS = /^exit status (\d{1,3})$/;
/** Exit codes: no isolate for now, a command that is not there, and one that was ended. */
const TRY_AGAIN = 75;
const ABSENT = 127;
const KILLED = 137;
/** The watchdog of the shell's run ends it before that of the program does. */
const WALL_MARGIN_MS = 2_000;

const TEMPORARY = "/tmp";

/** Whether a path may be one of a file that the shell shares: below `/workspace` or `/tmp`. */
export function isProgramPath(path: string): boolean {
  const isTemporary = path.startsWith(`${TEMPORARY}/`);
  return isWorkspacePath(isTemporary ? WORKSPACE + path.slice(TEMPORARY.length) : path);
}

/** The languages of a service. */
export class LanguageCommands {
  readonly #languages = new Map<Language, StartableLanguage>();

  /** Adds a language, which commands of the shell can start from now on. */
  add(language: Language, startable: StartableLanguage): void {
    this.#languages.set(language, startable);
  }

  /** Runs a command. */
  readonly run: CommandRunner = async (order, files, caller) => {
    const program = commandProgram(order, files);
    if ("exitCode" in program) return said(program);
    const name = order.words[0] ?? "";
    const startable = this.#languages.get(program.language);
    const { name: language } = LANGUAGE_INFO[program.language];
    if (startable === undefined) {
      return said({ exitCode: ABSENT, stderr: `${name}: the service does not run ${language}\n` });
    }
    try {
      return await runProgram(startable, program, { order, files, caller });
    } catch (thrown) {
      if (!(thrown instanceof ServiceError) || caller.signal.aborted) throw thrown;
      return said({ exitCode: TRY_AGAIN, stderr: `${name}: ${thrown.message}\n` });
    }
  };
}

async function runProgram(
  { pool, limits, preloaded: choice }: StartableLanguage,
  program: CommandProgram,
  { order, files, caller }: {
    readonly order: CommandOrder;
    readonly files: FileChanges;
    readonly caller: CommandCaller;
  },
): Promise<CommandOutcome> {
  const { tenant, signal, wallMs, request: replay } = caller;
  const told = new LiveListener(order.live, caller.write);
  const env = new Map(order.variables);
  const { code, typescript, input, chooser } = program;
  const notebook = replay.notebook === undefined ? {} : { notebook: replay.notebook };
  const preloaded = choice({ code: chooser, variables: env.keys() });
  const held: LanguageLimits = {
    ...limits,
    fuel: Math.min(limits.fuel, order.fuel),
    wallMs: Math.ceil(wallMs) + WALL_MARGIN_MS,
    outputBytes: COMMAND_LIMITS.outputBytes,
    outputLines: COMMAND_LIMITS.outputBytes,
  };
  const request = {
    ...runRequest({ code, env, typescript, preloaded, replay, ...notebook }, held),
    ...(input.length === 0 ? {} : { stdin: input }),
  };
  const prefers = preloaded === undefined ? {} : { prefers: [hasBaseline(preloaded)] };
  const listener = Object.keys(order.live).length === 0 ? {} : { listener: told };
  const hold = await pool.hold({ tenant, signal, maxWaitMs: wallMs, ...listener }, prefers);
  try {
    const ran = await hold.run(request, programRun(order, files, limits));
    return told.rest(outcomeOf(ran, program, limits));
  } finally {
    hold.release();
  }
}

/** Passes output of live streams on, and knows which output is left for the outcome. */
class LiveListener implements RunListener {
  readonly #live: LiveStreams;
  readonly #write: CommandCaller["write"];
  readonly #written = { stdout: 0, stderr: 0 };

  constructor(live: LiveStreams, write: CommandCaller["write"]) {
    this.#live = live;
    this.#write = write;
  }

  start(): void {}

  display(): void {}

  output(stream: OutputStream, bytes: Uint8Array): void {
    const to = this.#live[stream];
    if (to === undefined) return;
    this.#written[stream] += bytes.length;
    this.#write(to, bytes);
  }

  /** The outcome without the output that was passed on already. Passes on the rest of live streams. */
  rest({ stdout, stderr, ...outcome }: CommandOutcome): CommandOutcome {
    return {
      ...outcome,
      stdout: this.#rest("stdout", stdout),
      stderr: this.#rest("stderr", stderr),
    };
  }

  #rest(stream: OutputStream, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const left = bytes.subarray(this.#written[stream]);
    const to = this.#live[stream];
    if (to === undefined) return left;
    if (left.length > 0) this.#write(to, left);
    return new Uint8Array();
  }
}

function programRun(
  { directory }: CommandOrder,
  { dirs, files }: FileChanges,
  { workspaceBytes }: LanguageLimits,
): ContextRun {
  return {
    head: {
      isProgram: true,
      cwd: directory,
      removed: [],
      dirs,
      files: files.map(({ path, mtimeMs }) => [path, mtimeMs] as const),
      snapshotBytes: workspaceBytes, // room for the files of /tmp in the answer
    },
    parts: files.map(({ bytes }) => new Uint8Array(bytes)),
  };
}

function outcomeOf(ran: PoolRun, program: CommandProgram, limits: LanguageLimits): CommandOutcome {
  const run = ran.end === "answered" ? ran.run : undefined;
  const answer = run?.answer;
  if (run === undefined || answer === undefined) {
    return said({ exitCode: KILLED, stderr: `${program.name}: the interpreter ended\n` });
  }
  const { ending, fuelConsumed } = answer.head;
  const { stdout, stderr } = run.output;
  let exitCode = 0;
  let text = "";
  if (ending.kind === "error") {
    const [, status] = EXIT_STATUS.exec(ending.message) ?? [];
    if (ending.name === "SystemExit" && status !== undefined) exitCode = Number(status) & 0xff;
    else {
      exitCode = program.failed;
      text = program.errorText(ending);
    }
  } else if (ending.kind === "limit" && ending.limit !== "result" && ending.limit !== "display") {
    exitCode = KILLED;
    text = `${program.name}: ${limitText(ending.limit, limits)}\n`;
  } else if (ending.kind === "crash") {
    exitCode = KILLED;
    text = `${program.name}: the interpreter crashed\n`;
  }
  const all = text === "" ? stderr : joinBytes([stderr, ENCODER.encode(text)]);
  const changes = changesOf(answer, limits);
  return { exitCode, stdout, stderr: all, fuel: fuelConsumed, changes };
}

function limitText(limit: LimitName, { memoryBytes }: LanguageLimits): string {
  if (limit === "memory") return `Memory limit reached: ${memoryBytes} bytes`;
  if (limit === "output") return `Output limit reached: ${COMMAND_LIMITS.outputBytes} bytes`;
  return `${limit} limit reached`;
}

/** The checked changes of a program; none when no program can leave them. */
function changesOf(
  { head: { context }, parts: [, ...contents] }: RunAnswer,
  { fileBytes, workspaceBytes }: LanguageLimits,
): FileChanges {
  if (context === undefined) return NO_CHANGES;
  const { dirs = [], files, deleted: removed } = context;
  const paths = [...dirs, ...files.map(([path]) => path)];
  const total = contents.reduce((sum, { length }) => sum + length, 0);
  const isPossible = [...paths, ...removed].every(isProgramPath) &&
    new Set(paths).size === paths.length && files.length === contents.length &&
    paths.length <= 2 * WORKSPACE_LIMITS.entries && total <= 2 * workspaceBytes &&
    contents.every(({ length }) => length <= fileBytes);
  return isPossible ? withContents({ removed, dirs, files }, contents) : NO_CHANGES;
}

function said({ exitCode, stdout = "", stderr = "" }: Saying): CommandOutcome {
  return {
    exitCode,
    stdout: ENCODER.encode(stdout),
    stderr: ENCODER.encode(stderr),
    fuel: 0,
    changes: NO_CHANGES,
  };
}
