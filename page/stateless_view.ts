/**
 * Runs that leave nothing behind.
 *
 * @module
 */
import { bindingName } from "../client/protocol/types.ts";
import { type Language, runCode } from "@belljar/client";
import { announce } from "./announcer.ts";
import { button } from "./dom.ts";
import { offerText } from "./dialogs.ts";
import { type Draft, storedDraft } from "./drafts.ts";
import { isEmbedded } from "./embedding.ts";
import { chooseExample, firstProgram, isFirstProgram } from "./examples.ts";
import { languageChoice } from "./language_choice.ts";
import { fragmentOf, type LinkedProgram, linkTo } from "./link.ts";
import { Pane } from "./pane.ts";
import { forgetStatelessRuns, keepStatelessRun, statelessRuns } from "./past_runs.ts";
import { NO_FIELDS } from "./run_request.ts";
import type { View, ViewOptions } from "./view.ts";

const DRAFT = "stateless";

/** The view of stateless runs. */
export interface StatelessView extends View {
  /** Puts a program into the editor. It is not run. */
  load(program: LinkedProgram): void;
}

/** Creates the view. */
export function statelessView({ service, go, tell, onTokenFailure }: ViewOptions): StatelessView {
  const { languages } = service;
  const draft = firstDraft(languages.map(({ id }) => id));
  const choice = languageChoice(languages, draft.language, (language) => {
    const isUntouched = isFirstProgram(pane.draft.code);
    pane.language = language;
    if (isUntouched) pane.code = firstProgram(language);
  });
  const pane: Pane = new Pane({
    label: "stateless",
    head: [
      choice,
      button("Examples", async () => {
        const example = await chooseExample(languages, false);
        if (example === undefined) return;
        load(example);
        pane.focus();
      }),
    ],
    tools: [
      button("Copy link", async () => {
        const { language, code, fields } = pane.draft;
        const link = await linkTo(location.href, { language, code, stdin: fields.stdin });
        const note = "The program is in the link itself, after the #.";
        if (await offerText("Link to this program", link, note)) {
          tell("The link is copied. The program is in the link itself.");
          announce("The link is copied");
        }
      }, { class: "quiet" }),
      !isEmbedded && button("Make an exercise", () => go(fragmentOf({ kind: "new-exercise" })), {
        class: "quiet",
        title: "A link with a task, this program and tests",
      }),
      button("Clear runs", () => {
        pane.clear();
        forgetStatelessRuns();
      }, { class: "quiet", title: "Removes the runs from this browser" }),
    ],
    languages,
    draft,
    draftName: DRAFT,
    context: undefined,
    service,
    run: (language, code, options) => runCode(service.env[bindingName(language)], code, options),
    onLanguage: (language) => choice.value = language,
    onRan: (result) => {
      if (result !== undefined && !isEmbedded) keepStatelessRun(result);
    },
    onTokenFailure,
  });
  if (!isEmbedded) pane.showPast(statelessRuns()); // several frames would show each other's
  const load = (program: Parameters<Pane["load"]>[0]) => {
    pane.load(program);
    choice.value = program.language;
  };
  return {
    element: pane.element,
    title: "Stateless runs",
    get isRunning() {
      return pane.isRunning;
    },
    load,
    focus: () => pane.focus(),
    destroy: () => pane.destroy(),
  };
}

function firstDraft(languages: readonly Language[]): Draft {
  const draft = storedDraft(DRAFT);
  if (draft !== undefined && languages.includes(draft.language)) return draft;
  const language = languages.find((id) => id === "python") ?? languages[0] ?? "javascript";
  return { language, code: firstProgram(language), fields: NO_FIELDS };
}
