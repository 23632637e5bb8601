/**
 * One step three ways: three programs run in three forks of a checkpoint, side by side, and their
 * outputs and variables are compared.
 *
 * @module
 */
import type { Checkpoint, ContextInfo, Sandbox } from "@belljar/client";
import type { ExecutionResult } from "../client/protocol/types.ts";
import { announce } from "./announcer.ts";
import { canLookInto, contextPath, readVariables } from "./context_names.ts";
import { button, el, fill, withLabel } from "./dom.ts";
import { storedDraft } from "./drafts.ts";
import { Editor } from "./editor.ts";
import { errorTitle } from "./error_title.ts";
import { countText } from "./format.ts";
import { knownLanguage, languageName } from "./language_names.ts";
import { randomId } from "./random_id.ts";
import { readsInput } from "./reads_input.ts";
import { type Ending, RunCard } from "./run_card.ts";
import { messageOf, type Service } from "./service.ts";
import { diffView } from "./text_diff.ts";

/** Options of the dialog. */
export interface WaysOptions {
  readonly service: Service;
  readonly sandbox: Sandbox;
  readonly checkpoint: Checkpoint;
  /** Names the checkpoint. */
  readonly label: string;
  /** A fork was chosen to go on with; it stays. */
  readonly onChosen: (name: string) => void;
}

const WAYS = [1, 2, 3] as const;
/** Characters of the source's name in the name of a fork, and of the random end of that. */
const NAME_CHARS = 40;
const RANDOM_CHARS = 6;

/** The output of a run, and the variables of its context after it. */
interface Outcome {
  readonly output: string;
  readonly variables: string;
}

/** Shows the dialog until it is closed. Its forks are deleted then, but the one that was chosen. */
export async function openWays(options: WaysOptions): Promise<void> {
  const dialog = new WaysDialog(options);
  await dialog.show();
}

/** One of the ways: its program, its fork and its run. */
class Way {
  readonly element: HTMLElement;
  readonly name: string;
  readonly editor: Editor;
  readonly open: HTMLButtonElement;
  readonly #read = el("div", { class: "way-run" });
  readonly #differences = el("div", { class: "way-differences" });
  fork: Sandbox | undefined;
  outcome: Outcome | undefined;

  constructor(number: number, onRun: () => void, onStop: () => void, onOpen: (way: Way) => void) {
    this.name = `Way ${number}`;
    this.editor = new Editor({
      label: `Program of way ${number}`,
      code: "",
      onChange: () => undefined,
      onRun,
      onStop,
    });
    this.open = button(`Go on with way ${number}`, () => onOpen(this), { hidden: true });
    this.element = el(
      "section",
      { class: "way", "aria-label": this.name },
      el("div", { class: "pane-head" }, el("h3", {}, this.name), this.open),
      this.editor.element,
      this.#read,
      this.#differences,
    );
  }

