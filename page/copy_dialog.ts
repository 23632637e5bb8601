/**
 * The question in which form a run is copied.
 *
 * @module
 */
import { announce } from "./announcer.ts";
import { type CopiedRun, COPY_FORMS } from "./copy_as.ts";
import { ask, offerText } from "./dialogs.ts";
import { el } from "./dom.ts";

/** Asks for a form, and copies the run in it. `name`: of the run. */
export async function offerCopy(
  name: string,
  run: Omit<CopiedRun, "url" | "needsToken">,
): Promise<void> {
  const answer = await ask(
    `Copy ${name} as a call`,
    el("p", {}, "The program with its input and limits, for this service. Without the token."),
    el(
      "div",
      { class: "actions" },
      el("button", { type: "submit", value: "", class: "quiet" }, "Cancel"),
      ...Object.keys(COPY_FORMS).map((form) =>
        el("button", { type: "submit", value: form, autofocus: form === "curl" }, form)
      ),
    ),
  );
  const form = Object.entries(COPY_FORMS).find(([form]) => form === answer);
  if (form === undefined) return;
  const [title, write] = form;
  const url = new URL("./", location.href).href;
  const needsToken = document.body.dataset["access"] === "token";
  const note = "The browser has no clipboard here.";
  if (await offerText(title, write({ ...run, url, needsToken }), note)) {
    announce(`${name} is copied for ${title}`);
  }
}
