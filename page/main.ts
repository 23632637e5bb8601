/**
 * The page: a header, and below it the view that the address names.
 *
 * @module
 */
import { announce, announcements } from "./announcer.ts";
import { classView } from "./class_view.ts";
import { codeSizeButton } from "./code_size.ts";
import { askToken } from "./dialogs.ts";
import { button, el, fill } from "./dom.ts";
import { keepWaiting } from "./drafts.ts";
import { isEmbeddable, isEmbedded, openLink } from "./embedding.ts";
import { exerciseAuthor } from "./exercise_author.ts";
import { exerciseView } from "./exercise_view.ts";
import { COMMAND_KEY } from "./key_names.ts";
import { exerciseIn, fragmentOf, type Place, placeOf, programIn } from "./link.ts";
import { type OperationsView, operationsView } from "./operations_view.ts";
import { openPalette } from "./palette.ts";
import { RunView } from "./run_view.ts";
import { sandboxesView } from "./sandboxes_view.ts";
import { SandboxView } from "./sandbox_view.ts";
import { messageOf, Service, TokenNeeded } from "./service.ts";
import { onShortcut, showShortcuts } from "./shortcuts.ts";
import { type StatelessView, statelessView } from "./stateless_view.ts";
import { themeButton } from "./theme.ts";
import type { View, ViewOptions } from "./view.ts";

const NOTE_MS = 6_000;
const PURPOSE = "Runs untrusted programs, each in a sealed and metered interpreter.";
const STATELESS = "stateless";
const OPERATIONS = "operations";
const NEW_EXERCISE = "new exercise";

/** The parts of the page. */
type Tab = "stateless" | "sandbox" | "operations";

