/**
 * The form that makes an exercise: the result is a link. The browser stores the form until
 * the author begins another one.
 *
 * @module
 */
import type { Language } from "@belljar/client";
import { announce } from "./announcer.ts";
import { askToConfirm, offerText } from "./dialogs.ts";
import { button, el, fill, withDescription, withLabel } from "./dom.ts";
import { type Draft, storedDraft } from "./drafts.ts";
import { Editor } from "./editor.ts";
import {
  type Exercise,
  EXERCISE_LIMITS,
  exerciseOf,
  type ExerciseTest,
  exerciseText,
} from "./exercise.ts";
import { languageChoice } from "./language_choice.ts";
import { exerciseLink } from "./link.ts";
import { keepForAll, newestText } from "./tab_store.ts";
import { TestForm } from "./exercise_test_form.ts";
import type { View, ViewOptions } from "./view.ts";

const STORED = "exercise:form";
const STATELESS = "stateless";
const NO_TEST: ExerciseTest = { name: "", hidden: false, stdin: "", output: "", code: "" };

/** Creates the view. */
export function exerciseAuthor({ service, tell }: ViewOptions): View {
  const { languages } = service;
  const ids = languages.map(({ id }) => id);
  const first = storedExercise(ids) ?? emptyExercise(ids);
  let language = first.language;
  const title = el("input", { maxlength: EXERCISE_LIMITS.nameChars, autocomplete: "off" });
  const task = el("textarea", { rows: 8, maxlength: EXERCISE_LIMITS.taskChars });
  const choice = languageChoice(languages, language, (chosen) => {
    language = chosen;
    editor.language = chosen;
    store();
  });
  const editor = new Editor({
    label: "Program to begin with",
    language,
    code: first.code,
    onChange: () => store(),
    onRun: () => undefined,
    onStop: () => undefined,
  });
  const list = el("ol", { class: "test-forms" });
  let forms: TestForm[] = [];
  const exercise = (): Exercise => ({
    title: title.value.trim(),
    task: task.value,
    language,
    code: editor.code,
    tests: forms.map((form) => form.test),
  });
  const store = () => keepForAll(STORED, exerciseText(exercise()));
  const addTest = (test: ExerciseTest) => {
    const form = new TestForm(test, {
      onChange: store,
      onRemove: () => {
        forms = forms.filter((each) => each !== form);
        form.element.remove();
        add.focus();
        numberForms();
        store();
      },
    });
    forms.push(form);
    list.append(form.element);
    numberForms();
    return form;
  };
  const numberForms = () => {
    forms.forEach((form, index) => form.number = index + 1);
    add.hidden = forms.length >= EXERCISE_LIMITS.tests;
  };
  const add = button("Add a test", () => {
    addTest(NO_TEST).focus();
    store();
  });
  const problem = el("p", { class: "problem", role: "alert" });
  /** The link; undefined when the exercise is not complete, which is told. */
  const link = async (): Promise<string | undefined> => {
    const { title: name } = exercise();
    problem.textContent = name === "" ? "Title: an exercise needs one." : "";
    if (name === "") return void title.focus();
    const made = exercise();
    if (exerciseOf(JSON.parse(exerciseText(made))) === undefined) {
      const { codeChars } = EXERCISE_LIMITS;
      problem.textContent = `A program, input or output has at most ${codeChars} characters.`;
      return undefined;
    }
    return await exerciseLink(location.href, made);
  };
  const show = (exercise: Exercise) => {
    title.value = exercise.title;
    task.value = exercise.task;
    language = choice.value = exercise.language;
    editor.language = exercise.language;
    forms = [];
    fill(list);
    exercise.tests.forEach(addTest);
    numberForms();
    editor.code = exercise.code; // at last, because it stores all of the form
  };
  const clear = async () => {
    const text = "Title, task, program and tests of this form are removed. Links stay as they are.";
    if (!await askToConfirm("Begin another exercise?", text, "Begin")) return;
    show({ ...emptyExercise(ids), code: "" });
    store();
    title.focus();
  };
  const element = el(
    "form",
    { class: "choose exercise-form" },
    el("h2", {}, "Make an exercise"),
    el(
      "p",
      { class: "hint" },
      "The link holds all of it and is sent to nobody. Hidden tests are not shown, and not secret: " +
        "who takes the link apart can read them.",
    ),
    withLabel("Title", title),
    withDescription("Task", task, [
      "Markdown: # headings, lists, `code`, **bold**, *italic*, links. No HTML.",
    ]),
    el(
      "div",
      {},
      el(
        "div",
        { class: "tools" },
        el("span", { class: "field-name" }, "Program to begin with"),
        choice,
      ),
      editor.element,
    ),
    el("h3", {}, "Tests"),
    el(
      "p",
      { class: "hint" },
      "A test is a run of the program with its input. It passes without an error, with the expected " +
        "output, and when its code after the program succeeds, such as an assertion.",
    ),
    list,
    el("div", { class: "tools" }, add),
    problem,
    el(
      "div",
      { class: "actions" },
      button("Begin another", () => void clear(), { class: "quiet" }),
      button("Try it", async () => {
        const made = await link();
        if (made !== undefined) location.hash = new URL(made).hash;
      }),
      button("Copy link", async () => {
        const made = await link();
        if (made === undefined) return;
        if (await offerText("Link to this exercise", made, "The exercise is in the link itself.")) {
          tell(`The link is copied: ${made.length} characters.`);
          announce("The link is copied");
        }
      }, { class: "primary" }),
    ),
  );
  element.addEventListener("input", store);
  element.addEventListener("submit", (event) => event.preventDefault());
  show(first);
  return {
    element,
    title: "Make an exercise",
    isRunning: false,
    focus: () => title.focus(),
    destroy: () => editor.destroy(),
  };
}

function storedExercise(languages: readonly Language[]): Exercise | undefined {
  try {
    const exercise = exerciseOf(JSON.parse(newestText(STORED) ?? "null"));
    return exercise !== undefined && languages.includes(exercise.language) ? exercise : undefined;
  } catch {
    return undefined; // of another version of the page
  }
}

/** Begins with the program of the tab *Run*. */
function emptyExercise(languages: readonly Language[]): Exercise {
  const draft: Draft | undefined = storedDraft(STATELESS);
  const language = draft !== undefined && languages.includes(draft.language)
    ? draft.language
    : languages.find((id) => id === "python") ?? languages[0] ?? "python";
  return { title: "", task: "", language, code: draft?.code ?? "", tests: [NO_TEST] };
}
