/**
 * The overview of a class: the sandboxes that were made for its pupils, with the latest run of each.
 *
 * @module
 */
import { getSandbox, type SandboxInfo } from "@belljar/client";
import { announce } from "./announcer.ts";
import { askToConfirm, offerText } from "./dialogs.ts";
import { button, el, fill } from "./dom.ts";
import { errorTitle, LIMIT_ERROR } from "./error_title.ts";
import { countText, moment, plain } from "./format.ts";
import { knownLanguage, languageName } from "./language_names.ts";
import { fragmentOf } from "./link.ts";
import { longText } from "./output_view.ts";
import { contextRuns, type PastRun } from "./past_runs.ts";
import { classPrefix } from "./pupil_names.ts";
import { isTokenFailure, messageOf, type Service } from "./service.ts";
import type { View, ViewOptions } from "./view.ts";

/** The most sandboxes that are looked at, and how many at once. */
const MAX_LISTED = 200;
const AT_ONCE = 4;
const SHOWN_CHARS = 10_000;

/** A pupil's sandbox. */
interface Pupil {
  readonly sandbox: string;
  readonly info: SandboxInfo;
  /** Its latest run in any context. */
  readonly latest: PastRun | undefined;
}

/** Creates the view. `name`: of the sandbox that the class began with. */
export function classView(name: string, { service, tell, onTokenFailure }: ViewOptions): View {
  const prefix = classPrefix(name);
  const status = el("p", { class: "hint", role: "status" }, "Reading …");
  const list = el("ul", { class: "pupils" });
  let names: readonly string[] = [];
  let isReading = false;
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (thrown) {
      if (isTokenFailure(thrown)) onTokenFailure();
      else tell(messageOf(thrown), "problem");
    }
  };
  const read = () =>
    attempt(async () => {
      if (isReading) return;
      isReading = true;
      try {
        names = await sandboxesOf(service, prefix);
        const pupils = await Promise.all(inTurns(names, (each) => readPupil(service, each)));
        fill(list, ...pupils.map((pupil) => pupilItem(pupil, prefix)));
        const text = countText(names.length, "sandbox", "sandboxes");
        status.textContent = names.length === 0
          ? `There is no sandbox whose name begins with ${prefix}`
          : `${text}, read at ${new Date().toLocaleTimeString()}`;
      } finally {
        isReading = false;
      }
    });
  const links = () =>
    attempt(async () => {
      const lines = names.map((each) =>
        `${each.slice(prefix.length)}\t${new URL(
          fragmentOf({ kind: "sandbox", name: each }),
          location.href,
        )}`
      );
      const note = "One line for each pupil: the name and the address.";
      if (await offerText("Addresses", lines.join("\n"), note)) {
        announce("The addresses are copied");
      }
    });
  const remove = () =>
    attempt(async () => {
      const text = countText(names.length, "sandbox", "sandboxes");
      const note = `${text} with all work in them. ${name} itself stays.`;
      if (!await askToConfirm("Delete the sandboxes of this class?", note, "Delete")) return;
      await Promise.all(inTurns(names, (each) => getSandbox(service.env.Sandbox, each).destroy()));
      announce("The sandboxes are deleted");
      await read();
    });
  const again = button("Read again", () => void read(), { class: "primary" });
  const element = el(
    "div",
    { class: "choose class" },
    el("h2", {}, "Class ", el("span", { class: "class-name" }, plain(name))),
    el(
      "p",
      { class: "lead" },
      "The sandboxes that were made from ",
      el("a", { href: fragmentOf({ kind: "sandbox", name }) }, plain(name)),
      ", each with its latest run.",
    ),
    el(
      "div",
      { class: "tools" },
      again,
      button("Copy addresses", () => void links(), {}),
      button("Delete sandboxes", () => void remove(), { class: "quiet danger-text" }),
    ),
    status,
    list,
  );
  void read();
  return {
    element,
    title: `Class ${name}`,
    isRunning: false,
    focus: () => again.focus(),
    onShown: () => void read(),
    destroy: () => undefined,
  };
}

/** Performs work for each value, some at a time; the results in the order of the values. */
function inTurns<V, R>(
  values: readonly V[],
  work: (value: V) => Promise<R>,
): readonly Promise<R>[] {
  const ends: Promise<unknown>[] = [];
  return values.map((value, at) => {
    const turn = Promise.resolve(ends[at - AT_ONCE]).then(() => work(value));
    ends.push(turn.catch(() => undefined));
    return turn;
  });
}

async function sandboxesOf(service: Service, prefix: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { id } of service.env.Sandbox.list({ limit: 100 })) {
    if (id.startsWith(prefix)) found.push(id);
    if (found.length === MAX_LISTED) break;
  }
  return found.sort((a, b) => a.localeCompare(b));
}

async function readPupil(service: Service, sandbox: string): Promise<Pupil> {
  const info = await getSandbox(service.env.Sandbox, sandbox).info();
  let latest: PastRun | undefined;
  for (const { id: contextId, language: id, executions } of info.contexts) {
    const language = knownLanguage(id);
    if (language === undefined || executions === 0) continue;
    const [run] = await contextRuns(service, { language, sandbox, contextId });
    if (run !== undefined && run.endedAt > (latest?.endedAt ?? "")) latest = run;
  }
  return { sandbox, info, latest };
}

function pupilItem({ sandbox, info, latest }: Pupil, prefix: string): HTMLElement {
  const pupil = plain(sandbox.slice(prefix.length));
  const runs = info.contexts.reduce((sum, { executions }) => sum + executions, 0);
  const facts = [
    countText(runs, "run"),
    countText(info.workspace.files, "file"),
    ...(info.lastUsed === null ? [] : [`used ${moment(info.lastUsed)}`]),
  ];
  return el(
    "li",
    { "data-state": latest === undefined ? "none" : stateOf(latest) },
    el("a", { href: fragmentOf({ kind: "sandbox", name: sandbox }) }, pupil),
    el("span", { class: "hint" }, facts.join(", ")),
    latest === undefined ? el("p", { class: "hint" }, "No run yet.") : runView(latest, pupil),
  );
}

function stateOf({ execution: { error } }: PastRun): "ok" | "limit" | "error" {
  return error === undefined ? "ok" : error.name === LIMIT_ERROR ? "limit" : "error";
}

function runView({ endedAt, execution }: PastRun, pupil: string): HTMLElement {
  const { error, code, logs, results, language } = execution;
  const word = error === undefined ? "✓ Finished" : `✗ ${errorTitle(error)}`;
  const known = knownLanguage(language);
  const output = [
    ...logs.stdout,
    ...logs.stderr,
    ...results.map(({ repr, text }) => repr ?? text ?? ""),
  ]
    .join("\n");
  return el(
    "details",
    {},
    el(
      "summary",
      {},
      el("span", { class: "pupil-state" }, longText(word, 200)),
      ` ${known === undefined ? "" : languageName(known)}, ${moment(new Date(endedAt))}`,
    ),
    textBox("Program", code, pupil),
    output !== "" && textBox("Output", output, pupil),
  );
}

function textBox(label: string, text: string, pupil: string): HTMLElement {
  const attributes = { tabindex: 0, role: "region", "aria-label": `${label} of ${pupil}` };
  return el(
    "div",
    { class: "test-text" },
    el("span", { class: "field-name" }, label),
    el("pre", { class: "output", ...attributes }, longText(text, SHOWN_CHARS)),
  );
}
