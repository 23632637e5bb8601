// test: long
/** Programs and runs outlive the tab: in a context for every browser, without one for this browser. */
import { assertEquals, assertMatch } from "@std/assert";
import { browserTest, ending, run, write } from "./browser.ts";

browserTest("page: programs and runs outlive the tab", async (test, { visit }) => {
  await test.step("a context shows its program and runs in another browser", async () => {
    const path = "/#sandbox=lesson";
    await visit(async (page) => {
      await page.getByRole("button", { name: "New context of Python" }).click();
      await page.locator(".pane").waitFor();
      await run(page, "print('<b>first</b>')\nx = [1, None]\nx");
      assertEquals(await ending(page), "ok");
      await run(page, "1 / 0");
      assertEquals(await ending(page), "error");
    }, { path });
    await visit(async (page) => {
      const runs = page.locator(".run");
      await runs.nth(1).waitFor();
      assertEquals(await runs.count(), 2);
      assertEquals(await page.locator(".run h3").allTextContents(), ["Run 2", "Run 1"]);
      assertEquals(await page.locator(".cm-line").allTextContents(), ["1 / 0"]);
      assertEquals(await runs.nth(1).locator(".line").allTextContents(), ["<b>first</b>"]);
      assertEquals(await runs.nth(1).locator(".result pre").textContent(), "[1, None]");
      assertEquals(await runs.first().getAttribute("data-state"), "error");
      await run(page, "import nothing_here");
      assertEquals(await ending(page), "error");
      assertMatch(
        await runs.first().locator(".error-meaning").textContent() ?? "",
        /standard library/,
      );
      // what comes next is counted on, and shown once
      await run(page, "x");
      assertEquals(await ending(page), "ok");
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      await page.getByRole("button", { name: "Use program of Run 1" }).click();
      assertEquals(await page.locator(".run h3").allTextContents(), [
        "Run 4",
        "Run 3",
        "Run 2",
        "Run 1",
      ]);
      assertEquals(await page.locator(".cm-line").first().textContent(), "print('<b>first</b>')");
    }, { path, viewport: { width: 390, height: 780 } });
  });

  await test.step("an open tab shows the runs of another one", () =>
    visit(async (first) => {
      await first.getByRole("button", { name: "New context of Python" }).click();
      await first.locator(".pane").waitFor();
      const second = await first.context().newPage();
      await second.goto(first.url());
      await second.locator(".pane").waitFor();
      await run(first, "'from the first'");
      assertEquals(await ending(first), "ok");
      await second.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      await second.locator(".run").waitFor();
      assertEquals(await second.locator(".result pre").textContent(), "'from the first'");
      // an editor that its user emptied gets no program of another tab
      await write(second, "");
      await run(first, "'again'");
      assertEquals(await ending(first), "ok");
      await second.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      await second.locator(".run").nth(1).waitFor();
      assertEquals(await second.locator(".cm-placeholder").count(), 1);
    }, { path: "/#sandbox=tabs" }));

  await test.step("a sandbox tells when it expires, and is kept by a button", () =>
    visit(async (page) => {
      await page.getByRole("button", { name: "New context of Python" }).click();
      await page.locator(".pane").waitFor();
      assertMatch(await page.locator(".about").textContent() ?? "", /Expiresin 2[34] h/);
      await page.getByRole("button", { name: "Keep this sandbox" }).click();
      await page.getByText("The sandbox is kept until").first().waitFor();
    }, { path: "/#sandbox=keep" }));

  await test.step("stateless runs are there after a reload and in a new tab, until they are cleared", () =>
    visit(async (page) => {
      await run(page, "print('one')", "python");
      assertEquals(await ending(page), "ok");
      await run(page, "6 * 7", "javascript");
      assertEquals(await ending(page), "ok");
      await page.reload();
      await page.locator(".run").nth(1).waitFor();
      assertEquals(await page.locator(".run .line").allTextContents(), ["one"]);
      const other = await page.context().newPage();
      await other.goto(page.url());
      await other.locator(".run").nth(1).waitFor();
      await other.getByRole("button", { name: "Use program of Run 1" }).click();
      assertEquals(await other.locator(".cm-line").allTextContents(), ["print('one')"]);
      assertEquals(await other.getByLabel("Language").inputValue(), "python");
      await other.getByRole("button", { name: "Clear runs" }).click();
      assertEquals(await other.locator(".run").count(), 0);
      await other.reload();
      await other.locator(".cm-content").waitFor();
      assertEquals(await other.locator(".run").count(), 0);
    }));

  await test.step("damaged data of the browser are no runs", () =>
    visit(async (page) => {
      for (const text of ["{", "[1, null, {}]", '[{"execution":{}}]', '{"a":1}']) {
        await page.evaluate(
          `for (const s of [sessionStorage, localStorage]) s.setItem("belljar:runs:stateless", ${
            JSON.stringify(text)
          })`,
        );
        await page.reload();
        await page.locator(".cm-content").waitFor();
        assertEquals(await page.locator(".run").count(), 0);
      }
    }));
});