  /** Removes its run: its fork is deleted. */
  clear(): void {
    this.fork = this.outcome = undefined;
    this.open.hidden = true;
    fill(this.#read);
    fill(this.#differences);
  }

  /** Runs the program in the context of the fork. */
  async run(fork: Sandbox, { service }: WaysOptions, chosen: ContextInfo, signal: AbortSignal) {
    this.fork = fork;
    const listing = service.languages.find(({ id }) => id === chosen.language);
    const language = knownLanguage(chosen.language);
    if (listing === undefined || language === undefined) return;
    const card = new RunCard({
      name: `Run of way ${this.name.slice(-1)}`,
      limits: listing.limits,
      inContext: true,
      onGoTo: ({ lineNumber }) => this.editor.goTo(lineNumber ?? 1),
    });
    fill(this.#read, card.element);
    const ending = await this.#ending(fork, chosen, card, signal);
    card.finish(ending);
    this.open.hidden = false;
    if (ending.kind !== "result") return;
    const path = contextPath(language, fork.id, chosen.id);
    const rows = canLookInto(language)
      ? await readVariables({ service, path }).catch(() => [])
      : [];
    const variables = rows.map(([name = "", type = "", , value = ""]) =>
      `${name}: ${type} = ${value}`
    ).join("\n");
    this.outcome = { output: textOf(ending.result), variables };
  }

  async #ending(
    fork: Sandbox,
    chosen: ContextInfo,
    card: RunCard,
    signal: AbortSignal,
  ): Promise<Ending> {
    const { code } = this.editor;
    const language = knownLanguage(chosen.language);
    const asks = language !== undefined && readsInput(language, code);
    try {
      const contexts = await fork.interpreter.listCodeContexts({ signal });
      const context = contexts.find(({ id }) => id === chosen.id);
      if (context === undefined) throw new Error("The fork does not have the context.");
      const result = await fork.interpreter.runCode(code, {
        context,
        signal,
        repr: true,
        onStdout: ({ text }) => card.line("stdout", text),
        onStderr: ({ text }) => card.line("stderr", text),
        onDisplay: (display) => card.display(display),
        ...(asks ? { onInput: (prompt) => card.ask(prompt) } : {}),
      });
      return { kind: "result", result };
    } catch (thrown) {
      return signal.aborted ? { kind: "stopped" } : { kind: "failed", message: messageOf(thrown) };
    }
  }

  /** Shows how the outcome differs from that of the first way. */
  compare(first: Outcome | undefined): void {
    if (first === undefined || this.outcome === undefined || first === this.outcome) return;
    const { output, variables } = this.outcome;
    fill(
      this.#differences,
      el("h4", {}, "Output, beside way 1"),
      diffView(first.output, output, `Differences of the output of ${this.name.toLowerCase()}`),
      ...(variables === "" && first.variables === "" ? [] : [
        el("h4", {}, "Variables, beside way 1"),
        diffView(
          first.variables,
          variables,
          `Differences of the variables of ${this.name.toLowerCase()}`,
        ),
      ]),
    );
  }
}

class WaysDialog {
  readonly #options: WaysOptions;
  readonly #ways: readonly Way[];
  readonly #contexts = el("select", {});
  readonly #state = el("p", { class: "hint", role: "status" }, "Reading the checkpoint …");
  readonly #run = button("Run all", () => void this.#runAll(), { class: "primary" });
  readonly #stop = button("Stop", () => this.#running?.abort(), { hidden: true });
  readonly #dialog: HTMLDialogElement;
  #known: readonly ContextInfo[] = [];
  #forks: Sandbox[] = [];
  #running: AbortController | undefined;
  #kept: string | undefined;

  constructor(options: WaysOptions) {
    this.#options = options;
    const stop = () => this.#running?.abort();
    this.#ways = WAYS.map((number) =>
      new Way(number, () => void this.#runAll(), stop, (way) => this.#choose(way))
    );
    this.#contexts.addEventListener("change", () => this.#showContext());
    const title = el("h2", { id: "ways-title" }, `Three ways from ${options.label}`);
    this.#dialog = el(
      "dialog",
      { class: "ways", "aria-labelledby": title.id },
      el(
        "div",
        { class: "ways-head" },
        title,
        withLabel("Context", this.#contexts),
        this.#stop,
        this.#run,
        button("Close", () => this.#dialog.close(), {}),
      ),
      this.#state,
      el("div", { class: "ways-columns" }, ...this.#ways.map(({ element }) => element)),
    );
  }

  /** Shows the dialog until it is closed. */
  async show(): Promise<void> {
    document.body.append(this.#dialog);
    const closed = Promise.withResolvers<void>();
    this.#dialog.addEventListener("close", () => closed.resolve());
    this.#dialog.showModal();
    void this.#read();
    await closed.promise;
    this.#running?.abort();
    this.#dialog.remove();
    for (const { editor } of this.#ways) editor.destroy();
    await this.#dropForks();
    if (this.#kept !== undefined) this.#options.onChosen(this.#kept);
  }

  /** Reads the contexts of the checkpoint, by a fork of it. */
  async #read(): Promise<void> {
    this.#run.disabled = true;
    try {
      const { contexts } = await (await this.#fork(0)).info();
      this.#known = contexts.filter(({ language }) => knownLanguage(language) !== undefined);
      fill(
        this.#contexts,
        ...this.#known.map(({ id, language, executions }) => {
          const name = languageName(knownLanguage(language) ?? "javascript");
          const text = `${name} ${id.slice(0, 6)}, ${countText(executions, "run")}`;
          return el("option", { value: id }, text);
        }),
      );
      this.#state.textContent = this.#known.length === 0
        ? "The checkpoint has no context: there is no step to take."
        : "Each run begins at the checkpoint, in a fork of its own. The sandbox itself stays as it is.";
      this.#run.disabled = this.#known.length === 0;
      this.#showContext();
    } catch (thrown) {
      this.#state.textContent = messageOf(thrown);
    }
  }

  /** The programs begin as the one that the context has in its editor. */
  #showContext(): void {
    const context = this.#chosen();
    const language = knownLanguage(context?.language);
    if (context === undefined || language === undefined) return;
    const draft = storedDraft(`context:${this.#options.sandbox.id}/${context.id}`);
    for (const { editor } of this.#ways) {
      editor.language = language;
      if (editor.code === "") editor.code = draft?.code ?? "";
    }
  }

  #chosen(): ContextInfo | undefined {
    return this.#known.find(({ id }) => id === this.#contexts.value);
  }

  async #runAll(): Promise<void> {
    const context = this.#chosen();
    if (this.#running !== undefined || context === undefined) return;
    if (this.#ways.some(({ editor }) => editor.code.trim() === "")) {
      this.#state.textContent = "Each way needs a program.";
      return;
    }
    const running = this.#running = new AbortController();
    this.#showRunning(true, "Running");
    for (const way of this.#ways) way.clear();
    try {
      await this.#dropForks();
      const forks = await Promise.all(this.#ways.map((_, at) => this.#fork(at)));
      await Promise.all(this.#ways.map((way, at) => {
        const fork = forks[at];
        return fork === undefined
          ? undefined
          : way.run(fork, this.#options, context, running.signal);
      }));
      const [first] = this.#ways;
      for (const way of this.#ways) way.compare(first?.outcome);
      this.#showRunning(false, "All ways have run. Run all begins at the checkpoint again.");
    } catch (thrown) {
      this.#showRunning(false, messageOf(thrown));
    }
  }

  #showRunning(isRunning: boolean, text: string): void {
    if (!isRunning) this.#running = undefined;
    this.#run.disabled = isRunning;
    this.#stop.hidden = !isRunning;
    this.#state.textContent = text;
    if (!isRunning) announce(text);
  }

  async #fork(at: number): Promise<Sandbox> {
    const { sandbox, checkpoint } = this.#options;
    const base = sandbox.id.slice(0, NAME_CHARS);
    const name = `${base}.way${at + 1}.${randomId(RANDOM_CHARS)}`;
    const fork = await sandbox.fork(name, { checkpoint: checkpoint.id });
    this.#forks.push(fork);
    if (!this.#dialog.open) await this.#dropForks(); // it was closed meanwhile
    return fork;
  }

  #choose({ fork }: Way): void {
    if (fork === undefined || this.#running !== undefined) return;
    this.#kept = fork.id;
    this.#dialog.close();
  }

  async #dropForks(): Promise<void> {
    const forks = this.#forks.filter(({ id }) => id !== this.#kept);
    this.#forks = [];
    await Promise.allSettled(forks.map((fork) => fork.destroy()));
  }
}

/** All that a run printed and gave, as one text. */
function textOf({ logs, results, error }: ExecutionResult): string {
  const [value] = results;
  return [
    ...logs.stdout,
    ...logs.stderr,
    ...(value === undefined
      ? []
      : [value.repr ?? value.text ?? JSON.stringify(value.json ?? null)]),
    ...(error === undefined ? [] : [errorTitle(error)]),
  ].join("\n");
}
