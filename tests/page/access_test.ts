// test: long
/**
 * The page for everybody: axe-core finds nothing, in all themes and sizes; motion and colours as
 * asked for.
 */
import { assertEquals } from "@std/assert";
import { exerciseLink } from "../../page/link.ts";
import { assertFits, violations } from "./accessibility.ts";
import { browserTest, ending, run, type VisitOptions } from "./browser.ts";

const PHONE = { width: 360, height: 740 };
const WIDE = { width: 1440, height: 900 };

const LOOKS: Readonly<Record<string, VisitOptions>> = {
  light: { viewport: WIDE, colorScheme: "light" },
  dark: { viewport: WIDE, colorScheme: "dark" },
  phone: { viewport: PHONE, colorScheme: "light", hasTouch: true },
  "dark phone": { viewport: PHONE, colorScheme: "dark", reducedMotion: "reduce" },
};

/** An exercise with all that its page can show. */
async function exercisePath(): Promise<string> {
  const task =
    "## Part\n\n#### Deep\n\n> quoted **bold** *slanted* `code` [a](https://a.example)\n\n" +
    "1. one\n   - inner\n\n```\n" + "wide ".repeat(60) + "\n```\n\n---\n\n" + "long".repeat(80);
  const tests = [
    { name: "passes", hidden: false, stdin: "", code: "" },
    { name: "fails", hidden: false, stdin: "a", output: "b", code: "x = 1" },
    { name: "n".repeat(100), hidden: true, stdin: "", code: "1 / 0" },
  ];
  const title = "Wide title ".repeat(8);
  const exercise = { title, task, language: "python", code: "x = 2", tests } as const;
  return `/${new URL(await exerciseLink("http://x/", exercise)).hash}`;
}

