/**
 * The blocks of the README and of the client's page.
 *
 * @module
 */
import { assert } from "@std/assert";

export const ROOT = new URL("../../", import.meta.url);
export const CONFIG = new URL("deno.json", ROOT).pathname;
const PAGES = ["README.md", "docs/client.md"]
  .map((path) => Deno.readTextFileSync(new URL(path, ROOT))).join("\n");
const MOST_LINES = 20;

/** The only block of a language in the pages that has a text in it. */
export function block(language: string, having: string): string {
  const pattern = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  const found = [...PAGES.matchAll(pattern)].map(([, text = ""]) => text).filter((text) => {
    return text.includes(having);
  });
  const [text, ...more] = found;
  assert(text !== undefined && more.length === 0, `${found.length} blocks with ${having}`);
  assert(text.split("\n").length - 1 <= MOST_LINES, `more than ${MOST_LINES} lines with ${having}`);
  return text;
}

/** The output that the comments behind `console.log` promise. */
export function promised(text: string): string {
  const lines = [...text.matchAll(/console\.log\(.*?\/\/ (.+)$/gm)].map(([, comment]) => comment);
  assert(lines.length > 0);
  return `${lines.join("\n")}\n`;
}
