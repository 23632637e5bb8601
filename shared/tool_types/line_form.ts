/**
 * A declaration in which each tool has one line, and lines of text about it.
 *
 * @module
 */
import { linesOf, textsOf, type ToolDeclaration } from "./declaration.ts";

/** The parts of such a form. */
export interface LineForm {
  /** The line of a tool. */
  readonly signature: (tool: ToolDeclaration) => string;
  /** The start of a line of text. */
  readonly comment: string;
  /** Whether the text comes after the line. @default {false} */
  readonly isCommentAfter?: boolean;
  /** A last line. */
  readonly note?: string | undefined;
}

/** The declaration. */
export function lineForm(
  tools: readonly ToolDeclaration[],
  { signature, comment, isCommentAfter = false, note }: LineForm,
): string {
  const blocks = tools.map((tool) => {
    const text = textsOf(tool, (name) => `- ${linesOf(name).join(" ")}:`)
      .map((line) => `${comment}${line}`);
    return isCommentAfter ? [signature(tool), ...text] : [...text, signature(tool)];
  });
  const hasText = blocks.some(({ length }) => length > 1);
  const lines = blocks.map((block) => block.join("\n")).join(hasText ? "\n\n" : "\n");
  const rest = note === undefined ? "" : `${comment.trim() === "" ? "" : comment}${note}\n`;
  return `${lines === "" ? "" : `${lines}\n`}${rest}`;
}
