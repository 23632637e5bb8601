/**
 * A kernel that somebody uses in this process: its connections, and the cells that run or wait for
 * their turn. What must last is in the store; this is dropped when nobody is connected and no cell is
 * left.
 *
 * @module
 */
import type { Language } from "../../client/protocol/types.ts";
import { JUPYTER_LIMITS } from "../../shared/jupyter_limits.ts";
import type { InspectedName } from "../../shared/sandbox_types.ts";
import { Cell, type CellEnd } from "./cell.ts";
import { inspectInKernel, sandboxOf } from "./kernels.ts";
import { type ClientMessage, type Header, type KernelMessage, WireMessage } from "./messages.ts";
import type { JupyterPorts } from "./ports.ts";

/** A connection of a client. */
export interface Connection {
  send(message: WireMessage): void;
  /** Ends the connection: the kernel is gone. */
  close(): void;
}

/** A cell that waits for its turn. */
interface QueuedCell {
  readonly from: Connection;
  readonly header: Header;
  readonly request: ExecuteRequest;
}

/** The content of `execute_request`, with the protocol's defaults. */
export interface ExecuteRequest {
  readonly code: string;
  readonly silent: boolean;
  readonly storeHistory: boolean;
  readonly allowStdin: boolean;
  readonly stopOnError: boolean;
  readonly expressions: readonly string[];
}

/** A kernel in use. */
export class LiveKernel {
  readonly language: Language;
  readonly #id: string;
  readonly #ports: JupyterPorts;
  readonly #onIdle: () => void;
  readonly #session = crypto.randomUUID();
  readonly #connections = new Set<Connection>();
  readonly #queue: QueuedCell[] = [];
  #queuedBytes = 0;
  #cell: Cell | undefined;
  #isBusy = false;
  #count = 0;
  #lastActivity = Date.now();

  /** `onIdle`: nobody is connected, and no cell is left. */
  constructor(id: string, language: Language, ports: JupyterPorts, onIdle: () => void) {
    this.#id = id;
    this.language = language;
    this.#ports = ports;
    this.#onIdle = onIdle;
  }

