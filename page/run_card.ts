/**
 * One run, from its beginning to its end: a card with its output, what it cost, and how it ended.
 *
 * @module
 */
import type { Display, ExecutionError, JsonValue, PublishedLimits } from "@belljar/client";
import type { ExecutionResult, PendingCall } from "../client/protocol/types.ts";
import type { Asked, SendReply } from "./asked.ts";
import { callElement, type CallReply } from "./call_form.ts";
import { button, el, fill } from "./dom.ts";
import { displayView } from "./display_view.ts";
import { errorHint } from "./error_hints.ts";
import { errorTitle, LIMIT_ERROR } from "./error_title.ts";
import { bytes, compact, countText, duration, exact, moment, share } from "./format.ts";
import { limitText } from "./limit_text.ts";
import { outputTools } from "./output_tools.ts";
import { longText, OutputView } from "./output_view.ts";
import { resultView } from "./result_view.ts";
import { questionElement } from "./question.ts";

/** How a run ended. */
export type Ending =
  | { readonly kind: "result"; readonly result: ExecutionResult }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly message: string };

/** Options of a card. */
export interface CardOptions {
  /** For example `Run 3`. */
  readonly name: string;
  readonly limits: PublishedLimits;
  /** Whether the run belongs to a context. */
  readonly inContext: boolean;
  /** When it ended, in ISO 8601; absent for a run that is followed to its end. */
  readonly endedAt?: string;
  readonly onGoTo: (error: ExecutionError) => void;
  /** Copies the run as a call; the card has no button for it when absent. */
  readonly onCopy?: () => void;
  /** Takes the program over; the card has no button for it when absent. */
  readonly onLoad?: () => void;
}

const TICK_MS = 100;
/** Lines of a traceback that is shown at once. */
const OPEN_TRACEBACK = 12;
/** Part of a limit from which on a meter shows it. */
const METER_FROM = 0.2;

/** A call that is shown: its name, its arguments, and whether it needs an approval. */
export type ShownCall = Pick<PendingCall, "name" | "arguments" | "approval">;

/** The card of a run. */
export class RunCard {
  /** The element that holds it. */
  readonly element: HTMLElement;
  readonly #options: CardOptions;
  readonly #status = el("span", { class: "status" });
  readonly #cost = el("dl", { class: "cost" });
  readonly #output: OutputView;
  readonly #end = el("div", { class: "run-end" });
  readonly #bar: HTMLProgressElement;
  readonly #began = performance.now();
  readonly #ticking: number;
  #shown = 0;
  /** Prompts of the line of output that is not complete. */
  #prompts = "";
  #open = 0;

