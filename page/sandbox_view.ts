/**
 * A sandbox: its contexts side by side, its files and variables.
 *
 * @module
 */
import {
  type CodeContext,
  type ContextInfo,
  getSandbox,
  type Language,
  type LanguageListing,
  type Sandbox,
  type SandboxInfo,
} from "@belljar/client";
import { bindingName } from "../client/protocol/types.ts";
import { type AboutPanel, aboutPanel } from "./about_panel.ts";
import { announce } from "./announcer.ts";
import { type CheckpointsPanel, checkpointsPanel } from "./checkpoints_panel.ts";
import { askToConfirm } from "./dialogs.ts";
import { button, el } from "./dom.ts";
import { keepDraft, storedDraft } from "./drafts.ts";
import { chooseExample } from "./examples.ts";
import { FileTabs } from "./file_tabs.ts";
import { type FilesPanel, filesPanel } from "./files_panel.ts";
import { bytes, countText } from "./format.ts";
import { knownLanguage, languageName } from "./language_names.ts";
import { fragmentOf } from "./link.ts";
import { newContextBar } from "./new_context_bar.ts";
import { importNotebook } from "./notebook_panel.ts";
import { Pane } from "./pane.ts";
import { randomId } from "./random_id.ts";
import { contextRuns } from "./past_runs.ts";
import { NO_FIELDS } from "./run_request.ts";
import { isOpen } from "./run_state.ts";
import { isTokenFailure, messageOf } from "./service.ts";
import { type VariablesPanel, variablesPanel } from "./variables_panel.ts";
import type { View, ViewOptions } from "./view.ts";

/** A run whose connection broke is asked for again with its key: for about a minute. */
const RETRY = { attempts: 10, baseDelayMs: 500, maxDelayMs: 8_000 };
const MAX_CONTEXTS = 8;

interface OpenContext {
  readonly pane: Pane;
  readonly state: HTMLElement;
  readonly language: Language;
  /** Runs of the context when its history was read. */
  readRuns: number;
}

