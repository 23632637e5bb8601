// test: long
/** What makes work on the page quick: commands by name, shortcuts, the divider, copies of runs. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import { browserTest, ending, run, write } from "./browser.ts";

/** The width of the program's part, in pixels. */
async function programWidth(page: Page): Promise<number> {
  return (await page.locator(".write").first().boundingBox())?.width ?? 0;
}

browserTest(
  "page: commands, shortcuts, the divider and copies",
  async (test, { visit, service }) => {
    await test.step("a command is found by words of its name, and done", () =>
      visit(async (page) => {
        await write(page, "6 * 7");
        await page.getByLabel("Language").selectOption("python");
        await page.locator(".cm-content").click();
        await page.keyboard.press("Control+k");
        const field = page.getByRole("combobox", { name: "Command" });
        await field.waitFor();
        assert(await page.getByRole("dialog").getByRole("option").count() > 10);
        await page.keyboard.insertText("RUN");
        const first = page.getByRole("dialog").getByRole("option").first();
        assertEquals(await first.getAttribute("aria-selected"), "true");
        await field.fill("no such thing");
        await page.getByText("No command has this name.").waitFor();
        await page.keyboard.press("Enter"); // does nothing
        await field.fill("api");
        assertEquals(await page.getByRole("dialog").getByRole("option").count(), 1);
        await page.keyboard.press("ArrowDown"); // around, to the same one
        await page.keyboard.press("Enter");
        await page.getByLabel("Operation").waitFor();
        assertEquals(await page.getByRole("dialog").count(), 0);
        // another command by its place in the list, and by a click
        await page.keyboard.press("Control+k");
        await page.getByRole("dialog").getByRole("option", { name: "Run", exact: true }).click();
        await page.locator(".cm-content").waitFor();
        await page.getByRole("button", { name: "Commands" }).click();
        await field.fill("run");
        await page.getByRole("dialog").getByRole("option", { name: /^Run Ctrl/ }).click();
        assertEquals(await ending(page), "ok");
        // only one at a time, and none over a question
        await page.keyboard.press("Control+k");
        await page.keyboard.press("Control+k");
        assertEquals(await page.getByRole("dialog").count(), 1);
        await page.keyboard.press("Escape");
        assertEquals(await page.getByRole("dialog").count(), 0);
      }));

    await test.step("names of guests are texts in the list", () =>
      visit(async (page) => {
        await page.getByRole("button", { name: "New context of Python" }).click();
        const name = "<img src=x onerror=self.owned=1>\\u202etxt.exe";
        await run(page, `open("${name}", "w").write("x")`);
        assertEquals(await ending(page), "ok");
        await page.getByRole("button", { name: "Open <img" }).waitFor();
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox").fill("img");
        const text = await page.getByRole("dialog").getByRole("option").first().textContent() ?? "";
        assertStringIncludes(text, "<img src=x onerror=self.owned=1>\ufffdtxt.exe");
        assertEquals(await page.locator("dialog img").count(), 0);
        assertEquals(await page.evaluate("self.owned"), undefined);
      }, { path: "/#sandbox=palette" }));

    await test.step("? shows the shortcuts, except in a field", () =>
      visit(async (page) => {
        await page.locator(".cm-content").click();
        await page.keyboard.type("?");
        assertEquals(await page.getByRole("dialog").count(), 0);
        await page.getByText("Input and limits").click();
        await page.getByLabel("Standard input").fill("");
        await page.keyboard.type("?");
        assertEquals(await page.getByLabel("Standard input").inputValue(), "?");
        await page.getByRole("button", { name: "Run", exact: true }).focus();
        await page.keyboard.type("?");
        await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
        await page.keyboard.press("Enter");
        assertEquals(await page.getByRole("dialog").count(), 0);
      }));

    await test.step("the divider is dragged, moved by keys, kept, and put back", () =>
      visit(async (page) => {
        const divider = page.getByRole("separator", { name: "Size of the program" });
        const usual = await programWidth(page);
        const box = await divider.boundingBox();
        assert(box !== null);
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x - 200, y, { steps: 4 });
        await page.mouse.up();
        const dragged = await programWidth(page);
        assert(Math.abs(usual - 200 - dragged) < 8, `${usual} became ${dragged}`);
        await page.reload();
        assert(Math.abs(await programWidth(page) - dragged) < 2);
        await divider.focus();
        for (let times = 0; times < 20; times++) await page.keyboard.press("ArrowRight");
        assertEquals(await divider.getAttribute("aria-valuenow"), "80");
        assert(await programWidth(page) > 1.5 * usual);
        await page.keyboard.press("Home");
        assert(Math.abs(await programWidth(page) - usual) < 2);
        await page.setViewportSize({ width: 400, height: 800 });
        assertEquals(await divider.count(), 0); // it is not shown
      }));

    await test.step("a run is copied with its input, in a context too", () =>
      visit(async (page) => {
        await page.evaluate(
          "navigator.clipboard.writeText = (text) => (self.copied = text, Promise.resolve())",
        );
        await page.getByText("Input and limits").click();
        await page.getByLabel("Standard input").fill("it's");
        await run(page, "print(input())", "python");
        assertEquals(await ending(page), "ok");
        await write(page, "another");
        const copy = async (form: string) => {
          await page.getByRole("button", { name: "Copy call of Run 1" }).click();
          await page.getByRole("dialog").getByRole("button", { name: form, exact: true }).click();
          return String(await page.evaluate("self.copied"));
        };
        const curl = await copy("curl");
        assertStringIncludes(curl, `curl -s '${service.url}/execute/python'`);
        assertStringIncludes(curl, `{"code":"print(input())","stdin":"it'\\''s"}`);
        assertStringIncludes(await copy("TypeScript"), "runCode(env.PYTHON");
        assertStringIncludes(await copy("Python"), "client.run_code(");
        await page.evaluate("self.copied = 'none'");
        assertEquals(await copy("Cancel"), "none");
      }));
  },
);
