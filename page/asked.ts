/**
 * What a program waits for, as an element with a form: a line of input, or the result of a call.
 *
 * @module
 */
import { el } from "./dom.ts";

/** Sends what is typed; resolves with the reason when it is refused. */
export type SendReply<T> = (reply: T) => Promise<string | undefined>;

/** An element that asks the reader. */
export interface Asked {
  /** The element that holds it. */
  readonly element: HTMLElement;
  /** Shows the form. */
  open(): void;
  /** Takes the form away: somebody else has answered, or the program went on. */
  withdraw(): void;
  /** Puts the cursor into the form. */
  focus(): void;
}

/** The parts of such an element. */
export interface AskedParts<T> {
  /** The text before the form. */
  readonly text: () => Node;
  readonly form: HTMLFormElement;
  /** The field with the cursor. */
  readonly field: HTMLElement;
  readonly send: SendReply<T>;
  /** Whether the form is there from the beginning. */
  readonly isOpen: boolean;
}

/** Makes the element, and the function that sends a reply and shows it as a text. */
export function askedElement<T>(
  { text, form, field, send, isOpen }: AskedParts<T>,
): { readonly asked: Asked; readonly reply: (reply: T, shown: Node) => void } {
  const problem = el("p", { class: "problem", role: "alert" });
  form.append(problem);
  form.hidden = !isOpen;
  const element = el("div", { class: "question" }, el("span", {}, text()), form);
  const settle = (shown: Node) => {
    element.replaceChildren(text(), shown);
    element.classList.add("answered");
  };
  let isSending = false;
  return {
    asked: {
      element,
      open: () => {
        form.hidden = false;
      },
      withdraw: () => {
        if (element.classList.contains("answered")) return;
        settle(el("span", { class: "hint" }, "(answered)"));
      },
      focus: () => field.focus(),
    },
    reply: async (reply, shown) => {
      if (isSending) return;
      isSending = true;
      const refused = await send(reply);
      isSending = false;
      if (element.classList.contains("answered")) return; // by somebody else
      if (refused === undefined) settle(shown);
      else problem.textContent = refused;
    },
  };
}

/** Says in a form what is wrong with it. */
export function complain(form: HTMLFormElement, text: string): void {
  const problem = form.querySelector("[role=alert]");
  if (problem !== null) problem.textContent = text;
}
