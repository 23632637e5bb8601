/**
 * A runtime without an engine whose programs call, ask and sleep, so that everything around the
 * engines can be tested. Its isolates can be taken back at each wait.
 *
 * A program is lines of: `print <text>`, `prompt <text>` (an unfinished line), `call <tool> <json>`
 * (waits for the answer and prints it), `start <tool> <json>`, `gather` (waits for all that were
 * started, and prints each answer as it comes), `ask` (reads a line and prints it), `sleep <ms>`,
 * `race <ms>` (waits for the started calls or that long), `clock`, `spin` (computes until it is
 * ended), `die`.
 */
import { runtimeUnavailable } from "../../shared/errors.ts";
import {
  type Delivery,
  type ProgramWait,
  type RunCalls,
  RunDiverged,
  RunReleased,
} from "../../shared/run_calls.ts";
import type { RunListener } from "../../shared/run_listener.ts";

/** How isolates behave. */
export interface IsolateRules {
  /** Takes back the isolate at the n-th wait of an attempt, from 1, before it asks. */
  readonly takenBackAt?: (wait: number) => boolean;
  /** Called with each attempt. */
  readonly onAttempt?: () => void;
  /** Takes back waiting isolates when it is called. */
  readonly takeBack?: Set<() => void>;
}

/** The words of the programs. */
const WORDS: readonly string[] = [
  "print",
  "prompt",
  "call",
  "start",
  "gather",
  "race",
  "ask",
  "sleep",
  "clock",
  "spin",
];

/** The use at each wait. */
const USE = { fuel: 100, memoryBytes: 131_072 };

/** Ends an attempt whose signal fired. */
class Stopped extends Error {}

/** One attempt. Resolves to the program's output. */
export class CallingProgram {
  readonly #calls: RunCalls;
  readonly #listener: RunListener | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #rules: IsolateRules;
  readonly #recorded: Delivery[];
  #waits = 0;
  #made = 0;
  #open: number[] = [];
  #stdout = "";
  #clock: number;

  constructor(
    calls: RunCalls,
    { listener, signal }: {
      readonly listener?: RunListener | undefined;
      readonly signal?: AbortSignal | undefined;
    },
    rules: IsolateRules,
  ) {
    this.#calls = calls;
    this.#listener = listener;
    this.#signal = signal;
    this.#rules = rules;
    this.#recorded = [...calls.recorded];
    this.#clock = calls.startMs;
    rules.onAttempt?.();
  }

  /** The lines that it printed. */
  async run(code: string): Promise<readonly string[]> {
    this.#listener?.start();
    for (const line of code.split("\n")) await this.step(line);
    return this.end();
  }

  /** Performs a line. False: it is not of these programs. */
  async step(line: string): Promise<boolean> {
    if (this.#signal?.aborted) throw this.#signal.reason;
    const [word = "", first = "", ...rest] = line.split(" ");
    if (WORDS.includes(word)) await this.#perform(word, line, first, rest);
    else if (word === "die") throw runtimeUnavailable();
    else return false;
    return true;
  }

  /** The lines that it printed, at its end. */
  end(): readonly string[] {
    if (this.#recorded.length > 0) throw new RunDiverged();
    const lines = this.#stdout.split("\n");
    if (lines.at(-1) === "") lines.pop();
    return lines;
  }

  async #perform(
    word: string,
    line: string,
    first: string,
    rest: readonly string[],
  ): Promise<void> {
    if (word === "print") this.#print(`${line.slice(6)}\n`);
    else if (word === "prompt") this.#print(line.slice(7));
    else if (word === "call") {
      const number = this.#call(first, rest.join(" "));
      this.#tell(await this.#wait({ calls: [number], maxMs: null, ...USE }));
    } else if (word === "start") this.#open.push(this.#call(first, rest.join(" ")));
    else if (word === "gather") {
      while (this.#open.length > 0) {
        this.#tell(await this.#wait({ calls: this.#open, maxMs: null, ...USE }));
      }
    } else if (word === "race") {
      this.#tell(await this.#wait({ calls: this.#open, maxMs: Number(first), ...USE }));
    } else if (word === "ask") {
      const prompt = this.#stdout.slice(this.#stdout.lastIndexOf("\n") + 1);
      this.#tell(await this.#wait({ calls: [], prompt, maxMs: null, ...USE }));
    } else if (word === "sleep") {
      await this.#wait({ calls: [], maxMs: Number(first), ...USE });
    } else if (word === "clock") this.#print(`${this.#clock - this.#calls.startMs}\n`);
    else if (word === "spin") {
      await new Promise((_, reject) =>
        this.#signal?.addEventListener("abort", () => reject(this.#signal?.reason))
      );
    }
  }

  #call(name: string, text: string): number {
    const number = ++this.#made;
    this.#calls.called({ number, name, arguments: text === "" ? "{}" : text, fuel: 10 * number });
    return number;
  }

  async #wait(wait: ProgramWait): Promise<Delivery> {
    const recorded = this.#recorded.shift();
    const waiting = new AbortController();
    const taken = Promise.withResolvers<undefined>();
    const takeBack = () => {
      waiting.abort();
      taken.resolve(undefined);
    };
    this.#waits++;
    if (recorded === undefined && this.#rules.takenBackAt?.(this.#waits) === true) {
      this.#calls.wait(wait, false, waiting.signal);
      takeBack();
      throw new RunReleased();
    }
    this.#rules.takeBack?.add(takeBack);
    this.#signal?.addEventListener("abort", takeBack);
    const given = this.#calls.wait(wait, recorded !== undefined, waiting.signal);
    const delivery = recorded ?? await Promise.race([given, taken.promise]);
    this.#rules.takeBack?.delete(takeBack);
    if (this.#signal?.aborted) throw this.#signal.reason ?? new Stopped();
    if (delivery === undefined) throw new RunReleased();
    this.#clock = delivery.atMs;
    if ("call" in delivery) this.#open = this.#open.filter((open) => open !== delivery.call);
    return delivery;
  }

  #tell(delivery: Delivery): void {
    if ("elapsed" in delivery) this.#print("elapsed\n");
    else if ("input" in delivery) this.#print(delivery.input ?? "end of input\n");
    else if ("value" in delivery) this.#print(`${delivery.call}: ${delivery.value}\n`);
    else this.#print(`${delivery.call}: ${delivery.error.kind} ${delivery.error.message}\n`);
  }

  #print(text: string): void {
    this.#stdout += text;
    this.#listener?.output("stdout", new TextEncoder().encode(text));
  }
}