class Page {
  readonly #service = new Service();
  readonly #main = el("main", { id: "main" });
  readonly #notes = el("div", { class: "notes" });
  readonly #offline = el(
    "p",
    { class: "notice problem", role: "alert", hidden: true },
    "The service does not answer. Runs in contexts are tried again.",
  );
  readonly #tabs: { readonly [name in Tab]: HTMLElement } = {
    stateless: el("a", { href: "./", class: "tab" }, "Run"),
    sandbox: el("a", { href: fragmentOf({ kind: "sandboxes" }), class: "tab" }, "Sandboxes"),
    operations: el(
      "a",
      { href: fragmentOf({ kind: "operation", id: "" }), class: "tab" },
      "API",
    ),
  };
  /** A browser sends no token with a link. */
  readonly #docs = el("a", { href: "docs", class: "tab" }, "Docs");
  readonly #place = el("span", { class: "place" });
  readonly #token = button("Token", () => void this.#askToken("Use another token."), {
    class: "quiet",
    hidden: true,
  });
  /** Views that keep their programs and runs: by the name of the sandbox, after a slash. */
  readonly #views = new Map<string, View>();
  #stateless: StatelessView | undefined;
  #operations: OperationsView | undefined;
  #view: View | undefined;
  #isAsking = false;

  constructor() {
    this.#service.onReach = (isThere) => {
      this.#offline.hidden = isThere;
    };
    this.#tabs.stateless.addEventListener("click", (event) => {
      event.preventDefault();
      this.#go("");
    });
    globalThis.addEventListener("hashchange", () => void this.#show());
    globalThis.addEventListener("beforeunload", (event) => {
      if ([...this.#views.values()].some(({ isRunning }) => isRunning)) event.preventDefault();
    });
    globalThis.addEventListener("pagehide", keepWaiting);
    document.addEventListener("keydown", onShortcut);
    // a file that is dropped beside its target must not replace the page
    for (const type of ["dragover", "drop"] as const) {
      document.addEventListener(type, (event) => event.preventDefault());
    }
  }

  /** Shows the page. */
  async start(root: Element): Promise<void> {
    const icon = document.body.dataset["icon"] ?? "";
    fill(
      root,
      el("a", { href: "#main", class: "skip" }, "Skip to the program"),
      el(
        "header",
        { class: "top" },
        el("h1", {}, el("img", { src: icon, alt: "", width: 24, height: 24 }), "Belljar"),
        el(
          "nav",
          { "aria-label": "Parts of the page", hidden: isEmbedded },
          ...Object.values(this.#tabs),
          this.#docs,
        ),
        this.#place,
        el("p", { class: "purpose", hidden: isEmbedded }, PURPOSE),
        el(
          "div",
          { class: "top-end" },
          isEmbedded && openLink(),
          this.#token,
          button("≡", () => void openPalette(), {
            class: "icon-button",
            "aria-label": "Commands",
            "aria-keyshortcuts": "Control+K Meta+K",
            title: `Commands: ${COMMAND_KEY} + K`,
          }),
          button("?", () => void showShortcuts(), {
            class: "icon-button",
            "aria-label": "Keyboard shortcuts",
            title: "Keyboard shortcuts: ?",
          }),
          codeSizeButton(),
          themeButton(),
        ),
      ),
      this.#offline,
      this.#notes,
      this.#main,
      announcements(),
    );
    root.querySelector(".skip")?.addEventListener("click", (event) => {
      event.preventDefault();
      this.#view?.focus();
    });
    await this.#load();
  }

  /** Reads what the service can do, then shows the view. */
  async #load(): Promise<void> {
    try {
      await this.#service.load();
    } catch (thrown) {
      if (thrown instanceof TokenNeeded) {
        this.#service.useToken(undefined);
        return await this.#askToken(thrown.message);
      }
      this.#showFailure(messageOf(thrown));
      return;
    }
    this.#token.hidden = !this.#service.hasToken;
    this.#docs.hidden = this.#service.hasToken;
    this.#tabs.sandbox.hidden = !this.#service.hasSandboxes;
    for (const view of this.#views.values()) view.destroy();
    this.#views.clear();
    this.#stateless = undefined;
    this.#operations = undefined;
    this.#view = undefined;
    await this.#show();
  }

  #showFailure(message: string): void {
    const again = button("Try again", () => void this.#load(), { class: "primary" });
    fill(
      this.#main,
      el(
        "div",
        { class: "choose" },
        el("h2", {}, "The service does not answer"),
        el("p", {}, message),
        again,
      ),
    );
  }

  /** Shows the view that the address names. */
  async #show(): Promise<void> {
    const named = placeOf(location.hash);
    const place: Place = isEmbedded && !isEmbeddable(named) ? { kind: "stateless" } : named;
    const options: ViewOptions = {
      service: this.#service,
      go: (fragment) => this.#go(fragment),
      onTokenFailure: () => void this.#askToken("This service does not accept the token."),
      tell: (text, kind) => this.#tell(text, kind),
    };
    const { languages, hasSandboxes } = this.#service;
    if (languages.length === 0) return this.#showFailure("No language is enabled.");
    if (place.kind === "run") {
      this.#showRun(place.id, options);
    } else if (place.kind === "sandbox" && hasSandboxes) {
      this.#showSandbox(place.name, options);
    } else if (place.kind === "class" && hasSandboxes) {
      this.#put(classView(place.name, options), "sandbox", place.name);
    } else if (place.kind === "sandboxes" && hasSandboxes) {
      this.#put(sandboxesView(options), "sandbox");
    } else if (place.kind === "operation") {
      await this.#showOperation(options);
    } else if (place.kind === "exercise") {
      await this.#showExercise(place.packed, options);
    } else if (place.kind === "new-exercise") {
      this.#views.get(NEW_EXERCISE)?.destroy(); // another tab may have changed what is stored
      const view = exerciseAuthor(options);
      this.#views.set(NEW_EXERCISE, view);
      this.#put(view, "stateless");
    } else if (place.kind === "program") {
      await this.#showLinked(place.packed, options);
    } else this.#showStateless(options);
  }

  #showStateless(options: ViewOptions): StatelessView {
    this.#stateless ??= statelessView(options);
    this.#views.set(STATELESS, this.#stateless);
    this.#put(this.#stateless, "stateless");
    return this.#stateless;
  }

  async #showOperation(options: ViewOptions): Promise<void> {
    try {
      this.#operations ??= operationsView(await this.#service.operations(), options);
    } catch (thrown) {
      if (thrown instanceof TokenNeeded) return options.onTokenFailure();
      return this.#showFailure(messageOf(thrown));
    }
    const place = placeOf(location.hash);
    if (place.kind !== "operation") return; // another place is shown by now
    this.#views.set(OPERATIONS, this.#operations);
    this.#operations.choose(place.id);
    this.#put(this.#operations, "operations");
  }

  /** The runs of a sandbox go on while another place is shown. */
  #showSandbox(name: string, options: ViewOptions): void {
    const known = this.#views.get(`/${name}`);
    if (known !== undefined) {
      this.#put(known, "sandbox", name);
      known.onShown?.();
      return;
    }
    let view: View;
    try {
      view = new SandboxView(name, {
        ...options,
        onGone: () => {
          this.#views.get(`/${name}`)?.destroy();
          this.#views.delete(`/${name}`);
        },
      });
    } catch (thrown) {
      return this.#showFailure(messageOf(thrown)); // the name is not one of a sandbox
    }
    this.#views.set(`/${name}`, view);
    this.#put(view, "sandbox", name);
  }

  #showRun(id: string, options: ViewOptions): void {
    const name = `run ${id}`;
    const view = this.#views.get(name) ?? new RunView(id, options);
    this.#views.set(name, view);
    this.#put(view, "sandbox");
  }

  /** The program of the reader is stored, so the view of an exercise is found again after a reload. */
  async #showExercise(packed: string, options: ViewOptions): Promise<void> {
    const name = `exercise ${packed}`;
    const exercise = await exerciseIn(packed);
    if (exercise === undefined) {
      this.#showStateless(options);
      return this.#tell("This link does not contain a readable exercise.", "problem");
    }
    if (!this.#service.languages.some(({ id }) => id === exercise.language)) {
      this.#showStateless(options);
      return this.#tell(`This service does not run ${exercise.language}.`, "problem");
    }
    const view = this.#views.get(name) ?? exerciseView(exercise, packed, options);
    this.#views.set(name, view);
    this.#put(view, "stateless");
  }

  /** A program of a link becomes the program in the editor. It is never run by itself. */
  async #showLinked(packed: string, options: ViewOptions): Promise<void> {
    const program = await programIn(packed);
    // in a frame, a reload begins with the same program
    if (!isEmbedded) history.replaceState(null, "", location.pathname);
    const view = this.#showStateless(options);
    if (program === undefined) {
      return this.#tell("This link does not contain a readable program.", "problem");
    }
    if (!this.#service.languages.some(({ id }) => id === program.language)) {
      return this.#tell(`This service does not run ${program.language}.`, "problem");
    }
    view.load(program);
    this.#tell("This program came with the link. Read it before you run it.");
  }

  #put(view: View, current: Tab, place = ""): void {
    this.#view = view;
    fill(this.#main, view.element);
    document.title = `${view.title} – Belljar`;
    this.#place.textContent = place;
    for (const [name, tab] of Object.entries(this.#tabs)) setCurrent(tab, name === current);
  }

  #go(fragment: string): void {
    if (location.hash === fragment) return void this.#show();
    if (fragment === "") {
      history.pushState(null, "", location.pathname);
      void this.#show();
    } else location.hash = fragment;
  }

  #tell(text: string, kind: "note" | "problem" = "note"): void {
    const note = el("p", { class: `notice ${kind}` }, text);
    note.append(button("×", () => note.remove(), { class: "quiet small", "aria-label": "Close" }));
    this.#notes.append(note);
    announce(text);
    if (kind === "note") setTimeout(() => note.remove(), NOTE_MS);
    while (this.#notes.childElementCount > 3) this.#notes.firstElementChild?.remove();
  }

  async #askToken(problem: string): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const token = await askToken(problem).finally(() => this.#isAsking = false);
    if (token === undefined) {
      if (this.#view === undefined) this.#showFailure("This service needs a token.");
      return;
    }
    try {
      this.#service.useToken(token);
    } catch (thrown) {
      return await this.#askToken(messageOf(thrown));
    }
    await this.#load();
  }
}

function setCurrent(link: HTMLElement, isCurrent: boolean): void {
  if (isCurrent) link.setAttribute("aria-current", "page");
  else link.removeAttribute("aria-current");
}

const root = document.querySelector("#app");
if (root !== null) await new Page().start(root);
