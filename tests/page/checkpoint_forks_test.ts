// test: long
/** Forks of a checkpoint on the page: one under a name, three ways side by side, and a class. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import { assertFits, violations } from "./accessibility.ts";
import { browserTest, ending, run, type VisitOptions } from "./browser.ts";
import { TEXT_ATTACKS } from "./guest_markup.ts";

const PHONE: VisitOptions = { viewport: { width: 390, height: 844 }, hasTouch: true };
const DARK: VisitOptions = { colorScheme: "dark" };

/** Makes a context of Python with a variable, and a checkpoint of it. */
async function begin(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "New context of Python" }).click();
  await page.locator(".pane").waitFor();
  await run(page, "x = 1");
  assertEquals(await ending(page), "ok");
  await page.getByLabel("Name of the checkpoint").fill(name);
  await page.getByRole("button", { name: "Keep", exact: true }).click();
  await page.getByRole("button", { name: `Restore ${name}` }).waitFor();
}

/** Puts a program into the editor of a way. */
async function writeWay(page: Page, way: number, code: string): Promise<void> {
  await page.locator(".way .cm-content").nth(way - 1).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(code);
}

/** Runs all ways, and waits until they have run. */
async function runWays(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Run all" }).click();
  const stop = page.locator("dialog.ways").getByRole("button", { name: "Stop", exact: true });
  await stop.waitFor({ state: "hidden", timeout: 120_000 });
  await page.getByText("All ways have run.").first().waitFor();
}

