/**
 * The page in a real browser, where one is installed. Each visit notes what must not happen: errors
 * in the console, requests to other origins, dialogs of script.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { type Service, startService } from "../support/service.ts";

const BROWSER = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
  .find(isFile);

/** Whether there is a browser. */
export const hasBrowser = BROWSER !== undefined;

/** A browser's message about something that a policy has blocked. */
const BLOCKED =
  /Content Security Policy|sandbox|Blocked|Not allowed|Unsafe attempt|violates|attachShadow/i;

/** How a visit differs from others. */
export interface VisitOptions extends BrowserContextOptions {
  /** Where it begins, after the origin. @default {"/"} */
  readonly path?: string;
  /** Another service. */
  readonly url?: string;
  /** Whether the browser may report answers that are errors. @default {false} */
  readonly refusals?: boolean;
  /** Whether there are things that policies block, which the browser reports. @default {false} */
  readonly blocked?: boolean;
  /** Whether the page may open others. @default {false} */
  readonly popups?: boolean;
}

/** A browser and a service. */
export interface PageKit {
  readonly service: Service;
  /**
   * Opens the page, and closes it when the work is done. Nothing must have happened that must not.
   */
  visit(work: (page: Page) => Promise<void>, options?: VisitOptions): Promise<void>;
}

/** A test with a browser; left out, with a line that says so, where there is none. */
export function browserTest(
  name: string,
  work: (test: Deno.TestContext, kit: PageKit) => Promise<void>,
  env: Record<string, string> = {},
): void {
  const ignore = BROWSER === undefined;
  const label = ignore ? `${name} (needs chromium)` : name;
  Deno.test({
    name: label,
    ignore,
    // The browser's driver has timers and processes of its own; the services end by `await using`.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async (test) => {
      await using service = await startService(env);
      const browser = await launch();
      try {
        const visit: PageKit["visit"] = (steps, options = {}) =>
          visited(browser, steps, { url: service.url, ...options });
        await work(test, { service, visit });
      } finally {
        await browser.close();
      }
    },
  });
}

/** A browser without a window. */
export async function launch(): Promise<Browser> {
  if (BROWSER === undefined) throw new Error("There is no browser");
  return await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
}

/** Whether a browser is installed. */
export const HAS_BROWSER: boolean = BROWSER !== undefined;

/** Opens the page of a service (`url`); as {@link PageKit.visit}. */
export async function visited(
  browser: Browser,
  work: (page: Page) => Promise<void>,
  { path = "/", url = "", refusals = false, blocked = false, popups = false, ...options }:
    VisitOptions,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  try {
    const page = await context.newPage();
    const wrong = watch(page, url, { refusals, blocked, popups });
    await page.goto(url + path);
    await work(page);
    assertEquals(wrong, []);
  } finally {
    await context.close();
  }
}

/** The forbidden acts of a page; grows while the page is open. */
function watch(
  page: Page,
  url: string,
  { refusals, blocked, popups }: Required<
    Pick<VisitOptions, "refusals" | "blocked" | "popups">
  >,
): string[] {
  const wrong: string[] = [];
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    if (refusals && message.text().startsWith("Failed to load resource")) return;
    if (blocked && BLOCKED.test(message.text())) return;
    wrong.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const to = request.url();
    if (blocked) return; // announced, and then blocked: the test listens at the other end
    if (to.startsWith(`${url}/`) || to.startsWith("data:") || to.startsWith("blob:")) return;
    wrong.push(`request: ${to.slice(0, 200)}`);
  });
  page.on("dialog", async (dialog) => {
    if (dialog.type() !== "beforeunload") wrong.push(`dialog: ${dialog.message()}`);
    await dialog.accept();
  });
  if (!popups) page.on("popup", (popup) => wrong.push(`popup: ${popup.url()}`));
  return wrong;
}

/** Puts a program into the only editor, and runs it. */
export async function run(page: Page, code: string, language?: string): Promise<void> {
  if (language !== undefined) await page.getByLabel("Language").selectOption(language);
  const count = await page.locator(".run").count();
  await write(page, code);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".run").nth(count).waitFor({ state: "attached" });
}

/** Puts a program into an editor. */
export async function write(page: Page, code: string, editor = 0): Promise<void> {
  const field = page.locator(".cm-content").nth(editor);
  await field.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(code);
}

/** Waits until the newest run has ended; gives how. */
export async function ending(page: Page): Promise<string> {
  const first = page.locator(".run").first();
  await page.locator(".run:first-child:not([data-state=running])").first().waitFor({
    timeout: 60_000,
  });
  return await first.getAttribute("data-state") ?? "";
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
