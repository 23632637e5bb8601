// test: long
/** The page in frames of other pages: of an origin that `EMBED_ORIGINS` names, and of others. */
import { assert, assertEquals } from "@std/assert";
import { linkTo } from "../../page/link.ts";
import { freePort } from "../support/program.ts";
import { browserTest } from "./browser.ts";

const [NAMED, OTHER] = [freePort(), freePort()];
const SETTLE_MS = 700;
const TIMEOUT = { timeout: 60_000 };

/** A site with a page that shows an address in a frame. */
function site(port: number): Deno.HttpServer {
  return Deno.serve({ hostname: "127.0.0.1", port, onListen: () => undefined }, (request) => {
    const shown = new URL(request.url).searchParams.get("shown") ?? "";
    const html = `<!DOCTYPE html><title>site</title><iframe width=900 height=600></iframe>` +
      `<script>document.querySelector("iframe").src = ${JSON.stringify(shown)}</script>`;
    return new Response(html, { headers: { "content-type": "text/html" } });
  });
}

browserTest("page: in frames of other pages", async (test, { service, visit }) => {
  await using _named = site(NAMED);
  await using _other = site(OTHER);
  const code = "class T:\n  def _repr_html_(self): return '<b id=shown>bold</b>'\nT()";
  const program = await linkTo(`${service.url}/`, { language: "python", code, stdin: "" });
  const at = (port: number, shown: string) => ({
    url: `http://127.0.0.1:${port}`,
    path: `/?shown=${encodeURIComponent(shown)}`,
    blocked: true,
  });

  await test.step("a named origin shows a program, and the reader runs it", () =>
    visit(async (page) => {
      const frame = page.frameLocator("iframe").first();
      await frame.getByText("class T:").waitFor(TIMEOUT);
      assertEquals(await frame.locator(".run").count(), 0);
      assertEquals(await frame.getByRole("navigation").count(), 0);
      await frame.getByRole("button", { name: "Run", exact: true }).click();
      await frame.locator(".run[data-state=ok]").waitFor(TIMEOUT);
      // a display is in two frames more
      const guest = frame.frameLocator(".frame iframe").frameLocator("iframe");
      await guest.locator("#shown").waitFor(TIMEOUT);
      const opened = page.waitForEvent("popup");
      await frame.getByRole("link", { name: "Open in a tab" }).click();
      const popup = await opened;
      await popup.getByText("class T:").waitFor(TIMEOUT);
      assertEquals(await popup.getByRole("navigation").count(), 1);
      assertEquals(await popup.evaluate("opener"), null);
    }, { ...at(NAMED, program), popups: true }));

  await test.step("a frame shows nothing of a sandbox", async () => {
    for (
      const place of ["#sandboxes", "#sandbox=framed", "#operation", "#run=a", "#new-exercise"]
    ) {
      await visit(async (page) => {
        const frame = page.frameLocator("iframe").first();
        await frame.getByLabel("Language").waitFor(TIMEOUT);
        assertEquals(await frame.locator(".sandbox, .choose").count(), 0, place);
        assertEquals(await frame.getByRole("button", { name: "Make an exercise" }).count(), 0);
      }, at(NAMED, `${service.url}/${place}`));
    }
    const { sandboxes } = await (await fetch(`${service.url}/sandboxes`)).json();
    assertEquals(sandboxes, []);
  });

  await test.step("another origin shows nothing", () =>
    visit(async (page) => {
      await page.waitForTimeout(SETTLE_MS);
      assertEquals(await page.frameLocator("iframe").first().locator(".pane").count(), 0);
      assert(!page.frames().some((frame) => frame.url().startsWith(service.url)));
    }, at(OTHER, program)));
}, { EMBED_ORIGINS: `http://127.0.0.1:${NAMED}` });
