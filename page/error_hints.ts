/**
 * Hints for the commonest errors of programs, in plain words.
 *
 * @module
 */
import type { ExecutionError, Language } from "@belljar/client";

interface Hint {
  readonly language: Language;
  /** Name of the error. Any when absent. */
  readonly name?: string;
  /** A part of its message. Any when absent. */
  readonly part?: string;
  readonly text: string;
}

const NOTEBOOK_COMMAND =
  "A line that begins with ! or % is a command of notebooks, not Python. Remove it: the packages of " +
  "this service are there without pip.";

/** The first hint that fits is shown. */
const HINTS: readonly Hint[] = [
  {
    language: "python",
    name: "EOFError",
    text:
      "The program reads more input than it has. Add a line to “Standard input”, or leave that " +
      "field empty to be asked.",
  },
  {
    language: "python",
    name: "ModuleNotFoundError",
    text: "Python has its standard library and the packages that the service lists below the " +
      "editor. Is the name spelled right?",
  },
  {
    language: "python",
    name: "IndentationError",
    text:
      "The spaces at the beginning of a line tell Python which block it is in. Use four for each " +
      "block, after a line that ends with a colon.",
  },
  {
    language: "python",
    name: "TabError",
    text: "Some lines begin with tabs, others with spaces. Use spaces in all of them.",
  },
  {
    language: "python",
    name: "SyntaxError",
    part: "Missing parentheses in call to 'print'",
    text: 'In Python 3, print is a function: print("text").',
  },
  {
    language: "python",
    name: "SyntaxError",
    part: "was never closed",
    text: "An opening bracket has no closing one.",
  },
  {
    language: "python",
    name: "SyntaxError",
    part: "unterminated string",
    text: "A text begins with a quotation mark and does not end with the same one.",
  },
  {
    language: "python",
    name: "SyntaxError",
    part: "expected ':'",
    text: "Lines with if, else, for, while, def and class end with a colon.",
  },
  {
    language: "python",
    name: "SyntaxError",
    part: "Maybe you meant '=='",
    text: "= gives a name to a value. == compares two values.",
  },
  {
    language: "python",
    name: "NameError",
    text: "Python does not know this name at this line. Is it spelled right, and given a value " +
      "before? A text needs quotation marks.",
  },
  {
    language: "python",
    name: "UnboundLocalError",
    text: "The function gives this name a value later, so it is a name of the function. Pass the " +
      "value as an argument.",
  },
  {
    language: "python",
    name: "TypeError",
    part: "can only concatenate str",
    text: "+ joins a text with a text only. Make a text of the other value: str(value), or " +
      'f"{value}".',
  },
  {
    language: "python",
    name: "TypeError",
    part: "NoneType",
    text: "The value is None. A function without return gives None, and so do print and list.sort.",
  },
  {
    language: "python",
    name: "TypeError",
    part: "object is not callable",
    text: "Brackets after a name call it, and this name is no function. Does a variable have the " +
      "name of a function, such as list?",
  },
  {
    language: "python",
    name: "AttributeError",
    part: "'NoneType' object",
    text: "The value before the dot is None. A function without return gives None.",
  },
  {
    language: "python",
    name: "IndexError",
    text: "The list is shorter than that. The first element has the index 0, the last one len − 1.",
  },
  {
    language: "python",
    name: "KeyError",
    text: "The dictionary has no such key. get(key) gives None instead of this error.",
  },
  {
    language: "python",
    name: "ValueError",
    part: "invalid literal for int()",
    text: "The text is no whole number. input() gives a text: check it before int(text).",
  },
  {
    language: "python",
    name: "RecursionError",
    text: "A function calls itself without an end. Does it return before it calls itself again?",
  },
  {
    language: "python",
    name: "FileNotFoundError",
    text: "Files are in /workspace. Without a sandbox each run begins with an empty folder.",
  },
  {
    language: "javascript",
    name: "ReferenceError",
    text:
      "JavaScript does not know this name at this line. Is it spelled right, and declared with " +
      "let or const before?",
  },
  {
    language: "javascript",
    name: "TypeError",
    part: "not a function",
    text:
      "Brackets after a name call it, and this value is no function. Is the method spelled right?",
  },
  {
    language: "javascript",
    name: "TypeError",
    part: "of undefined",
    text:
      "The value before the dot is undefined. Is its property or index spelled right, and does " +
      "the function return it?",
  },
  {
    language: "javascript",
    name: "TypeError",
    part: "of null",
    text: "The value before the dot is null.",
  },
  {
    language: "ruby",
    name: "NoMethodError",
    part: "nil",
    text:
      "The value before the dot is nil. gets gives nil at the end of the input, a Hash for an " +
      "unknown key.",
  },
  {
    language: "ruby",
    name: "NameError",
    text:
      "Ruby does not know this name at this line. Is it spelled right, and given a value before?",
  },
  {
    language: "perl",
    part: "requires explicit package name",
    text: "Declare the variable with my before its first use. Is its name spelled right?",
  },
  {
    language: "perl",
    part: "Can't locate",
    text: "This module is not here. The modules of Perl's core are.",
  },
];

/** A hint for an error; undefined when there is none. `code`: of the run. */
export function errorHint(
  { name, message, lineNumber }: ExecutionError,
  language: string,
  code: string,
): string | undefined {
  if (language === "python" && name === "SyntaxError" && lineNumber !== undefined) {
    const line = code.split("\n", lineNumber)[lineNumber - 1]?.trimStart() ?? "";
    if (line.startsWith("!") || line.startsWith("%")) return NOTEBOOK_COMMAND;
  }
  return HINTS.find((hint) =>
    hint.language === language && (hint.name ?? name) === name && message.includes(hint.part ?? "")
  )?.text;
}
