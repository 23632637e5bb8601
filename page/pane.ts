/**
 * A place to write a program, run it, and see its runs: one interpreter, fresh for each run or a
 * context.
 *
 * @module
 */
import type { Language, LanguageListing, StatelessRunCodeOptions } from "@belljar/client";
import type { ExecutionResult } from "../client/protocol/types.ts";
import { canLookInto, contextCompletions, contextPath } from "./context_names.ts";
import { contextPanels } from "./context_panels.ts";
import { offerCopy } from "./copy_dialog.ts";
import type { CopiedContext } from "./copy_as.ts";
import { divider } from "./divider.ts";
import { announce } from "./announcer.ts";
import { button, el } from "./dom.ts";
import { type Draft, keepDraft } from "./drafts.ts";
import { Editor } from "./editor.ts";
import { errorTitle } from "./error_title.ts";
import type { Example } from "./examples.ts";
import { knownLanguage } from "./language_names.ts";
import { COMMAND_KEY } from "./key_names.ts";
import { packageList } from "./package_list.ts";
import { type FieldsForm, fieldsForm } from "./fields_form.ts";
import type { PastRun } from "./past_runs.ts";
import { decisionOn, toolsOn } from "./reader_calls.ts";
import { type Ending, RunCard } from "./run_card.ts";
import { insertRun } from "./run_order.ts";
import { readsInput } from "./reads_input.ts";
import { FollowedRun } from "./followed_run.ts";
import {
  FieldError,
  NO_FIELDS,
  optionsOf,
  type RunFields,
  toolNames,
  withTool,
} from "./run_request.ts";
import { toolList } from "./tool_list.ts";
import { isTokenFailure, messageOf, type Service } from "./service.ts";

/** Runs a program somewhere. */
export type RunProgram = (
  language: Language,
  code: string,
  options: StatelessRunCodeOptions,
) => Promise<ExecutionResult>;

/** Options of a pane. */
export interface PaneOptions {
  /** Controls at the top of the pane, before those that run the program. */
  readonly head: readonly HTMLElement[];
  /** Controls below the editor. */
  readonly tools: readonly (HTMLElement | false)[];
  /** Names it to screen readers. */
  readonly label: string;
  readonly languages: readonly LanguageListing[];
  readonly draft: Draft;
  /** Under which its draft is kept. */
  readonly draftName: string;
  /** Its context; undefined without one. */
  readonly context: CopiedContext | undefined;
  readonly service: Service;
  readonly run: RunProgram;
  /** The language of a run was taken over with its program. */
  readonly onLanguage?: (language: Language) => void;
  /** A run has ended in any way. */
  readonly onRan: (result: ExecutionResult | undefined) => void;
  readonly onTokenFailure: () => void;
}

/** A pane. */
export class Pane {
  /** The element that holds it. */
  readonly element: HTMLElement;
  readonly #options: PaneOptions;
  readonly #editor: Editor;
  readonly #fields: FieldsForm;
  readonly #run: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  readonly #problem = el("p", { class: "problem", role: "alert" });
  readonly #packages = packageList();
  readonly #runs: HTMLElement;
  readonly #empty: HTMLElement;
  #language: Language;
  #running: AbortController | undefined;
  #followed: FollowedRun | undefined;
  #count = 0;
  /** Whether nobody has written here; an editor that was emptied stays empty. */
  #isBlank: boolean;
  /** Numbers of the runs of the context that are shown. */
  readonly #numbers = new Set<number>();