  constructor(options: CardOptions) {
    this.#options = options;
    this.#output = new OutputView(`Output of ${options.name}`);
    this.#bar = el("progress", {
      max: options.limits.wallMs,
      "aria-label": `Time of ${options.name}`,
    });
    this.element = el(
      "article",
      { class: "run", "data-state": "running", "aria-label": options.name },
      el(
        "header",
        { class: "run-head" },
        el("h3", {}, options.name),
        this.#status,
        options.endedAt !== undefined &&
          el(
            "time",
            { class: "hint", datetime: options.endedAt },
            moment(new Date(options.endedAt)),
          ),
        options.onCopy !== undefined && button("Copy call", options.onCopy, {
          class: "quiet",
          "aria-label": `Copy call of ${options.name}`,
        }),
        options.onLoad !== undefined && button("Use program", options.onLoad, {
          class: "quiet",
          "aria-label": `Use program of ${options.name}`,
        }),
      ),
      this.#bar,
      this.#output.element,
      this.#end,
      this.#cost,
    );
    this.#ticking = setInterval(() => this.#tick(), TICK_MS);
    this.#tick();
  }

  /** Adds a line of output. The prompts at its beginning are shown already. */
  line(stream: "stdout" | "stderr", text: string): void {
    const prompts = stream === "stdout" ? this.#prompts : "";
    if (stream === "stdout") this.#prompts = "";
    if (prompts === "" || !text.startsWith(prompts)) return this.#output.add(stream, text);
    if (text !== prompts) this.#output.add(stream, text.slice(prompts.length));
  }

  /** Asks the reader for a line of input; null for the end of input. */
  async ask(prompt: string): Promise<string | null> {
    return await this.#answered((send) => this.question(prompt, send, true));
  }

  /** Asks the reader for the result of a call. */
  async call(name: string, given: JsonValue): Promise<CallReply> {
    return await this.#answered((send) => this.pendingCall({ name, arguments: given }, send, true));
  }

  /** Asks the reader to approve a call of a tool of the operator. */
  async approve(call: ShownCall): Promise<CallReply> {
    return await this.#answered((send) => this.pendingCall(call, send, true));
  }

  async #answered<T>(show: (send: SendReply<T>) => Asked): Promise<T> {
    const answer = Promise.withResolvers<T>();
    const asked = show((reply) => {
      answer.resolve(reply);
      return Promise.resolve(undefined);
    });
    if (document.activeElement?.closest(".question-form") === null) asked.focus();
    this.#open++;
    const reply = await answer.promise;
    this.#open--;
    return reply;
  }

  /** Shows a question at the place where the program stands. */
  question(prompt: string, send: SendReply<string | null>, isOpen: boolean): Asked {
    this.#prompts += prompt;
    const asked = questionElement({ prompt, runName: this.#options.name, send, isOpen });
    this.#output.insert(asked.element);
    return asked;
  }

  /** Shows a call at the place where the program stands. */
  pendingCall(call: ShownCall, send: SendReply<CallReply>, isOpen: boolean): Asked {
    const { name: runName } = this.#options;
    const isApproval = call.approval !== undefined;
    const asked = callElement({ ...call, runName, send, isOpen, isApproval });
    this.#output.insert(asked.element);
    return asked;
  }

  /** The number of questions and calls that wait for the reader. */
  set waitsFor(count: number) {
    this.#open = count;
    this.#tick();
  }

  /** Adds what the run shows. */
  display(display: Display): void {
    this.#shown++;
    this.#output.insert(displayView(display, `${this.#options.name}, display ${this.#shown}`));
  }

  /** Shows a run that has ended, with its output. */
  showEnded(result: ExecutionResult): void {
    for (const text of result.logs.stdout) this.line("stdout", text);
    for (const text of result.logs.stderr) this.line("stderr", text);
    for (const display of result.displays ?? []) this.display(display);
    this.finish({ kind: "result", result });
  }

  /** Shows how the run ended; returns it in words. */
  finish(ending: Ending): string {
    clearInterval(this.#ticking);
    this.#bar.remove();
    for (const form of this.#output.element.querySelectorAll(".question-form")) form.remove();
    this.#output.flush();
    if (this.#output.lines > 0) {
      this.#output.element.before(outputTools(this.#output, this.#options.name));
    }
    if (ending.kind === "result") return this.#showResult(ending.result);
    const isStopped = ending.kind === "stopped";
    this.element.dataset["state"] = isStopped ? "stopped" : "failed";
    this.#status.textContent = isStopped ? "Stopped" : "Not finished";
    const text = isStopped
      ? `You stopped it.${
        this.#options.inContext ? " Memory and files are as before the run." : ""
      }`
      : ending.message;
    fill(this.#end, el("p", { class: "run-note" }, text));
    return `${this.#options.name}: ${isStopped ? "stopped" : ending.message}`;
  }

  #tick(): void {
    if (this.#open > 0) {
      this.#status.textContent = "Waiting for your answer";
      return;
    }
    const elapsed = performance.now() - this.#began;
    const { wallMs } = this.#options.limits;
    this.#status.textContent = elapsed < 1000 ? "Running" : `Running, ${duration(elapsed)}`;
    if (elapsed > 300 && elapsed < wallMs) this.#bar.value = elapsed;
  }

  #showResult(result: ExecutionResult): string {
    const { error, results, usage, durationMs, context } = result;
    const isLimit = error?.name === LIMIT_ERROR;
    const state = error === undefined ? "ok" : isLimit ? "limit" : "error";
    this.element.dataset["state"] = state;
    const word = { ok: "Finished", limit: "Limit reached", error: "Error" }[state];
    this.#status.textContent = word;
    const [value] = results;
    fill(
      this.#end,
      value !== undefined && resultView(value, this.#options.name),
      error !== undefined && this.#errorView(error, result),
      context?.rolledBack === true &&
        el(
          "p",
          { class: "run-note" },
          "The limit undid the run: memory and files are as before it.",
        ),
      this.#isSilent(result) && el("p", { class: "run-note" }, "No output and no result."),
    );
    const parts = [
      usage && cost("Fuel", compact(usage.fuelConsumed), {
        title: `${exact(usage.fuelConsumed)} of ${exact(usage.fuelLimit)} units`,
        part: usage.fuelConsumed / usage.fuelLimit,
        note: share(usage.fuelConsumed, usage.fuelLimit),
      }),
      usage && cost("Memory", bytes(usage.memoryBytes), {
        title: `${exact(usage.memoryBytes)} of ${exact(this.#options.limits.memoryBytes)} bytes`,
        part: usage.memoryBytes / this.#options.limits.memoryBytes,
        note: share(usage.memoryBytes, this.#options.limits.memoryBytes),
      }),
      cost("Time", duration(durationMs), { title: `${durationMs} ms in the engine` }),
      context?.snapshotMs !== undefined && cost("Snapshot", duration(context.snapshotMs), {
        title: "Time to store the memory of the context",
      }),
      this.#output.lines > 0 && cost("Output", countText(this.#output.lines, "line"), {}),
    ];
    fill(this.#cost, ...parts);
    const said = error === undefined ? word : `${word}: ${error.message}`;
    return `${this.#options.name}: ${said}, ${duration(durationMs)}`;
  }

  #isSilent({ results, error }: ExecutionResult): boolean {
    return results.length === 0 && error === undefined && this.#output.lines === 0 &&
      this.#shown === 0;
  }

  #errorView(
    error: ExecutionError,
    { language, code, durationMs }: ExecutionResult,
  ): HTMLElement {
    const { name, message, traceback, lineNumber } = error;
    const isLimit = name === LIMIT_ERROR;
    const meaning = isLimit
      ? limitText(message, this.#options.limits, durationMs)
      : errorHint(error, language, code);
    return el(
      "div",
      { class: "guest-error" },
      el("p", { class: "error-title" }, longText(errorTitle(error))),
      meaning !== undefined && el("p", { class: "error-meaning" }, meaning),
      lineNumber !== undefined &&
        button(`Go to line ${lineNumber}`, () => this.#options.onGoTo(error), { class: "quiet" }),
      traceback.length > 0 && el(
        "details",
        { open: traceback.length <= OPEN_TRACEBACK },
        el("summary", {}, "Traceback"),
        el(
          "pre",
          {
            class: "output",
            tabindex: 0,
            role: "region",
            "aria-label": `Traceback of ${this.#options.name}`,
          },
          longText(traceback.join("\n")),
        ),
      ),
    );
  }
}

interface CostNotes {
  readonly title?: string;
  /** From 0 to 1. */
  readonly part?: number;
  readonly note?: string;
}

function cost(name: string, value: string, { title, part, note }: CostNotes): HTMLElement {
  const meter = part === undefined || part < METER_FROM ? undefined : el("meter", {
    min: 0,
    max: 1,
    high: 0.9,
    value: Math.min(1, part),
    "aria-label": `${name}: ${note ?? ""} of the limit`,
  });
  return el(
    "div",
    { class: "cost-item", title },
    el("dt", {}, name),
    el("dd", {}, value, meter),
  );
}
