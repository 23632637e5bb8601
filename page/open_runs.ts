/**
 * The lists of the runs that wait for answers, or go on without their caller, and of those that have
 * ended.
 *
 * @module
 */
import { el, fill } from "./dom.ts";
import type { RunList, RunSummary } from "../client/protocol/calls.ts";
import { moment } from "./format.ts";
import { knownLanguage, languageName } from "./language_names.ts";
import { fragmentOf } from "./link.ts";
import { isOpen } from "./run_state.ts";
import type { Service } from "./service.ts";

/** Runs that are shown. */
const MAX_LISTED = 50;
/** Pages that are read for them. */
const MAX_PAGES = 10;
const PAGE = 100;

/** The list; empty and without a heading while there is no such run. */
export interface OpenRuns {
  readonly element: HTMLElement;
  /** Reads the list. Rejects when the service does not answer. */
  load(): Promise<void>;
}

/** Creates the list. */
export function openRuns(service: Service): OpenRuns {
  const list = el("ul", { class: "sandbox-list" });
  const ended = el("ul", { class: "sandbox-list" });
  const past = el("details", {}, el("summary", {}, "Runs of the last day that waited"), ended);
  const element = el(
    "section",
    { class: "open-runs", "aria-label": "Runs that wait", hidden: true },
    el("h2", {}, "Runs that wait"),
    list,
    past,
  );
  return {
    element,
    load: async () => {
      const runs = await readRuns(service);
      const open = runs.filter(({ state }) => isOpen(state)).slice(0, MAX_LISTED);
      const others = runs.filter(({ state }) => !isOpen(state)).slice(0, MAX_LISTED);
      fill(list, ...open.map(item), open.length === 0 && el("li", { class: "hint" }, "None now."));
      past.open = false;
      past.ontoggle = () => {
        if (past.open) fill(ended, ...others.map(item));
        else ended.replaceChildren();
      };
      past.hidden = others.length === 0;
      element.hidden = runs.length === 0;
    },
  };
}

async function readRuns(service: Service): Promise<readonly RunSummary[]> {
  const found: RunSummary[] = [];
  let query = `limit=${PAGE}`;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await service.send(`runs?${query}`);
    if (!answer.ok) throw new Error(`The service answers with status ${answer.status}.`);
    const { runs, cursor }: RunList = await answer.json();
    found.push(...runs);
    if (cursor === undefined) break;
    query = `limit=${PAGE}&cursor=${encodeURIComponent(cursor)}`;
  }
  return found;
}

function item({ id, state, language, contextId, createdAt }: RunSummary): HTMLElement {
  const known = knownLanguage(language);
  const began = moment(new Date(createdAt));
  const name = `${known === undefined ? language : languageName(known)}, ${began}`;
  const place = contextId === undefined ? "without a context" : "in a context";
  return el(
    "li",
    {},
    el("a", { href: fragmentOf({ kind: "run", id }) }, name),
    el("span", { class: "hint" }, `${state === "waiting" ? "waits" : state}, ${place}`),
  );
}
