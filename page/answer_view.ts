/**
 * An answer of the service as it is: status, headers, and the body while it comes.
 *
 * @module
 */
import { announce } from "./announcer.ts";
import { el, fill } from "./dom.ts";
import { bytes, duration, exact, plain } from "./format.ts";
import { jsonText } from "./json_text.ts";
import { messageOf } from "./service.ts";

/** Characters of a body that are shown. */
const MAX_SHOWN = 100_000;

/** Shows one answer, and then the next in its place. */
export class AnswerView {
  readonly #status = el("h2", { class: "status" }, "Answer");
  readonly #request = el("code", {});
  readonly #headers = el("dl", { class: "header-list" });
  readonly #headersBox = el(
    "details",
    { class: "fields", hidden: true },
    el("summary", {}, "Headers"),
    this.#headers,
  );
  readonly #body = el("pre", {
    class: "output",
    tabindex: 0,
    role: "region",
    "aria-label": "Body of the answer",
    hidden: true,
  });
  readonly #note = el("p", { class: "hint" }, "The answer appears here.");
  /** The element that holds it. */
  readonly element: HTMLElement = el(
    "section",
    { class: "run answer", "aria-label": "Answer" },
    el("div", { class: "run-head" }, this.#status, this.#request),
    this.#headersBox,
    this.#body,
    this.#note,
  );

  /**
   * Shows the answer that a call gives, under the name of its request. Resolves when all of it is
   * there; never rejects.
   */
  async follow(
    request: string,
    call: () => Promise<Response>,
    signal: AbortSignal,
  ): Promise<void> {
    const start = performance.now();
    this.#begin(request);
    try {
      const response = await call();
      this.#showHead(response);
      const count = await this.#showBody(response);
      const { status, statusText } = response;
      const took = duration(performance.now() - start);
      this.#end(
        response.ok || status === 304 ? "ok" : "error",
        `${`${status} ${statusText}`.trim()} · ${took} · ${bytes(count)}`,
      );
    } catch (thrown) {
      const isStopped = signal.aborted;
      if (!isStopped) this.#note.textContent = plain(messageOf(thrown));
      this.#end(isStopped ? "stopped" : "failed", isStopped ? "Stopped" : "No answer");
    }
  }

  #begin(request: string): void {
    this.#request.textContent = request;
    this.element.dataset["state"] = "running";
    this.#status.textContent = "Waiting …";
    fill(this.#headers);
    fill(this.#body);
    this.#headersBox.hidden = true;
    this.#body.hidden = true;
    this.#note.textContent = "";
    announce("The request is sent");
  }

  #end(state: "ok" | "error" | "failed" | "stopped", text: string): void {
    this.element.dataset["state"] = state;
    this.#status.textContent = text;
    announce(`Answer: ${text}`);
  }

  #showHead({ status, statusText, headers }: Response): void {
    this.#status.textContent = `${status} ${statusText} …`;
    for (const [name, value] of headers) {
      this.#headers.append(el("dt", {}, name), el("dd", {}, plain(value)));
    }
    this.#headersBox.hidden = false;
  }

  /** Shows a body. Returns its length in bytes. */
  async #showBody({ body, headers }: Response): Promise<number> {
    if (body === null) return 0;
    const decoder = new TextDecoder();
    const reader = body.getReader();
    let [text, count, isCut] = ["", 0, false];
    for (;;) {
      const { done, value } = await reader.read();
      const piece = done ? decoder.decode() : decoder.decode(value, { stream: true });
      count += value?.length ?? 0;
      const shown = piece.slice(0, MAX_SHOWN - text.length);
      isCut ||= shown.length < piece.length;
      text += shown;
      if (shown !== "") this.#body.append(shown);
      this.#body.hidden = text === "";
      if (done) break;
    }
    if (isCut) {
      this.#note.textContent = `The first ${exact(MAX_SHOWN)} characters are shown.`;
    } else if (headers.get("content-type")?.startsWith("application/json")) {
      this.#body.textContent = indented(text);
    }
    return count;
  }
}

/**
 * JSON with lines and indents. A text that would not be the same afterwards, such as one with numbers
 * that a browser rounds, or a part of a file, stays as it is.
 */
function indented(text: string): string {
  try {
    const value = JSON.parse(text);
    return JSON.stringify(value) === text ? jsonText(value) : text;
  } catch {
    return text;
  }
}
