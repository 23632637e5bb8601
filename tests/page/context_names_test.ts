// test: long
/** Variables of a context on the page, and completion from its memory. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { browserTest, ending, run, write } from "./browser.ts";

browserTest(
  "page: variables of a context are shown, and its names completed",
  async (_test, kit) => {
    await kit.visit(async (page) => {
      await page.getByRole("button", { name: "New context of Python" }).click();
      await page.locator(".pane").waitFor();
      await run(page, "alpha_value = ['<b>x</b>'] * 30");
      assertEquals(await ending(page), "ok");
      await page.getByText("Variables of the context").click();
      const table = page.locator(".context-variables table");
      await table.waitFor();
      const cells = await table.locator("td").allTextContents();
      assertEquals(cells.slice(0, 3), ["alpha_value", "list", "30"]);
      assertStringIncludes(cells[3] ?? "", "'<b>x</b>'");
      await write(page, "len(alpha_v");
      await page.keyboard.press("Control+Space");
      await page.locator(".cm-tooltip-autocomplete li", { hasText: "alpha_value" }).waitFor();
      await page.waitForTimeout(100); // the editor takes no key at once, lest one is typed by chance
      await page.keyboard.press("Enter");
      await page.locator(".cm-content", { hasText: "len(alpha_value" }).waitFor();
      assertStringIncludes(await page.locator(".context-state").textContent() ?? "", "1 run");
    }, { path: "/#sandbox=names" });
  },
  { LANGUAGES: "python" },
);
