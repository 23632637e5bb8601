// test: long
/** Output of a guest runs no script in the page, reaches nothing, and stays where it is shown. */
import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { browserTest, ending, run } from "./browser.ts";
import { htmlAttacks, imageAttacks, linkAttacks, TEXT_ATTACKS } from "./guest_markup.ts";

/** Entries of a run: more would be a limit. */
const ENTRIES = 16;
/** Time in which a browser would have loaded or run what it may. */
const SETTLE_MS = 700;

function showing(displays: readonly object[]): string {
  return displays.map((data) =>
    `display({ [Symbol.for("Jupyter.display")]: () => (${JSON.stringify(data)}) });`
  ).join("\n");
}

async function assertUnharmed(page: Page): Promise<void> {
  await page.waitForTimeout(SETTLE_MS);
  assertEquals(await page.evaluate("self.owned"), undefined);
  assertEquals(await page.title(), "Stateless runs – Belljar");
}

browserTest("page: output of a guest never becomes script", async (test, { visit }) => {
  using outside = listenOutside();
  const html = htmlAttacks(outside.url);
  const images = imageAttacks(outside.url);
  const links = linkAttacks(outside.url);
  assert(html.length + images.length + TEXT_ATTACKS.length >= 40);

  for (let from = 0; from < html.length; from += ENTRIES) {
    const part = html.slice(from, from + ENTRIES);
    await test.step(`HTML ${from + 1} to ${from + part.length}`, () =>
      visit(async (page) => {
        await run(page, showing(part.map((one) => ({ "text/html": one }))), "javascript");
        assertEquals(await ending(page), "ok");
        assertEquals(await page.locator(".frame").count(), part.length);
        await assertUnharmed(page);
        // one frame of the service and one of the guest for each, and never more than a guest's own
        // inside
        const urls = page.frames().map((frame) => frame.url());
        const outer = urls.filter((url) => url.includes("/page/frame-"));
        assertEquals(outer.length, part.length);
        for (const url of urls.slice(1)) {
          assert(url.includes("/page/frame-") || /^(?:about:|chrome-error:|$)/.test(url), url);
        }
      }, { blocked: true }));
  }

  await test.step("HTML has no origin, no script, and the policy of its frame", () =>
    visit(async (page) => {
      const text = "<p id=a style='color:rgb(4,5,6)'>text</p>";
      await run(page, showing([{ "text/html": text }]), "javascript");
      await ending(page);
      const guest = page.frameLocator(".frame iframe").frameLocator("iframe");
      await guest.locator("#a").waitFor();
      const frame = page.frames().find((found) => found.url() === "about:srcdoc");
      assertEquals(await frame?.evaluate("self.origin"), "null");
      // by hand, as no script of the page could: the guest's document is out of reach
      assertEquals(
        await page.evaluate(
          "document.querySelector('.frame iframe').contentDocument.querySelector('iframe').contentDocument",
        ),
        null,
      );
      const sandboxes = await page.evaluate(
        "[...document.querySelectorAll('.frame iframe')].map((frame) => [frame.getAttribute('sandbox'), frame.contentDocument.querySelector('iframe').getAttribute('sandbox')])",
      );
      assertEquals(sandboxes, [["allow-same-origin", ""]]);
    }));

  await test.step("links in HTML lead nowhere", () =>
    visit(async (page) => {
      for (const target of ["", "_top", "_blank", "_parent"]) {
        for (const href of links) {
          const link = `<a id=a target="${target}" href="${href.replaceAll('"', "&quot;")}">go</a>`;
          await run(page, showing([{ "text/html": link }]), "javascript");
          await ending(page);
          const first = page.locator(".run").first();
          await first.frameLocator(".frame iframe").frameLocator("iframe").locator("#a").click();
        }
      }
      await assertUnharmed(page);
      assertEquals(await page.locator(".run").count(), 4 * links.length);
    }, { blocked: true }));

  await test.step("images stay pictures", () =>
    visit(async (page) => {
      const displays = images.map(([type, value]) => ({ [type]: value }));
      await run(page, showing(displays), "javascript");
      assertEquals(await ending(page), "ok");
      await assertUnharmed(page);
      assertEquals(await page.locator(".stream script, .stream iframe, .stream svg").count(), 0);
    }));

  await test.step("output, results and errors stay text", () =>
    visit(async (page) => {
      const texts = JSON.stringify(TEXT_ATTACKS);
      const programs = [
        `for (const text of ${texts}) { console.log(text); console.error(text); } ${texts}`,
        ...TEXT_ATTACKS.map((text) =>
          `const e = new Error(${JSON.stringify(text)}); e.name = ${JSON.stringify(text)}; throw e`
        ),
      ];
      for (const program of programs) {
        await run(page, program, "javascript");
        await ending(page);
      }
      await assertUnharmed(page);
      assertEquals(await page.locator(".run script, .run iframe, .run img, .run svg").count(), 0);
      assertEquals(await page.locator(".run").count(), programs.length);
    }));

  await test.step("names of files and variables stay text, and cannot be turned around", () =>
    visit(async (page) => {
      const names = [...TEXT_ATTACKS.map((text) => text.replaceAll("/", "∕")), "gnp.\u202eexe"];
      await page.getByRole("button", { name: "New context of JavaScript" }).click();
      await page.locator(".pane").waitFor();
      const code = `for (const name of ${
        JSON.stringify(names)
      }) require("fs").writeFileSync(name, "")`;
      await run(page, code);
      assertEquals(await ending(page), "ok");
      await page.locator(".files li").nth(names.length - 1).waitFor();
      const shown = await page.locator(".files .file-name").allTextContents();
      for (const name of names) assert(shown.includes(name.replace("\u202e", "\ufffd")), name);
      await page.waitForTimeout(SETTLE_MS);
      assertEquals(await page.evaluate("self.owned"), undefined);
    }, { path: "/#sandbox=names" }));

  await test.step("a link with a program never runs it, and a damaged one is told", () =>
    visit(async (page) => {
      await page.locator(".pane").waitFor();
      await page.waitForTimeout(SETTLE_MS);
      assertEquals(await page.locator(".run").count(), 0);
      assertEquals(await page.locator(".notice.problem:visible").count(), 1);
    }, { path: "/#program=%3Cscript%3Ealert(1)%3C/script%3E" }));

  assertEquals(outside.connections(), 0);
});

/** An address that a guest wants to be told something. */
function listenOutside(): { url: string; connections(): number } & Disposable {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let count = 0;
  const accept = async () => {
    for await (const connection of listener) {
      count++;
      connection.close();
    }
  };
  void accept();
  return {
    url: `http://127.0.0.1:${listener.addr.port}/leak`,
    connections: () => count,
    [Symbol.dispose]: () => listener.close(),
  };
}
