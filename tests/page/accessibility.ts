/**
 * Whether everybody can use the page: what axe-core finds, and the width.
 *
 * @module
 */
import { assert } from "@std/assert";
import axe from "axe-core";
import type { Page } from "playwright-core";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * The findings of axe: rule and element. Frames of guests have no script, so it cannot look into
 * them.
 */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return await page.evaluate(`axe.run(document, {
    iframes: false,
    runOnly: ${JSON.stringify(RULES)},
  }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + ": " + target.join(" ") + ": " + failureSummary)
  ))`);
}

/** Nothing is wider than the window. */
export async function assertFits(page: Page): Promise<void> {
  const [needed, there] = await page.evaluate<[number, number]>(
    "[document.documentElement.scrollWidth, innerWidth]",
  );
  assert(needed <= there, `the page is ${needed} wide in a window of ${there}`);
}