browserTest("page: axe finds nothing, and nothing is wider than the window", async (test, kit) => {
  for (const [name, look] of Object.entries(LOOKS)) {
    await test.step(name, async () => {
      await kit.visit(async (page) => {
        await page.locator(".pane").waitFor();
        assertEquals(await violations(page), []);
        await page.getByText("Input and limits").click();
        const code = "import sys\nprint('one', file=sys.stderr)\nclass T:\n" +
          "  def _repr_html_(self): return '<b>b</b>'\ndisplay(T())\n1 / 0";
        await run(page, code, "python");
        assertEquals(await ending(page), "error");
        await page.getByText("Traceback", { exact: true }).click();
        await run(page, "[1, 2, 3]");
        assertEquals(await ending(page), "ok");
        await run(page, "[{'a': 1, 'b': [1, {'c': 2}]}]");
        assertEquals(await ending(page), "ok");
        await page.getByRole("button", { name: "Tree", exact: true }).click();
        await run(page, "[{'a': n, 'b': 'x' * 50} for n in range(300)]");
        assertEquals(await ending(page), "ok");
        await page.getByRole("button", { name: "Table", exact: true }).click();
        await run(page, "'a' * 300000");
        assertEquals(await ending(page), "limit");
        assertEquals(await violations(page), []);
        await assertFits(page);
        const dialogs = ["Examples", "Commands", "Keyboard shortcuts", "Copy call of Run 1"];
        for (const button of dialogs) {
          await page.getByRole("button", { name: button, exact: true }).click();
          await page.getByRole("dialog").waitFor();
          assertEquals(await violations(page), []);
          await page.keyboard.press("Escape");
        }
      }, look);
      await kit.visit(async (page) => {
        await page.getByRole("heading", { name: "Open a sandbox" }).waitFor();
        assertEquals(await violations(page), []);
        await assertFits(page);
      }, { ...look, path: "/#sandboxes" });
      await kit.visit(async (page) => {
        await page.getByText("Headers of the request").click();
        await page.getByLabel("id", { exact: true }).fill(`axe-api-${name.replace(" ", "-")}`);
        await page.getByRole("button", { name: "Send" }).click();
        await page.locator(".answer[data-state=ok]").waitFor();
        await page.getByText("Headers", { exact: true }).click();
        assertEquals(await violations(page), []);
        await assertFits(page);
      }, { ...look, path: "/#operation=executeInSandbox" });
      await kit.visit(async (page) => {
        await page.getByRole("button", { name: "Check", exact: true }).click();
        await page.getByText("1 of 3 tests passed.").first().waitFor();
        await page.getByText("Details of the test").first().click();
        assertEquals(await violations(page), []);
        await assertFits(page);
      }, { ...look, path: await exercisePath() });
      await kit.visit(async (page) => {
        await page.getByRole("button", { name: "Add a test" }).click();
        await page.getByRole("button", { name: "Try it" }).click();
        await page.getByText("Title: an exercise needs one.").waitFor();
        assertEquals(await violations(page), []);
        await assertFits(page);
      }, { ...look, path: "/#new-exercise" });
      await kit.visit(async (page) => {
        await page.getByRole("button", { name: "New context of Python" }).click();
        await page.locator(".pane").waitFor();
        await run(page, "open('a-file-with-a-long-name-that-is-cut.txt', 'w').write('x')");
        assertEquals(await ending(page), "ok");
        await page.getByText("Notebook", { exact: true }).click();
        await page.getByRole("button", { name: "Use cell 1" }).waitFor();
        await page.getByLabel("Name of the checkpoint").fill("a checkpoint with a long name");
        await page.getByRole("button", { name: "Keep", exact: true }).click();
        await page.locator(".timeline .now").waitFor();
        await run(page, "open('t.csv', 'w').write('a,b\\n' + '1,2\\n' * 300)");
        await page.getByRole("button", { name: "Open t.csv" }).click();
        await page.locator(".file-preview table").waitFor();
        await page.getByRole("button", { name: /^Open a-file/ }).click();
        await page.locator(".file-tab").nth(1).waitFor();
        assertEquals(await violations(page), []);
        await assertFits(page);
        await page.getByRole("button", { name: "New file" }).click();
        assertEquals(await violations(page), []);
        await page.keyboard.press("Escape");
        for (const name of ["a-file", "t.csv"]) {
          await page.getByRole("button", { name: new RegExp(`^Close ${name}`) }).click();
        }
        // a run that calls and asks, as the page shows it when it is picked up
        await page.getByText("Input and limits").click();
        await page.getByLabel("Calls that you answer").fill("crm.find");
        await run(page, "call = tools.crm.find.start(q='a' * 300)\ninput('Name? ')\nawait call");
        await page.locator(".question-form").nth(1).waitFor();
        await page.evaluate("scrollTo(0, 0)"); // below, the head of the pane covers half of a field
        assertEquals(await violations(page), []);
        await page.reload();
        await page.locator(".question-form:not([hidden])").nth(1).waitFor();
        await page.getByLabel("Result of crm.find (call of Run 1)").fill("{");
        await page.keyboard.press("Control+Enter");
        await page.getByText("Write JSON, such as").waitFor();
        assertEquals(await violations(page), []);
        await assertFits(page);
        await page.getByRole("link", { name: "Sandboxes" }).click();
        await page.getByRole("heading", { name: "Runs that wait" }).waitFor();
        assertEquals(await violations(page), []);
        await page.getByRole("link", { name: /^Python, / }).click();
        await page.locator(".question-form:not([hidden])").nth(1).waitFor();
        await page.getByText("Program", { exact: true }).click();
        assertEquals(await violations(page), []);
        await assertFits(page);
        await page.getByRole("button", { name: "Cancel run" }).click();
        await page.locator(".run[data-state=stopped]").waitFor();
        await page.goBack();
        await page.goBack();
        await page.locator(".files li").first().waitFor();
        assertEquals(await violations(page), []);
        await assertFits(page);
      }, { ...look, path: `/#sandbox=axe-${name.replace(" ", "-")}` });
    });
  }
});
