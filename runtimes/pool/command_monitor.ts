/**
 * The parent's half of the commands of one run of the shell: it checks the orders that an isolate
 * sends in frames, has each run, and sends the outcome. An order that does not fit is a fault of the
 * process, whose own checks let none of a guest's through.
 *
 * @module
 */
import { z } from "zod";
import { WORKSPACE_LIMITS } from "../../shared/limits.ts";
import { decodeMessage, ProtocolError } from "../../shared/message.ts";
import {
  COMMAND_LIMITS,
  type CommandOrder,
  type CommandOutcome,
  type FileChanges,
} from "../engine/program_command.ts";
import type { RunRequest } from "../engine/engine.ts";
import { MAX_TIME_MS } from "../engine/time_value.ts";
import { type CommandHead, encodeOutcome, withContents } from "../isolate/command_messages.ts";
import { FRAME_COMMAND } from "../isolate/protocol.ts";
import type { Frame } from "./frame_reader.ts";
import { LiveOutput, type SendBytes } from "./live_output.ts";
import { joinBytes } from "../../shared/join_bytes.ts";

/** The run that starts a command. */
export interface CommandCaller {
  readonly tenant: string;
  /** Fires when the run has ended. */
  readonly signal: AbortSignal;
  /** Milliseconds that are left to the run. */
  readonly wallMs: number;
  readonly request: Pick<RunRequest, "seed" | "clock" | "notebook">;
  /** Takes output of a stream that is live. */
  readonly write: LiveOutput["push"];
}

/** Runs a command on the given files. Never rejects unless the signal has fired. */
export type CommandRunner = (
  order: CommandOrder,
  files: FileChanges,
  caller: CommandCaller,
) => Promise<CommandOutcome>;

/** The run of the shell. */
export interface CommandMonitorOptions {
  readonly runner: CommandRunner;
  readonly tenant: string;
  readonly request: RunRequest;
  /** Most bytes of all files of `/workspace`; `/tmp` may have as many. */
  readonly workspaceBytes: number;
  /** Whether a path may be one of a file that programs share. */
  readonly isPath: (path: string) => boolean;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
}

/** Structural characters of a head: most belong to paths. */
const MAX_HEAD_STRUCTURE = 16 * WORKSPACE_LIMITS.entries + 16 * COMMAND_LIMITS.words;
const MAX_PARTS = 1 + 2 * WORKSPACE_LIMITS.entries;
/** Names of files, and lengths. */
const NAMES_BYTES = 32 * 1024 * 1024;

const path = z.string();
const stream = z.enum(["stdout", "stderr"]).optional();
const headSchema: z.ZodType<CommandHead> = z.object({
  words: z.array(z.string()).min(1),
  variables: z.array(z.tuple([z.string(), z.string()])),
  directory: z.string(),
  fuel: z.number().int().nonnegative(),
  live: z.strictObject({ stdout: stream, stderr: stream }),
  removed: z.array(path),
  dirs: z.array(path),
  files: z.array(z.tuple([path, z.number().min(-MAX_TIME_MS).max(MAX_TIME_MS)])),
});

/** The commands of one run. */
export class CommandMonitor {
  readonly #options: CommandMonitorOptions;
  readonly #began: number;
  readonly #ended = new AbortController();
  #send: SendBytes | undefined;
  #pieces: Uint8Array<ArrayBuffer>[] = [];
  #bytes = 0;
  #commands = 0;
  #isRunning = false;

  constructor(options: CommandMonitorOptions) {
    this.#options = options;
    this.#began = options.monotonic();
  }

  /** Sets the way to the isolate's standard input. */
  attach(send: SendBytes): void {
    this.#send = send;
  }

  /** The run has ended: a command that still runs is ended, too. */
  close(): void {
    this.#ended.abort();
    this.#pieces = [];
  }

  /** Takes a frame. Throws a ProtocolError. */
  push({ kind, payload }: Frame): void {
    if (this.#isRunning || this.#ended.signal.aborted) {
      throw new ProtocolError("a command out of order");
    }
    const { workspaceBytes } = this.#options;
    this.#bytes += payload.length;
    const most = 2 * workspaceBytes + COMMAND_LIMITS.inputBytes + NAMES_BYTES;
    if (this.#bytes > most || payload.length === 0) throw new ProtocolError("a command too large");
    this.#pieces.push(payload.slice());
    if (kind !== FRAME_COMMAND) return;
    const message = joinBytes(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    if (++this.#commands > COMMAND_LIMITS.commands) throw new ProtocolError("too many commands");
    const { order, files } = readOrder(message, this.#options);
    this.#isRunning = true;
    this.#run(order, files);
  }

  async #run(order: CommandOrder, files: FileChanges): Promise<void> {
    const { runner, tenant, request, monotonic } = this.#options;
    const wallMs = Math.max(1, request.limits.wallMs - (monotonic() - this.#began));
    const { signal } = this.#ended;
    const send: SendBytes = async (bytes) => {
      if (!signal.aborted) await this.#send?.(bytes);
    };
    const live = new LiveOutput(send);
    const write: LiveOutput["push"] = (stream, bytes) => live.push(stream, bytes);
    const outcome = await runner(order, files, { tenant, signal, wallMs, request, write })
      .catch(() => undefined); // the run has ended
    await live.sent();
    this.#isRunning = false;
    if (outcome !== undefined) await send(encodeOutcome(outcome));
  }
}

function readOrder(
  message: Uint8Array<ArrayBuffer>,
  { request: { limits: { fuel } }, isPath }: CommandMonitorOptions,
) {
  const { head, parts: [input, ...contents] } = decodeMessage(
    message,
    MAX_HEAD_STRUCTURE,
    MAX_PARTS,
  );
  const parsed = headSchema.safeParse(head);
  if (!parsed.success || input === undefined) throw new ProtocolError("a command of another shape");
  const { removed, dirs, files, ...order } = parsed.data;
  const paths = [...dirs, ...files.map(([path]) => path)];
  const isWhole = files.length === contents.length && removed.length === 0 &&
    paths.every(isPath) && new Set(paths).size === paths.length && order.fuel <= fuel &&
    input.length <= COMMAND_LIMITS.inputBytes &&
    order.words.length + order.variables.length <= COMMAND_LIMITS.words;
  if (!isWhole) throw new ProtocolError("a command of another shape");
  return { order: { ...order, input }, files: withContents({ removed, dirs, files }, contents) };
}