  constructor(options: PaneOptions) {
    this.#options = options;
    this.#language = options.draft.language;
    this.#isBlank = options.draft.code === "";
    const { context, service } = options;
    const lookedInto = context !== undefined && canLookInto(this.#language)
      ? { service, path: contextPath(this.#language, context.sandbox, context.contextId) }
      : undefined;
    this.#editor = new Editor({
      label: `Program, ${options.label}`,
      language: this.#language,
      code: options.draft.code,
      onChange: () => this.#keep(),
      onRun: () => void this.run(),
      onStop: () => this.stop(),
      ...(lookedInto === undefined ? {} : { complete: contextCompletions(lookedInto) }),
    });
    this.#fields = fieldsForm(options.draft.fields, () => this.#keep());
    this.#run = button("Run", () => void this.run(), {
      class: "primary",
      title: `${COMMAND_KEY} + Enter`,
      "aria-keyshortcuts": "Control+Enter Meta+Enter",
    });
    this.#stop = button("Stop", () => this.stop(), {
      title: `${COMMAND_KEY} + .`,
      "aria-keyshortcuts": "Control+. Meta+.",
      hidden: true,
    });
    this.#empty = el(
      "div",
      { class: "empty" },
      el("p", {}, el("kbd", {}, COMMAND_KEY), " + ", el("kbd", {}, "Enter"), " runs the program."),
      el("p", {}, "Output, results, figures and what the run cost appear here."),
    );
    this.#runs = el("div", { class: "runs" }, this.#empty);
    this.element = el(
      "section",
      { class: "pane", "aria-label": options.label },
      el(
        "div",
        { class: "write" },
        el(
          "div",
          { class: "pane-head" },
          ...options.head,
          el("div", { class: "pane-run" }, this.#stop, this.#run),
        ),
        this.#problem,
        this.#editor.element,
        options.tools.length > 0 && el("div", { class: "tools" }, ...options.tools),
        this.#fields.element,
        this.#packages.element,
        ...contextPanels(service, this.#language, context, (code) => this.code = code),
        toolList(options.service, (name) => this.#useTool(name)),
      ),
      el("div", { class: "read" }, el("h2", { class: "visually-hidden" }, "Runs"), this.#runs),
    );
    this.element.firstElementChild?.after(divider(this.element));
    this.#showLimits();
  }

  /** The program and its options. */
  get draft(): Draft {
    return { language: this.#language, code: this.#editor.code, fields: this.#fields.fields };
  }

  /** Whether a run is in progress. */
  get isRunning(): boolean {
    return this.#running !== undefined || this.#followed !== undefined;
  }

  /** Chooses another language; the program stays. */
  set language(language: Language) {
    this.#language = language;
    this.#editor.language = language;
    this.#editor.mark(undefined);
    this.#showLimits();
    this.#keep();
  }

  /** Replaces the program; its input and limits stay. */
  set code(code: string) {
    this.#editor.code = code;
    this.#keep();
  }

  /** Puts a program into the editor, with its input and limits. It is not run. */
  load({ language, code, stdin = "", limits = {} }: Omit<Example, "title" | "text">): void {
    this.language = language;
    this.#editor.code = code;
    this.#fields.fields = { ...NO_FIELDS, ...limits, stdin };
    this.#fields.element.open = stdin !== "" || Object.keys(limits).length > 0;
    this.#keep();
  }

  /** Puts the cursor into the editor. */
  focus(): void {
    this.#editor.focus();
  }

  /** Ends the run in progress. */
  stop(): void {
    this.#running?.abort();
    void this.#cancelFollowed();
  }

  async #cancelFollowed(): Promise<void> {
    try {
      const refused = await this.#followed?.cancel();
      if (refused !== undefined) this.#refuse(refused);
    } catch (thrown) {
      this.#refuse(messageOf(thrown));
    }
  }

  /** Ends the run that began here, and frees its resources. One that is only followed goes on. */
  destroy(): void {
    this.#running?.abort();
    this.#followed?.leave();
    this.#editor.destroy();
    this.element.remove();
  }

  /** Runs the program, or another one, unless a run is in progress. */
  async run(code: string = this.#editor.code): Promise<void> {
    if (this.isRunning) return;
    const language = this.#language;
    this.#problem.textContent = "";
    const given = this.#optionsOrProblem();
    if (given === undefined) return;
    const { options, names } = given;
    if (code.trim() === "") return this.#refuse("There is no program to run.");
    const running = new AbortController();
    this.#running = running;
    this.#editor.mark(undefined);
    this.#showRunning(true);
    const card = this.#newCard(language, { code, fields: this.#fields.fields });
    const tools = names.length === 0 ? {} : { tools: toolsOn(card, names) };
    const asks = options.stdin === undefined && readsInput(language, code);
    let ending: Ending;
    try {
      const result = await this.#options.run(language, code, {
        ...options,
        ...tools,
        signal: running.signal,
        onStdout: ({ text }) => card.line("stdout", text),
        onStderr: ({ text }) => card.line("stderr", text),
        onDisplay: (display) => card.display(display),
        ...(asks ? { onInput: (prompt) => card.ask(prompt) } : {}),
        onApproval: (call) => decisionOn(card, call),
      });
      ending = { kind: "result", result };
    } catch (thrown) {
      ending = running.signal.aborted
        ? { kind: "stopped" }
        : { kind: "failed", message: messageOf(thrown) };
      if (isTokenFailure(thrown)) this.#options.onTokenFailure();
    }
    this.#running = undefined;
    this.#finish(card, ending, code);
  }

  /** Follows a run of this context that began elsewhere, unless one is in progress here. */
  async follow(id: string): Promise<void> {
    if (this.isRunning) return;
    const card = this.#newCard(this.#language);
    const followed = new FollowedRun(this.#options.service, id, card);
    this.#followed = followed;
    this.#showRunning(true);
    const ending = await followed.follow();
    this.#followed = undefined;
    this.#finish(card, ending, ending.kind === "result" ? ending.result.code : "");
  }

  /** Shows runs that have ended elsewhere or earlier, newest first. */
  showPast(runs: readonly PastRun[]): void {
    if (this.isRunning) return;
    const [newest] = runs;
    if (newest !== undefined && this.#isBlank) this.code = newest.execution.code;
    for (const { endedAt, execution } of runs.toReversed()) {
      const { executionCount, code } = execution;
      if (executionCount !== undefined && this.#numbers.has(executionCount)) continue;
      const past = { code, endedAt, number: executionCount };
      const card = this.#newCard(knownLanguage(execution.language) ?? this.#language, past);
      this.#noteNumber(card, execution);
      card.showEnded(execution);
    }
  }

  /** Removes the runs from the page. */
  clear(): void {
    if (this.isRunning) return;
    this.#runs.replaceChildren(this.#empty);
    this.#count = 0;
    announce("The runs are removed");
  }

  #noteNumber(card: RunCard, { executionCount }: ExecutionResult): void {
    if (executionCount === undefined || this.#options.context === undefined) return;
    card.element.dataset["number"] = String(executionCount);
    this.#numbers.add(executionCount);
    this.#count = Math.max(this.#count, executionCount - 1);
  }

  #finish(card: RunCard, ending: Ending, code: string): void {
    this.#showRunning(false);
    announce(card.finish(ending));
    const result = ending.kind === "result" ? ending.result : undefined;
    if (result !== undefined) {
      this.#noteNumber(card, result);
      this.#markError(result, code);
    }
    this.#options.onRan(result);
  }

  /** `code`: of a run that began here, or of one that has ended. */
  #newCard(
    language: Language,
    { code, endedAt, number, fields = NO_FIELDS }: {
      readonly code?: string;
      readonly fields?: RunFields;
      readonly endedAt?: string;
      readonly number?: number | undefined;
    } = {},
  ): RunCard {
    if (number !== undefined) this.#count = Math.max(this.#count, number - 1);
    const name = `Run ${++this.#count}`;
    const listing = this.#listing(language);
    const card = new RunCard({
      name,
      limits: listing.limits,
      inContext: this.#options.context !== undefined,
      ...(endedAt === undefined ? {} : { endedAt }),
      onGoTo: ({ lineNumber }) => this.#editor.goTo(lineNumber ?? 1),
      ...(code === undefined ? {} : {
        onCopy: () =>
          void offerCopy(name, { language, code, fields, context: this.#options.context }),
        onLoad: () => {
          if (this.#options.languages.length > 1) {
            this.language = language;
            this.#options.onLanguage?.(language);
          }
          this.#editor.code = code;
          this.#editor.focus();
        },
      }),
    });
    this.#empty.remove();
    insertRun(this.#runs, card.element, number);
    if (endedAt !== undefined) return card;
    announce(code === undefined ? `${name} is picked up` : `${name} began`);
    return card;
  }

  #markError({ error }: ExecutionResult, code: string): void {
    if (error?.lineNumber === undefined || this.#editor.code !== code) return;
    this.#editor.mark({ line: error.lineNumber, text: errorTitle(error) });
  }

  #optionsOrProblem():
    | { readonly options: StatelessRunCodeOptions; readonly names: readonly string[] }
    | undefined {
    try {
      const { fields } = this.#fields;
      return { options: { ...optionsOf(fields), repr: true }, names: toolNames(fields) };
    } catch (thrown) {
      if (!(thrown instanceof FieldError)) throw thrown;
      this.#fields.element.open = true;
      this.#refuse(thrown.message);
      return undefined;
    }
  }

  #refuse(problem: string): void {
    this.#problem.textContent = problem;
  }

  #showRunning(isRunning: boolean): void {
    this.#run.setAttribute("aria-disabled", String(isRunning));
    if (document.activeElement === this.#stop) this.#run.focus();
    this.#stop.hidden = !isRunning;
    this.element.classList.toggle("going", isRunning);
  }

  #showLimits(): void {
    const { limits, packages } = this.#listing(this.#language);
    this.#fields.limits = limits;
    this.#packages.packages = packages;
  }

  #useTool(name: string): void {
    this.#fields.fields = withTool(this.#fields.fields, name);
    this.#fields.element.open = true;
    this.#keep();
  }

  #listing(language: Language): LanguageListing {
    const { languages } = this.#options;
    const found = languages.find(({ id }) => id === language) ?? languages[0];
    if (found === undefined) throw new TypeError("There is no language");
    return found;
  }

  #keep(): void {
    this.#isBlank = false;
    keepDraft(this.#options.draftName, this.draft);
  }
}