/** The view of one sandbox. */
export class SandboxView implements View {
  readonly element: HTMLElement;
  readonly title: string;
  readonly #options: ViewOptions;
  readonly #sandbox: Sandbox;
  readonly #files: FilesPanel;
  readonly #tabs: FileTabs;
  readonly #variables: VariablesPanel;
  readonly #checkpoints: CheckpointsPanel;
  readonly #panes = el("div", { class: "panes" });
  readonly #about: AboutPanel;
  readonly #add: HTMLElement;
  readonly #open = new Map<string, OpenContext>();
  /** Languages of contexts that are being created: a key that repeats must not make eight of them. */
  readonly #creating = new Set<Language>();
  /** The contexts that are there. */
  #known: ReadonlySet<string> = new Set();
  /** Contexts that the reader has deleted here. */
  readonly #deleted = new Set<string>();
  readonly #onVisible = () => {
    if (document.visibilityState === "visible") void this.refresh();
  };

  constructor(name: string, options: ViewOptions) {
    this.#options = options;
    this.title = `Sandbox ${name}`;
    this.#sandbox = getSandbox(options.service.env.Sandbox, name);
    const onFailure = (thrown: unknown) => this.#fail(thrown);
    const onForked = (fork: string) => options.go(fragmentOf({ kind: "sandbox", name: fork }));
    const sandbox = this.#sandbox;
    this.#tabs = new FileTabs({
      place: { service: options.service, language: this.#anyLanguage(), sandbox: sandbox.id },
      languages: this.#possible().map(({ id }) => id),
      onRun: (language, code) => this.#runFile(language, code),
      onStored: () => void this.refresh(),
      onFailure,
    });
    this.#files = filesPanel({
      sandbox,
      onOpen: (path, isNew) => this.#tabs.open(path, isNew),
      onMoved: (from, to) => this.#tabs.moved(from, to),
      onRead: (paths) => void this.#tabs.refresh(paths),
      onFailure,
    });
    this.#variables = variablesPanel({ sandbox, onFailure, onChanged: () => void this.refresh() });
    this.#checkpoints = checkpointsPanel({
      sandbox,
      onFailure,
      onRestoring: () => this.#open.forEach((_, id) => this.#deleted.add(id)),
      onRestored: async () => {
        await this.refresh();
        // a run that the restore ended closes its pane when its answer comes
        for (const id of this.#known) this.#deleted.delete(id);
      },
      onForked,
      onWays: async (checkpoint, label) => {
        const { openWays } = await import("./ways.ts");
        await openWays({
          service: options.service,
          sandbox,
          checkpoint,
          label,
          onChosen: onForked,
        });
      },
      onClass: () => options.go(fragmentOf({ kind: "class", name })),
    });
    this.#about = aboutPanel({
      sandbox,
      onFailure,
      onExtended: (info, text) => {
        this.#show(info);
        options.tell(text);
      },
      onDeleted: () => {
        options.onGone?.();
        options.go(fragmentOf({ kind: "sandboxes" }));
      },
    });
    this.#add = newContextBar(
      this.#possible(),
      (language) => void this.#create(language),
      (file) => void this.#import(file),
    );
    this.element = el(
      "div",
      { class: "sandbox" },
      el(
        "aside",
        { class: "side", "aria-label": `Sandbox ${name}` },
        this.#files.element,
        this.#variables.element,
        this.#checkpoints.element,
        this.#about.element,
      ),
      el("div", { class: "contexts" }, this.#tabs.element, this.#add, this.#panes),
    );
    document.addEventListener("visibilitychange", this.#onVisible);
    void this.refresh();
  }

  get isRunning(): boolean {
    return this.#tabs.isDirty || [...this.#open.values()].some(({ pane }) => pane.isRunning);
  }

  focus(): void {
    const [first] = this.#open.values();
    if (first !== undefined) first.pane.focus();
    else this.#add.querySelector("button")?.focus();
  }

  destroy(): void {
    document.removeEventListener("visibilitychange", this.#onVisible);
    for (const { pane } of this.#open.values()) pane.destroy();
    this.#open.clear();
    this.#tabs.destroy();
  }

  onShown(): void {
    void this.refresh();
  }

  /**
   * Reads contexts, files and variables again: another tab, or a program, may have changed them.
   */
  async refresh(): Promise<void> {
    try {
      const info = await this.#sandbox.info();
      this.#show(info);
      await this.#followRuns();
      await this.#showPast(info.contexts);
      await this.#files.refresh();
      await this.#checkpoints.refresh();
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  /** Picks up the runs that wait, or go on without their caller. */
  async #followRuns(): Promise<void> {
    for (const { id, state, contextId = "" } of await this.#sandbox.runs.list()) {
      if (isOpen(state)) void this.#open.get(contextId)?.pane.follow(id);
    }
  }

  /** Shows the runs of each context that another tab, another device or an earlier visit made. */
  async #showPast(contexts: readonly ContextInfo[]): Promise<void> {
    for (const { id: contextId, language: name, executions } of contexts) {
      const open = this.#open.get(contextId);
      const language = knownLanguage(name);
      if (open === undefined || language === undefined || open.pane.isRunning) continue;
      if (open.readRuns === executions) continue;
      open.readRuns = executions;
      const place = { language, sandbox: this.#sandbox.id, contextId };
      open.pane.showPast(await contextRuns(this.#options.service, place));
    }
  }

  #show(info: SandboxInfo): void {
    this.#variables.show(info.envVars);
    this.#about.show(info);
    const known = this.#known = new Set(info.contexts.map(({ id }) => id));
    for (const [id, { pane }] of this.#open) {
      if (known.has(id) || pane.isRunning) continue;
      pane.destroy();
      this.#open.delete(id);
      if (!this.#deleted.has(id)) {
        this.#options.tell("A context was deleted elsewhere.", "problem");
      }
    }
    for (const context of info.contexts) this.#showContext(context);
    this.#panes.classList.toggle("none", this.#open.size === 0);
    this.#add.classList.toggle("full", info.contexts.length >= MAX_CONTEXTS);
  }

  #showContext(context: ContextInfo): void {
    const open = this.#open.get(context.id) ?? this.#openContext(context);
    if (open === undefined) return;
    const { executions, cwd, snapshot } = context;
    const parts = [
      countText(executions, "run"),
      ...(snapshot === null ? [] : [`${bytes(snapshot.storedBytes)} snapshot`]),
      ...(cwd === "/workspace" ? [] : [cwd]),
    ];
    open.state.textContent = parts.join(" · ");
  }

  #openContext(context: CodeContext): OpenContext | undefined {
    const language = knownLanguage(context.language);
    const listing = this.#options.service.languages.find(({ id }) => id === language);
    if (language === undefined || listing === undefined) return undefined;
    const draftName = this.#draftName(context);
    const state = el("span", { class: "context-state" });
    const title = el("h2", {}, listing.name);
    const pane = new Pane({
      label: `${listing.name} context ${context.id.slice(0, 6)}`,
      head: [
        title,
        state,
        button("Examples", () => void this.#example(pane, listing)),
        button("Fork", () => void this.#forkContext(context, draftName), {
          class: "quiet",
          "aria-label": "Fork this context",
          title: "Another context with the same memory",
        }),
        button("×", () => void this.#deleteContext(context, draftName), {
          class: "quiet",
          "aria-label": "Delete this context",
          title: "Delete this context",
        }),
      ],
      tools: [],
      languages: [listing],
      draft: storedDraft(draftName) ?? { language, code: "", fields: NO_FIELDS },
      draftName,
      context: { sandbox: this.#sandbox.id, contextId: context.id },
      service: this.#options.service,
      run: (_language, code, options) =>
        this.#sandbox.interpreter.runCode(code, {
          ...options,
          context,
          idempotencyKey: randomId(),
          retry: RETRY,
        }),
      onRan: () => void this.refresh(),
      onTokenFailure: this.#options.onTokenFailure,
    });
    const open: OpenContext = { pane, state, language, readRuns: 0 };
    this.#open.set(context.id, open);
    this.#panes.append(pane.element);
    return open;
  }

  /** Runs a file in the first context of its language that is free, or in a new one. */
  async #runFile(language: Language, code: string): Promise<void> {
    const free = () =>
      [...this.#open.values()].find((open) => open.language === language && !open.pane.isRunning);
    if (free() === undefined) await this.#create(language);
    const pane = free()?.pane;
    if (pane === undefined) return;
    pane.element.scrollIntoView({ block: "nearest", inline: "nearest" });
    await pane.run(code);
  }

  #possible(): readonly LanguageListing[] {
    return this.#options.service.languages.filter(({ contexts }) => contexts);
  }

  /** Files are the same by each language of the path. */
  #anyLanguage(): Language {
    return this.#possible()[0]?.id ?? "javascript";
  }

  async #example(pane: Pane, listing: LanguageListing): Promise<void> {
    const example = await chooseExample([listing], true);
    if (example === undefined) return;
    pane.load(example);
    pane.focus();
  }

  /** The fork gets the program of its source, to go another way from there. */
  async #forkContext({ id }: CodeContext, draftName: string): Promise<void> {
    try {
      const { interpreter } = this.#sandbox;
      const source = (await interpreter.listCodeContexts()).find((each) => each.id === id);
      if (source === undefined) return await this.refresh();
      const fork = await source.fork();
      keepDraft(this.#draftName(fork), storedDraft(draftName));
      announce("The context is forked");
      await this.refresh();
      this.#reveal(fork.id);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #draftName({ id }: CodeContext): string {
    return `context:${this.#sandbox.id}/${id}`;
  }

  #reveal(contextId: string): void {
    const open = this.#open.get(contextId);
    open?.pane.element.scrollIntoView({ block: "nearest", inline: "nearest" });
    open?.pane.focus();
  }

  async #deleteContext(context: CodeContext, draftName: string): Promise<void> {
    const text = "Its memory is deleted with it. The files of the sandbox stay.";
    if (!await askToConfirm("Delete this context?", text, "Delete")) return;
    this.#deleted.add(context.id);
    try {
      await this.#sandbox.interpreter.deleteCodeContext(context.id);
    } catch (thrown) {
      this.#fail(thrown);
    }
    this.#open.get(context.id)?.pane.stop();
    keepDraft(draftName, undefined);
    announce("The context is deleted");
    await this.refresh();
  }

  async #create(language: Language): Promise<void> {
    if (this.#creating.has(language)) return;
    this.#creating.add(language);
    try {
      const binding = bindingName(language);
      const context = await this.#sandbox.interpreter.createCodeContext({ binding });
      announce(`New context: ${languageName(language)}`);
      await this.refresh();
      this.#reveal(context.id);
    } catch (thrown) {
      this.#fail(thrown);
    } finally {
      this.#creating.delete(language);
    }
  }

  async #import(file: File): Promise<void> {
    const languages = this.#possible().map(({ id }) => id);
    try {
      const { service } = this.#options;
      const id = await importNotebook(service, this.#sandbox.id, languages, file);
      announce("The notebook is a context now");
      await this.refresh();
      this.#reveal(id);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #fail(thrown: unknown): void {
    if (isTokenFailure(thrown)) this.#options.onTokenFailure();
    else this.#options.tell(messageOf(thrown), "problem");
  }
}
