/**
 * A cell: one run of a program in a kernel's sandbox, and its messages.
 *
 * @module
 */
import { EXECUTE_PATH, RUNS_PATH } from "../../client/protocol/paths.ts";
import type { NumberedEvent } from "../../client/protocol/run_events.ts";
import type { Display, Language } from "../../client/protocol/types.ts";
import { parseExactJson } from "../../shared/exact_json.ts";
import type { RunListener } from "../../shared/run_listener.ts";
import { failureSchema, resultSchema } from "../../shared/run_schemas.ts";
import { type CallService, sandboxPath, segment } from "../../shared/service_calls.ts";

/** An error as messages have it. */
export interface CellError {
  readonly ename: string;
  readonly evalue: string;
  readonly traceback: readonly string[];
}

/** The end of a cell. */
export interface CellEnd {
  /** The number of the run in its context; absent in a language without contexts. */
  readonly count: number | undefined;
  /** The value of the last expression, by media type. */
  readonly value: { readonly [type: string]: unknown } | undefined;
  readonly error: CellError | undefined;
}

/** What a cell tells while it runs. */
export interface CellListener {
  output(stream: "stdout" | "stderr", text: string): void;
  display(data: Display["data"]): void;
  /** The program asks for a line. */
  input(prompt: string): void;
}

/** A program and where it runs. */
export interface CellOrder {
  readonly code: string;
  readonly language: Language;
  readonly sandbox: string;
  /** Whether the program may ask for lines. */
  readonly allowStdin: boolean;
}

/** A program that does nothing, for one without any text, which the service's own routes refuse. */
const EMPTY_PROGRAM = "\n";

/** A run of a program. */
export class Cell {
  readonly #order: CellOrder;
  readonly #call: CallService;
  readonly #listener: CellListener;
  readonly #interrupt = new AbortController();
  readonly #decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  #run: string | undefined;
  #ended: Promise<void> | undefined;
  #question: string | undefined;
  /** Prompts that were shown, and come again with the line that they begin. */
  #prompts = "";

  constructor(order: CellOrder, call: CallService, listener: CellListener) {
    this.#order = order;
    this.#call = call;
    this.#listener = listener;
  }

  /** Runs the program. Never rejects. */
  async run(): Promise<CellEnd> {
    const { code, language, sandbox, allowStdin } = this.#order;
    const { signal } = this.#interrupt;
    const answer = await this.#call({
      method: "POST",
      path: sandboxPath(language, sandbox, EXECUTE_PATH),
      body: {
        code: code === "" ? EMPTY_PROGRAM : code,
        repr: true,
        ...(allowStdin ? { interactive: true } : {}),
      },
      listener: this.#runListener(),
      existing: true,
    }, signal);
    const text = await answer.text();
    this.#flush();
    await this.#ended; // until then the context waits for the run
    if (signal.aborted) return failed("KeyboardInterrupt", "The cell was interrupted");
    try {
      if (answer.ok) return this.#endOf(parseExactJson(text));
      const { code, message } = failureSchema.parse(JSON.parse(text));
      return failed(code, message);
    } catch {
      return failed("InternalError", "The service gave no result");
    }
  }

  /** Ends the run. Its memory is then as before the cell. */
  async interrupt(): Promise<void> {
    this.#ended ??= this.#cancel();
    this.#interrupt.abort();
    await this.#ended;
  }

  async #cancel(): Promise<void> {
    if (this.#run === undefined) return;
    const ended = await this.#call(
      { method: "DELETE", path: this.#runPath("") },
      new AbortController().signal,
    );
    await ended.body?.cancel();
  }

  /** Answers the question of the program; one that was not asked is ignored. */
  async answer(line: string): Promise<void> {
    const key = this.#question;
    if (key === undefined || this.#run === undefined) return;
    this.#question = undefined;
    const answer = await this.#call({
      method: "POST",
      path: this.#runPath("/answers"),
      body: { answers: [{ key, value: line }] },
    }, this.#interrupt.signal);
    if (answer.ok || this.#interrupt.signal.aborted) return void await answer.body?.cancel();
    const { message } = failureSchema.parse(await answer.json());
    this.#listener.output("stderr", `${message}\n`);
    await this.interrupt();
  }

  #runPath(below: string): string {
    const { language, sandbox } = this.#order;
    return sandboxPath(language, sandbox, `${RUNS_PATH}/${segment(this.#run ?? "")}${below}`);
  }

  #runListener(): RunListener {
    const output = (stream: "stdout" | "stderr", bytes: Uint8Array) =>
      this.#tell(stream, this.#decoders[stream].decode(bytes, { stream: true }));
    const base: RunListener = {
      start: () => undefined,
      output,
      display: (display) => this.#display(display),
    };
    if (!this.#order.allowStdin) return base;
    return { ...base, event: (event) => this.#event(event) };
  }

  #event(event: NumberedEvent): void {
    switch (event.type) {
      case "start":
        this.#run = event.run;
        return;
      case "stdout":
      case "stderr":
        return this.#tell(event.type, `${this.#withoutPrompts(event)}\n`);
      case "display":
        return this.#display(event.display);
      case "input": {
        const shown = this.#prompts;
        const isSameLine = shown !== "" && event.prompt.startsWith(shown);
        const prompt = isSameLine ? event.prompt.slice(shown.length) : event.prompt;
        this.#prompts = isSameLine ? event.prompt : `${shown}${event.prompt}`;
        this.#question = event.key;
        return this.#listener.input(prompt);
      }
    }
  }

  #withoutPrompts({ type, text }: { readonly type: string; readonly text: string }): string {
    if (type !== "stdout" || this.#prompts === "") return text;
    const shown = this.#prompts;
    this.#prompts = "";
    return text.startsWith(shown) ? text.slice(shown.length) : text;
  }

  /** The value of the last expression comes with the end. */
  #display({ data, main }: Display): void {
    if (!main) this.#listener.display(data);
  }

  #tell(stream: "stdout" | "stderr", text: string): void {
    if (text !== "") this.#listener.output(stream, text);
  }

  #flush(): void {
    this.#tell("stdout", this.#decoders.stdout.decode());
    this.#tell("stderr", this.#decoders.stderr.decode());
  }

  #endOf(told: unknown): CellEnd {
    const { results: [value], displays = [], error, executionCount } = resultSchema.parse(told);
    const main = displays.find((display) => display.main)?.data;
    const forms = value === undefined ? main : {
      "text/plain": value.text ?? value.repr ?? JSON.stringify(value.json),
      ...main,
    };
    return {
      count: executionCount,
      value: forms,
      error: error === undefined ? undefined : {
        ename: error.name,
        evalue: error.message,
        traceback: error.traceback,
      },
    };
  }
}

function failed(ename: string, evalue: string): CellEnd {
  return {
    count: undefined,
    value: undefined,
    error: { ename, evalue, traceback: [`${ename}: ${evalue}`] },
  };
}
