/**
 * Requests by hand: each operation of the service, with fields for its parameters and its body.
 *
 * @module
 */
import { AnswerView } from "./answer_view.ts";
import { button, el, fill } from "./dom.ts";
import { fragmentOf } from "./link.ts";
import { type FormInput, operationForm } from "./operation_form.ts";
import { type OperationInput, operationRequest } from "./operation_request.ts";
import type { Operation } from "./operations.ts";
import { messageOf } from "./service.ts";
import { keep, storedText } from "./tab_store.ts";
import type { View, ViewOptions } from "./view.ts";

/** The view of requests by hand. */
export interface OperationsView extends View {
  /** Shows an operation. It is not sent. */
  choose(id: string): void;
}

const TYPED = "operations";

/** Creates the view. */
export function operationsView(
  operations: readonly Operation[],
  { service, go, tell }: ViewOptions,
): OperationsView {
  const typed = storedInput();
  const answer = new AnswerView();
  let [current] = operations;
  let read: () => OperationInput = () => ({ parameters: {}, body: undefined, type: "" });
  let going: AbortController | undefined;
  const choice = el(
    "select",
    { "aria-label": "Operation" },
    ...[...Map.groupBy(operations, ({ group }) => group)].map(([name, members]) =>
      el(
        "optgroup",
        { label: name },
        ...members.map(({ id, summary }) => el("option", { value: id }, summary)),
      )
    ),
  );
  const fields = el("div", { class: "operation-fields" });
  const problem = el("p", { class: "problem", role: "alert" });
  const send = el("button", { type: "submit", class: "primary" }, "Send");
  const stop = button("Stop", () => going?.abort(), { hidden: true });
  const form = el(
    "form",
    { class: "write" },
    el("div", { class: "pane-head" }, choice),
    fields,
    el("div", { class: "tools" }, send, stop, docsLink()),
    problem,
  );
  const show = (operation: Operation) => {
    current = operation;
    choice.value = operation.id;
    problem.textContent = "";
    const { elements, read: readFields } = operationForm(operation, typed);
    fill(fields, ...elements);
    read = readFields;
  };
  const submit = async (operation: Operation) => {
    problem.textContent = "";
    const controller = new AbortController();
    going = controller;
    send.setAttribute("aria-disabled", "true");
    stop.hidden = false;
    try {
      const { path, init } = operationRequest(operation, read());
      const { signal } = controller;
      const call = () => service.send(path, { ...init, signal });
      await answer.follow(`${operation.method} /${path}`, call, signal);
    } catch (thrown) {
      problem.textContent = messageOf(thrown);
    }
    going = undefined;
    send.removeAttribute("aria-disabled");
    stop.hidden = true;
  };
  choice.addEventListener("change", () => go(fragmentOf({ kind: "operation", id: choice.value })));
  form.addEventListener("input", () => keep(TYPED, JSON.stringify(typed)));
  form.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    if (event.key === "Enter") form.requestSubmit();
    else if (event.key === ".") going?.abort();
    else return;
    event.preventDefault();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (current !== undefined && going === undefined) void submit(current);
  });
  if (current !== undefined) show(current);
  return {
    element: el(
      "section",
      { class: "pane", "aria-label": "Requests by hand" },
      form,
      el("div", { class: "read" }, answer.element),
    ),
    title: "API",
    get isRunning() {
      return going !== undefined;
    },
    choose: (id) => {
      const operation = operations.find((candidate) => candidate.id === id);
      if (operation !== undefined) show(operation);
      else if (id !== "") tell("This service does not have that operation.", "problem");
    },
    focus: () => choice.focus(),
    destroy: () => going?.abort(),
  };
}

/** The description of all operations on one page. A browser has no token to open it with. */
function docsLink(): HTMLElement | undefined {
  if (document.body.dataset["access"] === "token") return undefined;
  return el("a", { href: "docs", class: "quiet-link" }, "Description of all operations");
}

function storedInput(): FormInput {
  try {
    const { parameters, bodies } = JSON.parse(storedText(TYPED) ?? "{}");
    return { parameters: { ...parameters }, bodies: { ...bodies } };
  } catch {
    return { parameters: {}, bodies: {} }; // of another version of the page
  }
}