browserTest("page: forks of a checkpoint", async (test, { visit, service }) => {
  const names = async (): Promise<readonly string[]> => {
    const { sandboxes } = await (await fetch(`${service.url}/sandboxes?limit=100`)).json();
    return sandboxes.map(({ id }: { id: string }) => id);
  };

  await test.step("a checkpoint is forked under a name, and the sandbox stays as it is", () =>
    visit(async (page) => {
      await begin(page, "start");
      await run(page, "x = 2");
      assertEquals(await ending(page), "ok");
      await page.getByRole("button", { name: "Fork start" }).click();
      await page.getByLabel("Name of the sandbox").fill("earlier");
      await page.getByRole("dialog").getByRole("button", { name: "Fork" }).click();
      await page.waitForURL(/#sandbox=earlier$/);
      await page.locator(".pane").waitFor();
      await run(page, "x");
      assertEquals(await ending(page), "ok");
      assertEquals(await page.locator(".result pre").first().textContent(), "1");
    }, { path: "/#sandbox=origin" }));

  await test.step("three ways begin at the checkpoint, are compared, and leave no sandbox", () =>
    visit(async (page) => {
      await begin(page, "here");
      await run(page, "x = 500");
      await page.getByRole("button", { name: "Three ways from here" }).click();
      await page.getByText("Each run begins at the checkpoint").waitFor();
      assertEquals(await violations(page), []);
      await writeWay(page, 1, "print('same')\nprint(x + 1)\ny = 'one'");
      await writeWay(page, 2, "print('same')\nprint(x + 1)\ny = 'one'");
      await writeWay(
        page,
        3,
        `print('same')\nprint(x + 2, ${JSON.stringify(TEXT_ATTACKS[0])})\n1 / 0`,
      );
      for (let round = 0; round < 2; round++) {
        await runWays(page);
        const states = await page.locator(".way .run").evaluateAll((cards) =>
          cards.map((card) => card.getAttribute("data-state"))
        );
        assertEquals(states, ["ok", "ok", "error"]);
      }
      const second = await page.locator(".way").nth(1).textContent() ?? "";
      assertStringIncludes(second, "No difference.");
      const third = page.locator(".way").nth(2);
      const texts = async (kind: string) =>
        (await third.locator(`.diff-${kind}`).allTextContents()).join();
      assertStringIncludes(await texts("removed"), "- 2");
      assertStringIncludes(await texts("added"), "+ 3");
      assertStringIncludes(await texts("removed"), "y: str = 'one'");
      assertEquals(await violations(page), []);
      await page.getByRole("button", { name: "Close", exact: true }).click();
      await page.locator("dialog.ways").waitFor({ state: "detached" });
      while ((await names()).some((name) => name.includes(".way"))) await page.waitForTimeout(100);
      await run(page, "x");
      assertEquals(await page.locator(".result pre").first().textContent(), "500");
    }, { path: "/#sandbox=ways" }));

  await test.step("one of the ways is gone on with, and an endless one is stopped", () =>
    visit(async (page) => {
      await begin(page, "there");
      await page.getByRole("button", { name: "Three ways from there" }).click();
      await page.getByText("Each run begins at the checkpoint").waitFor();
      await runWays(page);
      await writeWay(page, 1, "while True: pass");
      await writeWay(page, 2, " ");
      await page.getByRole("button", { name: "Run all" }).click();
      await page.getByText("Each way needs a program.").first().waitFor();
      await writeWay(page, 2, "x = 'second'");
      await page.getByRole("button", { name: "Run all" }).click();
      await page.locator(".way").nth(1).locator(".run[data-state=ok]").waitFor({ timeout: 60_000 });
      const stop = page.locator("dialog.ways").getByRole("button", { name: "Stop", exact: true });
      if (await stop.isVisible()) await stop.click();
      await stop.waitFor({ state: "hidden", timeout: 120_000 });
      assertEquals(await violations(page), []);
      await assertFits(page);
      await page.getByRole("button", { name: "Go on with way 2" }).click();
      await page.waitForURL(/#sandbox=more-ways\.way2\./);
      await page.locator(".pane").waitFor();
      await run(page, "x");
      assertEquals(await ending(page), "ok");
      assertEquals(await page.locator(".result pre").first().textContent(), "'second'");
      while ((await names()).filter((name) => name.includes("more-ways.way")).length > 1) {
        await page.waitForTimeout(100);
      }
    }, { ...PHONE, path: "/#sandbox=more-ways" }));

  await test.step("a class: a sandbox for each pupil, and an overview of their latest runs", async () => {
    await visit(async (page) => {
      await begin(page, "task");
      await page.getByRole("button", { name: "A class from task" }).click();
      const field = page.getByLabel("Names, one in a line, or a number");
      await field.fill("Zoë Miller\nben\nben");
      await page.getByRole("button", { name: "Make sandboxes" }).click();
      assert(await field.isVisible(), "a list that cannot be used keeps the dialog open");
      await field.fill("Zoë Miller\nben\ncem");
      assertEquals(await violations(page), []);
      await page.getByRole("button", { name: "Make sandboxes" }).click();
      await page.waitForURL(/#class=course$/);
      await page.getByText("3 sandboxes, read at").waitFor();
      const pupils = await page.locator(".pupils a").allTextContents();
      assertEquals(pupils, ["ben", "cem", "Zoe-Miller"]);
    }, { path: "/#sandbox=course" });
    await visit(async (page) => {
      await page.locator(".pane").waitFor();
      await run(page, `print(${JSON.stringify(TEXT_ATTACKS.join(" "))})\n1 / 0`);
      assertEquals(await ending(page), "error");
    }, { path: "/#sandbox=course.ben" });
    for (const look of [{}, PHONE, DARK]) {
      await visit(async (page) => {
        await page.getByText("3 sandboxes, read at").waitFor();
        const ben = page.locator(".pupils li").first();
        assertStringIncludes(await ben.textContent() ?? "", "✗ ZeroDivisionError");
        assertEquals(await ben.getAttribute("data-state"), "error");
        await ben.locator("summary").click();
        await page.getByLabel("Program of ben").waitFor();
        assertEquals(await page.locator(".pupils :is(img, script, svg, iframe)").count(), 0);
        assertEquals(await page.evaluate("self.owned"), undefined);
        assertEquals(await violations(page), []);
        await assertFits(page);
      }, { ...look, path: "/#class=course" });
    }
    await visit(async (page) => {
      await page.getByText("3 sandboxes, read at").waitFor();
      await page.getByRole("button", { name: "Delete sandboxes" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByText("There is no sandbox whose name begins with course.").first().waitFor();
      assertEquals((await names()).filter((name) => name.startsWith("course")), ["course"]);
    }, { path: "/#class=course" });
  });
}, { LANGUAGES: "python" });
