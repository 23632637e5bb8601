/**
 * One run that waits, or goes on without its caller: its program, its events, and answers.
 *
 * @module
 */
import type { ExecutionResult } from "@belljar/client";
import { announce } from "./announcer.ts";
import { button, el, fill } from "./dom.ts";
import { FollowedRun } from "./followed_run.ts";
import { longText } from "./output_view.ts";
import type { RunInfo } from "../client/protocol/calls.ts";
import { moment } from "./format.ts";
import { journalView } from "./journal_view.ts";
import { knownLanguage, languageName } from "./language_names.ts";
import { fragmentOf } from "./link.ts";
import { RunCard } from "./run_card.ts";
import { messageOf } from "./service.ts";
import type { View, ViewOptions } from "./view.ts";

const MAX_CODE = 20_000;
const UNAUTHORIZED = 401;

/** The view of one run. */
export class RunView implements View {
  readonly element: HTMLElement;
  readonly title = "Run";
  readonly #id: string;
  readonly #options: ViewOptions;
  readonly #about = el("p", { class: "hint" }, "Reading …");
  readonly #problem = el("p", { class: "problem", role: "alert" });
  readonly #code = el("details", { class: "program" });
  readonly #place = el("div", { class: "runs" });
  readonly #cancel = button("Cancel run", () => void this.#end(), { hidden: true });
  #followed: FollowedRun | undefined;

  constructor(id: string, options: ViewOptions) {
    this.#id = id;
    this.#options = options;
    this.element = el(
      "div",
      { class: "choose" },
      el("h2", {}, "A run of your service"),
      this.#about,
      el(
        "div",
        { class: "tools" },
        el("a", { href: fragmentOf({ kind: "sandboxes" }) }, "All runs that wait"),
        this.#cancel,
      ),
      this.#problem,
      this.#code,
      this.#place,
    );
    this.#show().catch((thrown) => this.#problem.textContent = messageOf(thrown));
  }

  /** A run that is only followed goes on without the page. */
  get isRunning(): boolean {
    return false;
  }

  focus(): void {
    const field = this.element.querySelector<HTMLElement>(
      ".question-form:not([hidden]) .question-field",
    );
    (field ?? this.#cancel).focus();
  }

  destroy(): void {
    this.#followed?.leave();
  }

  async #show(): Promise<void> {
    const { service, onTokenFailure } = this.#options;
    const path = `runs/${encodeURIComponent(this.#id)}`;
    const answer = await service.send(path);
    if (answer.status === UNAUTHORIZED) return onTokenFailure();
    if (!answer.ok) {
      this.#about.textContent = "";
      this.#problem.textContent = answer.status === 404
        ? "This run is not there. It was cancelled, or ended long ago."
        : `The service answers with status ${answer.status}.`;
      return;
    }
    const { language, contextId, createdAt }: RunInfo = await answer.json();
    const id = knownLanguage(language);
    const listing = service.languages.find((each) => each.id === id) ?? service.languages[0];
    if (listing === undefined) return;
    const place = contextId === undefined ? "without a context" : "in a context";
    const name = id === undefined ? language : languageName(id);
    this.#about.textContent = `${name}, ${place}, began ${moment(new Date(createdAt))}`;
    const card = new RunCard({
      name: "Run",
      limits: listing.limits,
      inContext: contextId !== undefined,
      onGoTo: () => this.#code.open = true,
    });
    fill(this.#place, card.element);
    this.#cancel.hidden = false;
    const followed = new FollowedRun(service, this.#id, card);
    this.#followed = followed;
    const journal = journalView(service, this.#id);
    this.#place.append(journal.element);
    await journal.refresh();
    this.#showProgram(`${path}/answers`).catch(() => undefined); // the stream tells of failures
    const ending = await followed.follow();
    this.#cancel.hidden = true;
    announce(card.finish(ending));
    if (ending.kind === "result") this.#showCode(ending.result.code);
    await journal.refresh();
  }

  /** The program comes with the state in which it waits. */
  async #showProgram(path: string): Promise<void> {
    const answer = await this.#options.service.send(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ answers: [] }),
    });
    if (!answer.ok) return;
    const { code }: ExecutionResult = await answer.json();
    this.#showCode(code);
  }

  #showCode(code: string): void {
    if (this.#code.childElementCount > 0) return;
    fill(
      this.#code,
      el("summary", {}, "Program"),
      el(
        "pre",
        { class: "output", tabindex: 0, role: "region", "aria-label": "Program of the run" },
        longText(code, MAX_CODE),
      ),
    );
  }

  async #end(): Promise<void> {
    try {
      this.#problem.textContent = await this.#followed?.cancel() ?? "";
    } catch (thrown) {
      this.#problem.textContent = messageOf(thrown);
    }
  }
}
