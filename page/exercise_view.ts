/**
 * An exercise: its task, a program to begin with, and its tests. The link that brought it runs
 * nothing: programs run when the reader presses Run or Check.
 *
 * @module
 */
import { runCode } from "@belljar/client";
import { bindingName } from "../client/protocol/types.ts";
import { announce } from "./announcer.ts";
import { askToConfirm } from "./dialogs.ts";
import { button, el, fill } from "./dom.ts";
import { storedDraft } from "./drafts.ts";
import type { Exercise } from "./exercise.ts";
import { testRun, verdictOf } from "./exercise_check.ts";
import { TestRow } from "./exercise_test_row.ts";
import { countText } from "./format.ts";
import { languageName } from "./language_names.ts";
import { markdownView } from "./markdown.ts";
import { Pane } from "./pane.ts";
import { randomId } from "./random_id.ts";
import { NO_FIELDS } from "./run_request.ts";
import { isTokenFailure, messageOf } from "./service.ts";
import type { View, ViewOptions } from "./view.ts";

/** The view of one exercise. `packed`: its text in the link, which names its draft. */
export function exerciseView(
  exercise: Exercise,
  packed: string,
  { service, onTokenFailure }: ViewOptions,
): View {
  const { title, task, language, code, tests } = exercise;
  const rows = tests.map((test, index) => new TestRow(test, index + 1));
  const summary = el("p", { class: "check-summary", role: "status" });
  const check = button("Check", () => void runTests(), {
    class: "primary",
    hidden: tests.length === 0,
  });
  const stop = button("Stop check", () => checking?.abort(), { hidden: true });
  let checking: AbortController | undefined;
  const draftName = `exercise:${packed.length}-${hashOf(packed)}`;
  const pane: Pane = new Pane({
    label: `exercise ${title}`,
    head: [el("h2", {}, languageName(language)), check, stop],
    tools: [button("Start again", () => void startAgain(), { class: "quiet" })],
    languages: service.languages.filter(({ id }) => id === language),
    draft: storedDraft(draftName) ?? { language, code, fields: NO_FIELDS },
    draftName,
    context: undefined,
    service,
    run: (_language, program, options) =>
      runCode(service.env[bindingName(language)], program, options),
    onRan: () => undefined,
    onTokenFailure,
  });
  const startAgain = async () => {
    const text =
      "The program becomes the one of the exercise. Undo in the editor brings yours back.";
    if (await askToConfirm("Start again?", text, "Start again")) pane.code = code;
  };

  /** Runs one test; gives whether it passes, or undefined when the check must end. */
  const runTest = async (
    row: TestRow,
    program: string,
    signal: AbortSignal,
  ): Promise<boolean | undefined> => {
    const run = testRun(program, language, row.test, randomId());
    row.showRunning();
    try {
      const env = service.env[bindingName(language)];
      const result = await runCode(env, run.code, { stdin: run.stdin, signal });
      const verdict = verdictOf(result, row.test, run.mark);
      row.show(verdict);
      return verdict.passed;
    } catch (thrown) {
      row.showNone();
      if (signal.aborted) return undefined;
      summary.textContent = messageOf(thrown);
      if (isTokenFailure(thrown)) onTokenFailure();
      return undefined;
    }
  };
  const runTests = async () => {
    if (checking !== undefined) return;
    const { signal } = checking = new AbortController();
    const program = pane.draft.code;
    for (const row of rows) row.showNone();
    summary.textContent = "Checking …";
    delete summary.dataset["state"];
    check.setAttribute("aria-disabled", "true");
    stop.hidden = false;
    summary.scrollIntoView({ block: "nearest" });
    let [passed, ended] = [0, 0];
    for (const row of rows) {
      const isPassed = await runTest(row, program, signal);
      if (isPassed === undefined) break;
      ended++;
      if (isPassed) passed++;
    }
    checking = undefined;
    check.removeAttribute("aria-disabled");
    if (document.activeElement === stop) check.focus();
    stop.hidden = true;
    if (signal.aborted) summary.textContent = "The check was stopped.";
    if (ended < rows.length) return;
    summary.textContent = passed === rows.length
      ? `All passed: ${countText(passed, "test")}.`
      : `${passed} of ${countText(rows.length, "test")} passed.`;
    summary.dataset["state"] = passed === rows.length ? "ok" : "error";
    announce(summary.textContent);
  };

  const element = el(
    "div",
    { class: "exercise" },
    el(
      "section",
      { class: "task panel", "aria-label": "Task" },
      el("h2", {}, title),
      markdownView(task),
      tests.length > 0 && el("h3", { class: "task-tests" }, "Tests"),
      summary,
      el("ol", { class: "test-rows" }, ...rows.map((row) => row.element)),
    ),
    pane.element,
  );
  if (tests.length > 0) fill(summary, `${countText(tests.length, "test")}. Check runs them.`);
  return {
    element,
    title,
    get isRunning() {
      return pane.isRunning || checking !== undefined;
    },
    focus: () => pane.focus(),
    destroy: () => {
      checking?.abort();
      pane.destroy();
    },
  };
}

/** A short number for a text: FNV-1a of 32 bits. It names drafts, and protects nothing. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return hash.toString(36);
}
