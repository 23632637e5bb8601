/**
 * The caller's side of a run whose program waits: performs the calls of tools, asks for input, and
 * collects the answers (docs/calls.md).
 *
 * @module
 */
import { FinalFailure } from "./final_failure.ts";
import type { CallAnswer } from "./protocol/calls.ts";
import type { JsonValue, PendingCall, PendingInput, Waiting } from "./protocol/types.ts";
import { performCall, ToolDenied, type Tools } from "./tools.ts";

/** The reason of a denial without one. */
const NOT_APPROVED = "The call was not approved";

/** Callbacks of a run that a program waits for. */
export interface CallerOptions {
  /**
   * Functions that the program may call: `await tools.crm.find({ q })` in JavaScript,
   * `tools.crm.find(q="x")` in Python, `tools.crm.find(q: "x")` in Ruby,
   * `Belljar::call("crm.find", { q => "x" })` in Perl. Several may run at once. An abort, a timeout
   * and a callback that throws cancel the run, whose program may be waiting.
   */
  readonly tools?: Tools | undefined;
  /**
   * Tools of the service's operator that the program may call, too: names, or patterns such as
   * `"crm.*"`. The service performs these calls.
   */
  readonly operatorTools?: readonly string[] | undefined;
  /**
   * Called when a tool of the operator needs an approval: true approves the call, false denies it,
   * and a text is the reason of a denial. When absent, the run waits until somebody else decides.
   */
  readonly onApproval?:
    | ((call: PendingCall) => boolean | string | Promise<boolean | string>)
    | undefined;
  /**
   * Called when the program reads standard input past its end, with the unfinished line of its
   * output. Returns the next line, or null for the end of input.
   */
  readonly onInput?: ((prompt: string) => string | null | Promise<string | null>) | undefined;
}

/** Performs what the program of one run waits for. */
export class Caller {
  readonly #options: CallerOptions;
  /** The work that is not answered yet, by the key of the call or question. */
  readonly #open = new Map<string, Promise<CallAnswer>>();
  /** Keys of all calls and questions so far. */
  readonly #known = new Set<string>();
  readonly #ready: CallAnswer[] = [];
  #failure: FinalFailure | undefined;
  #wake: () => void = () => undefined;

  constructor(options: CallerOptions) {
    this.#options = options;
  }

  /** Whether a program may wait for these callbacks. */
  static isNeeded({ tools, operatorTools, onInput }: CallerOptions): boolean {
    return tools !== undefined || operatorTools !== undefined || onInput !== undefined;
  }

  /** Begins with everything that a program waits for and that is not begun yet. */
  takeAll({ calls, input }: Waiting): void {
    for (const call of calls) this.call(call);
    if (input !== undefined) this.ask(input);
  }

  /** The program calls a tool. */
  call(call: PendingCall): void {
    const { key, name, arguments: input } = call;
    if (call.approval !== undefined) return this.#decide(call);
    this.#begin(key, async () => {
      try {
        return { key, value: await performCall(this.#options.tools ?? {}, name, input) };
      } catch (thrown) {
        return thrown instanceof ToolDenied
          ? { key, deny: thrown.message }
          : { key, error: errorOf(thrown) };
      }
    });
  }

  #decide(call: PendingCall): void {
    const { onApproval } = this.#options;
    if (onApproval === undefined) return;
    const { key } = call;
    this.#begin(key, async () => {
      const decision = await onApproval(call);
      if (decision === true) return { key, approve: true };
      return { key, deny: decision === false ? NOT_APPROVED : decision };
    });
  }

  /** The program asks for a line. */
  ask({ key, prompt }: PendingInput): void {
    this.#begin(key, async () => ({ key, value: await this.#options.onInput?.(prompt) ?? null }));
  }

  #begin(key: string, perform: () => Promise<CallAnswer>): void {
    if (this.#known.has(key)) return;
    this.#known.add(key);
    const work = perform();
    this.#open.set(key, work);
    work.then((answer) => {
      this.#open.delete(key);
      this.#ready.push(answer);
      this.#wake();
    }, (thrown) => {
      this.#failure = new FinalFailure(thrown);
      this.#wake();
    });
  }

  /** Whether something is being performed, or is ready to be answered. */
  get isBusy(): boolean {
    return this.#open.size + this.#ready.length > 0 || this.#failure !== undefined;
  }

  /**
   * The answers that are ready, at least one. Waits for the first, at most so many milliseconds;
   * then there may be none.
   *
   * @throws {FinalFailure} when `onInput` or `onApproval` throws.
   */
  async answers(signal: AbortSignal, mostMs = Infinity): Promise<CallAnswer[]> {
    if (this.#ready.length === 0 && this.#failure === undefined) await this.#wait(signal, mostMs);
    if (this.#failure !== undefined) throw this.#failure;
    return this.#ready.splice(0);
  }

  #wait(signal: AbortSignal, mostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = mostMs === Infinity ? undefined : setTimeout(() => this.#wake(), mostMs);
      this.#wake = () => {
        this.#wake = () => undefined;
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        resolve();
      };
      const onAbort = () => this.#wake();
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) this.#wake();
    });
  }
}

function errorOf(thrown: unknown): { message: string; data?: JsonValue } {
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  const data = "data" in thrown ? asJson(thrown.data) : undefined;
  const message = thrown.message === "" ? thrown.name : thrown.message;
  return data === undefined ? { message } : { message, data };
}

/** Undefined for what JSON cannot say. */
function asJson(value: unknown): JsonValue | undefined {
  try {
    return JSON.parse(JSON.stringify(value) ?? "null");
  } catch {
    return undefined;
  }
}
