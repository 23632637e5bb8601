/**
 * The editor: CodeMirror in a shadow root, where its styles are style sheets that the page's policy
 * permits.
 *
 * @module
 */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completeAnyWord,
  completionKeymap,
  type CompletionSource,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { python } from "@codemirror/lang-python";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  StreamLanguage,
  syntaxHighlighting,
} from "@codemirror/language";
import { perl } from "@codemirror/legacy-modes/mode/perl";
import { ruby } from "@codemirror/legacy-modes/mode/ruby";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Language } from "@belljar/client";
import { el } from "./dom.ts";
import { type ErrorMark, errorMarks, setErrorMark } from "./error_marks.ts";

/** Options of an editor. */
export interface EditorOptions {
  readonly label: string;
  /** Absent: plain text. */
  readonly language?: Language | undefined;
  readonly code: string;
  readonly onChange: (code: string) => void;
  readonly onRun: () => void;
  readonly onStop: () => void;
  /** Of a text that can be stored. */
  readonly onSave?: () => void;
  /** Completes names, beside the completions of the language. */
  readonly complete?: CompletionSource;
}

const LANGUAGE_MODES: { readonly [L in Language]: () => Extension } = {
  javascript: () => [javascript({ typescript: true }), indentUnit.of("  ")],
  python: () => [python(), indentUnit.of("    ")],
  perl: () => [StreamLanguage.define(perl), indentUnit.of("    ")],
  ruby: () => [StreamLanguage.define(ruby), indentUnit.of("  ")],
  shell: () => [StreamLanguage.define(shell), indentUnit.of("  ")],
};

function modeOf(language: Language | undefined): Extension {
  return language === undefined ? [] : LANGUAGE_MODES[language]();
}

/**
 * Colours are variables of the page: they reach into the shadow root, and change with the theme.
 */
const HIGHLIGHT = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--code-number)" },
  { tag: [tags.comment], color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.function(tags.variableName), tags.className], color: "var(--code-name)" },
  { tag: [tags.definition(tags.variableName), tags.propertyName], color: "var(--code-plain)" },
  { tag: [tags.typeName, tags.namespace], color: "var(--code-name)" },
  { tag: [tags.meta, tags.annotation], color: "var(--code-comment)" },
]);

/** Words of the program, beside the completions of a language. */
const WORDS = EditorState.languageData.of(() => [{ autocomplete: completeAnyWord }]);

function completionsBy(autocomplete: CompletionSource): Extension {
  return EditorState.languageData.of(() => [{ autocomplete }]);
}

const THEME = EditorView.theme({
  "&": { height: "100%", backgroundColor: "transparent", color: "var(--code-plain)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", fontSize: "var(--code-size)", lineHeight: "1.55" },
  ".cm-content": { padding: "10px 0", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--muted)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "2.4rem", padding: "0 8px 0 4px" },
  ".cm-activeLine": { backgroundColor: "var(--code-line)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { background: "var(--code-selection)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--code-selection)" },
  ".cm-placeholder": { color: "var(--muted)" },
  ".cm-panels, .cm-tooltip": {
    border: "none",
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    fontFamily: "var(--sans)",
  },
  ".cm-tooltip": { border: "1px solid var(--line)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": { padding: "6px 28px 6px 10px" },
  ".cm-panel.cm-search [name=close]": { top: "4px", right: "8px", color: "var(--ink)" },
  ".cm-textfield": {
    border: "1px solid var(--edge)",
    borderRadius: "4px",
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
  },
  ".cm-button": {
    border: "1px solid var(--line)",
    borderRadius: "4px",
    backgroundColor: "var(--surface)",
    backgroundImage: "none",
    color: "var(--ink)",
  },
  ".cm-searchMatch, .cm-selectionMatch": { backgroundColor: "var(--code-selection)" },
  ".cm-searchMatch-selected": { outline: "2px solid var(--accent)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--accent-strong)",
    color: "#fff",
  },
  ".cm-error-line": { backgroundColor: "var(--bad-soft)" },
  ".cm-error-note": {
    display: "block",
    padding: "2px 12px 4px 6px",
    color: "var(--bad)",
    backgroundColor: "var(--bad-soft)",
    fontFamily: "var(--sans)",
    fontSize: "0.8125rem",
    overflowWrap: "anywhere",
  },
});

/** An editor of one program. */
export class Editor {
  /** The element that holds it. */
  readonly element: HTMLElement;
  readonly #view: EditorView;
  readonly #mode = new Compartment();

  constructor(options: EditorOptions) {
    this.element = el("div", { class: "editor" });
    const root = this.element.attachShadow({ mode: "open" });
    const parent = document.createElement("div");
    parent.style.height = "100%";
    root.append(parent);
    const commands = keymap.of([
      { key: "Mod-Enter", run: () => (options.onRun(), true) },
      { key: "Mod-.", run: () => (options.onStop(), true) },
      ...(options.onSave === undefined
        ? []
        : [{ key: "Mod-s", preventDefault: true, run: () => (options.onSave?.(), true) }]),
    ]);
    this.#view = new EditorView({
      root,
      parent,
      state: EditorState.create({
        doc: options.code,
        extensions: [
          commands,
          lineNumbers(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          autocompletion({ activateOnTyping: false }),
          search({ top: true }),
          highlightSelectionMatches(),
          keymap.of([
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...completionKeymap,
            indentWithTab,
          ]),
          WORDS,
          options.complete === undefined ? [] : completionsBy(options.complete),
          this.#mode.of(modeOf(options.language)),
          syntaxHighlighting(HIGHLIGHT),
          errorMarks,
          placeholder(options.onSave === undefined ? "Write a program" : "Write the file"),
          THEME,
          EditorView.contentAttributes.of({
            tabindex: "0",
            "aria-label": options.label,
            "aria-description":
              "Control or Command and Enter runs it. Escape, then Tab leaves the editor.",
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) options.onChange(this.code);
          }),
        ],
      }),
    });
  }

  /** The program. */
  get code(): string {
    return this.#view.state.doc.toString();
  }

  /** Replaces the program; undoing brings the former one back. */
  set code(code: string) {
    this.#view.dispatch({
      changes: { from: 0, to: this.#view.state.doc.length, insert: code },
      selection: { anchor: 0 },
      scrollIntoView: true,
      effects: setErrorMark.of(undefined),
    });
  }

  /** Highlights another language. */
  set language(language: Language) {
    this.#view.dispatch({ effects: this.#mode.reconfigure(LANGUAGE_MODES[language]()) });
  }

  /** Marks the line of an error; `undefined` removes the mark. */
  mark(error: ErrorMark | undefined): void {
    this.#view.dispatch({ effects: setErrorMark.of(error) });
  }

  /** Puts the cursor at the beginning of a line, counted from 1. */
  goTo(line: number): void {
    const { doc } = this.#view.state;
    const anchor = doc.line(Math.min(Math.max(1, line), doc.lines)).from;
    this.#view.dispatch({ selection: { anchor }, scrollIntoView: true });
    this.#view.focus();
  }

  /** Puts the cursor into it. */
  focus(): void {
    this.#view.focus();
  }

  /** Frees what it uses. */
  destroy(): void {
    this.#view.destroy();
  }
}
