/**
 * The mark of an error in the editor: its line, and below it what the error says.
 *
 * @module
 */
import { type Extension, StateEffect, type StateEffectType, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";

/** An error at a line, counted from 1. */
export interface ErrorMark {
  readonly line: number;
  readonly text: string;
}

/** Sets the mark; `undefined` removes it. */
export const setErrorMark: StateEffectType<ErrorMark | undefined> = StateEffect.define();

const LINE = Decoration.line({ class: "cm-error-line" });
/** Longest text below a line; all of it is with the run. */
const MAX_NOTE = 300;

class Note extends WidgetType {
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  override eq(other: Note): boolean {
    return other.text === this.text;
  }

  override toDOM(): HTMLElement {
    const note = document.createElement("span");
    note.className = "cm-error-note";
    note.textContent = this.text;
    return note;
  }
}

/** Shows the mark until its line changes. */
export const errorMarks: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    let next = transaction.docChanged ? Decoration.none : marks;
    for (const effect of transaction.effects) {
      if (!effect.is(setErrorMark)) continue;
      const { doc } = transaction.state;
      const { value } = effect;
      if (value === undefined || value.line < 1 || value.line > doc.lines) {
        next = Decoration.none;
        continue;
      }
      const line = doc.line(value.line);
      const text = value.text.length > MAX_NOTE ? `${value.text.slice(0, MAX_NOTE)}…` : value.text;
      next = Decoration.set([
        LINE.range(line.from),
        Decoration.widget({ widget: new Note(text), block: true, side: 1 }).range(line.to),
      ]);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});
