/**
 * The output of a run as it comes. Lines are collected and shown once a frame, in blocks that the
 * browser need not lay out while they are out of sight.
 *
 * @module
 */
import { AnsiText, hasAnsi } from "./ansi_text.ts";
import { button, el } from "./dom.ts";
import { exact } from "./format.ts";

type Stream = "stdout" | "stderr";

interface Line {
  readonly stream: Stream;
  readonly text: string;
}

/** Lines of a block. */
const BLOCK_LINES = 200;
/** Characters of a line that are shown at once. */
const LINE_CHARS = 4_000;

/** Output and, between its lines, what else the run shows. */
export class OutputView {
  /** The element that holds it. */
  readonly element: HTMLElement = el("div", { class: "stream" });
  readonly #label: string;
  readonly #styles = { stdout: new AnsiText(), stderr: new AnsiText() };
  /** The elements of all lines, with their texts. */
  readonly #shown: { readonly element: HTMLElement; readonly text: string }[] = [];
  #waiting: Line[] = [];
  #frame: number | undefined;
  #text: HTMLElement | undefined;
  #block: HTMLElement | undefined;
  #blockLines = 0;
  #count = 0;

  constructor(label: string) {
    this.#label = label;
  }

  /** Number of lines so far. */
  get lines(): number {
    return this.#count;
  }

  /** The lines as a program wrote them. */
  get text(): string {
    return this.#shown.map(({ text }) => `${text}\n`).join("");
  }

  /** The lines that contain a text, in small or capital letters. */
  linesWith(text: string): readonly HTMLElement[] {
    const wanted = text.toLowerCase();
    return this.#shown.filter((line) => line.text.toLowerCase().includes(wanted))
      .map(({ element }) => element);
  }

  /** Adds a line. */
  add(stream: Stream, text: string): void {
    this.#count++;
    this.#waiting.push({ stream, text });
    this.#frame ??= requestAnimationFrame(() => this.flush());
  }

  /** Adds something that is no line, after those that came before. */
  insert(element: HTMLElement): void {
    this.flush();
    this.#text = undefined;
    this.#block = undefined;
    this.element.append(element);
  }

  /** Shows what is waiting. */
  flush(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    const lines = this.#waiting;
    this.#waiting = [];
    if (lines.length === 0) return;
    const area = this.#area();
    const isAtEnd = area.scrollHeight - area.scrollTop - area.clientHeight < 40;
    for (const line of lines) this.#show(line, area);
    if (isAtEnd) area.scrollTop = area.scrollHeight;
  }

  #area(): HTMLElement {
    if (this.#text === undefined) {
      this.#text = el("pre", {
        class: "output",
        tabindex: 0,
        role: "region",
        "aria-label": this.#label,
      });
      this.element.append(this.#text);
    }
    return this.#text;
  }

  #show({ stream, text }: Line, area: HTMLElement): void {
    if (this.#block === undefined || this.#blockLines >= BLOCK_LINES) {
      this.#block = el("div", { class: "block" });
      this.#blockLines = 0;
      area.append(this.#block);
    }
    this.#blockLines++;
    const line = el("div", { class: stream === "stderr" ? "line err" : "line" });
    if (stream === "stderr") {
      line.append(el("span", { class: "visually-hidden" }, "error output: "));
    }
    line.append(this.#contents(stream, text));
    this.#block.append(line);
    this.#shown.push({ element: line, text });
  }

  #contents(stream: Stream, text: string): Node {
    if (!hasAnsi(text)) return longText(text);
    const parts = this.#styles[stream].parts(text);
    if (text.length > LINE_CHARS) return longText(parts.map((part) => part.text).join(""));
    const line = document.createDocumentFragment();
    for (const part of parts) {
      line.append(part.style === "" ? part.text : el("span", { class: part.style }, part.text));
    }
    return line;
  }
}

/**
 * A text that shows its beginning, and more of it on request: one long line would freeze the page.
 */
export function longText(text: string, most: number = LINE_CHARS): Node {
  if (text.length <= most) return document.createTextNode(text === "" ? "\n" : text);
  const whole = document.createDocumentFragment();
  let shown = most;
  const head = document.createTextNode(text.slice(0, shown));
  const more = button("", () => {
    head.data += text.slice(shown, shown += 4 * most);
    name();
  }, { class: "more" });
  const name = () => {
    if (shown >= text.length) more.remove();
    else more.textContent = `… ${exact(text.length - shown)} more characters`;
  };
  name();
  whole.append(head, more);
  return whole;
}