  /** How `GET /api/kernels/:id` shows the activity. */
  get activity() {
    return {
      last_activity: new Date(this.#lastActivity).toISOString(),
      execution_state: this.#isBusy ? "busy" : "idle",
      connections: this.#connections.size,
    };
  }

  /** Adds a connection. The cells go on when it ends. */
  connect(connection: Connection): void {
    this.#connections.add(connection);
  }

  /** Removes a connection. */
  disconnect(connection: Connection): void {
    this.#connections.delete(connection);
    this.#checkIdle();
  }

  /** Ends all connections. */
  closeAll(): void {
    for (const connection of [...this.#connections]) connection.close();
  }

  /** Sends a reply to one client. */
  reply(to: Connection, message: KernelMessage): void {
    to.send(new WireMessage(message, this.#session));
  }

  /** Sends a message to all clients. */
  publish(type: string, parent: Header | undefined, content: unknown): void {
    if (this.#connections.size === 0) return;
    const message = new WireMessage({ channel: "iopub", type, parent, content }, this.#session);
    for (const connection of [...this.#connections]) connection.send(message);
  }

  /** Tells all clients that the kernel begins or ends the work of a request. */
  publishStatus(state: "busy" | "idle" | "starting" | "restarting", parent?: Header): void {
    this.#lastActivity = Date.now();
    this.publish("status", parent, { execution_state: state });
  }

  /** Runs a cell after those before it. False: too many wait. */
  execute(from: Connection, { header }: ClientMessage, request: ExecuteRequest): boolean {
    const { queuedMessages, queuedBytes } = JUPYTER_LIMITS;
    const isFull = this.#queue.length >= queuedMessages ||
      this.#queuedBytes + request.code.length > queuedBytes;
    if (isFull) return false;
    this.#queue.push({ from, header, request });
    this.#queuedBytes += request.code.length;
    if (!this.#isBusy) void this.#runQueue();
    return true;
  }

  /**
   * Ends the cell that runs; gives whether there was one. Cells that wait are aborted as after any error.
   */
  async interrupt(): Promise<boolean> {
    if (this.#cell === undefined) return false;
    await this.#cell.interrupt();
    return true;
  }

  /** The number of a restarted kernel's next cell is 1. */
  restarted(): void {
    this.#count = 0;
  }

  /** Gives the program the line that it asked for. */
  async answer(line: string): Promise<void> {
    await this.#cell?.answer(line);
  }

  /** Completes and explains the name at the end of some code; undefined while a cell runs. */
  async inspect(code: string): Promise<InspectedName | undefined> {
    if (this.#isBusy || code === "") return undefined;
    const kernel = { id: this.#id, language: this.language };
    return await inspectInKernel(kernel, code, this.#ports, new AbortController().signal);
  }

  async #runQueue(): Promise<void> {
    this.#isBusy = true;
    try {
      for (let next = this.#take(); next !== undefined; next = this.#take()) {
        await this.#runCell(next);
      }
    } finally {
      this.#isBusy = false;
      this.#checkIdle();
    }
  }

  #take(): QueuedCell | undefined {
    const next = this.#queue.shift();
    if (next !== undefined) this.#queuedBytes -= next.request.code.length;
    return next;
  }

  async #runCell({ from, header, request }: QueuedCell): Promise<void> {
    const { code, silent, storeHistory, allowStdin, stopOnError, expressions } = request;
    this.publishStatus("busy", header);
    if (!silent) {
      this.publish("execute_input", header, { code, execution_count: this.#count + 1 });
    }
    const cell = new Cell(
      { code, allowStdin, language: this.language, sandbox: sandboxOf(this.#id) },
      this.#ports.call,
      {
        output: (name, text) => {
          if (!silent) this.publish("stream", header, { name, text });
        },
        display: (data) => {
          if (!silent) this.#publishData("display_data", header, { data });
        },
        input: (prompt) =>
          this.reply(from, {
            channel: "stdin",
            type: "input_request",
            parent: header,
            content: { prompt, password: false },
          }),
      },
    );
    this.#cell = cell;
    const end = await cell.run();
    this.#cell = undefined;
    if (!silent && storeHistory) this.#count = end.count ?? this.#count + 1;
    this.#tellEnd(end, header, silent);
    const { error } = end;
    this.reply(from, {
      channel: "shell",
      type: "execute_reply",
      parent: header,
      content: {
        execution_count: this.#count,
        ...(error === undefined
          ? { status: "ok", payload: [], user_expressions: unsupported(expressions) }
          : { status: "error", ...error }),
      },
    });
    this.publishStatus("idle", header);
    if (error !== undefined && stopOnError) this.#abortQueue();
  }

  #tellEnd({ value, error }: CellEnd, header: Header, silent: boolean): void {
    if (error !== undefined) return this.publish("error", header, error);
    if (silent || value === undefined) return;
    this.#publishData("execute_result", header, { execution_count: this.#count, data: value });
  }

  #publishData(type: string, header: Header, content: { readonly [name: string]: unknown }): void {
    this.publish(type, header, { metadata: {}, transient: {}, ...content });
  }

  #abortQueue(): void {
    for (let next = this.#take(); next !== undefined; next = this.#take()) {
      const { from, header } = next;
      this.publishStatus("busy", header);
      this.reply(from, {
        channel: "shell",
        type: "execute_reply",
        parent: header,
        content: { status: "aborted", execution_count: this.#count },
      });
      this.publishStatus("idle", header);
    }
  }

  #checkIdle(): void {
    if (this.#connections.size === 0 && !this.#isBusy) this.#onIdle();
  }
}

/** Each of a caller's expressions has an answer; none is computed. */
function unsupported(names: readonly string[]) {
  const error = {
    status: "error",
    ename: "NotSupported",
    evalue: "The kernel computes no user_expressions",
    traceback: [],
  };
  return Object.fromEntries(names.map((name) => [name, error]));
}
