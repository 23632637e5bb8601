// test: long
/** Exercises: a teacher makes a link, a pupil works with it, and the link itself runs nothing. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import type { Exercise, ExerciseTest } from "../../page/exercise.ts";
import { exerciseLink } from "../../page/link.ts";
import { browserTest, ending, write } from "./browser.ts";
import { htmlAttacks, linkAttacks, TEXT_ATTACKS } from "./guest_markup.ts";

const TEST: ExerciseTest = { name: "", hidden: false, stdin: "", output: undefined, code: "" };
const SETTLE_MS = 700;

async function pathOf(exercise: Partial<Exercise>): Promise<string> {
  const whole = { title: "A title", task: "", language: "python", code: "", tests: [] } as const;
  return `/${new URL(await exerciseLink("http://x/", { ...whole, ...exercise })).hash}`;
}

/** Checks the program in the editor; gives the state of each row. */
async function check(page: Page): Promise<readonly (string | null)[]> {
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.locator(".check-summary[data-state]").waitFor({ timeout: 120_000 });
  const rows = await page.locator(".test-row").all();
  return await Promise.all(rows.map((row) => row.getAttribute("data-state")));
}

browserTest("page: exercises", async (test, { visit, service }) => {
  await test.step("a teacher makes one, tries it, and finds the form again", () =>
    visit(async (page) => {
      await write(page, "def add(a, b):\n    pass");
      await page.getByRole("button", { name: "Make an exercise" }).click();
      await page.getByLabel("Title").waitFor();
      assertStringIncludes(await page.locator(".cm-content").textContent() ?? "", "def add");
      await page.getByRole("button", { name: "Try it" }).click();
      await page.getByText("Title: an exercise needs one.").waitFor();
      await page.getByLabel("Title").fill("Sums");
      await page.getByLabel("Task", { exact: true }).fill("Write **add**.\n\n- `add(1, 2)` is 3");
      await page.getByLabel("Name").fill("prints nothing");
      await page.getByRole("button", { name: "Add a test" }).click();
      const second = page.locator(".test-forms li").nth(1);
      await second.getByLabel("Name").fill("adds");
      await second.getByLabel("The output must be").uncheck();
      await second.getByLabel(/^Code after/).fill("assert add(40, 2) == 42");
      await second.getByLabel("Hidden").check();
      await page.getByRole("button", { name: "Add a test" }).click();
      await page.getByRole("button", { name: "Remove test 3" }).click();
      await page.getByRole("button", { name: "Try it" }).click();
      await page.getByRole("heading", { name: "Sums" }).waitFor();
      assertEquals(await page.locator(".markdown strong").textContent(), "add");
      assertEquals(await check(page), ["ok", "error"]);
      await page.getByText("1 of 2 tests passed.").first().waitFor();
      await write(page, "def add(a, b):\n    return a + b");
      assertEquals(await check(page), ["ok", "ok"]);
      await page.goBack();
      await page.getByLabel("Title").waitFor();
      assertEquals(await page.getByLabel("Title").inputValue(), "Sums");
      assertEquals(await page.locator(".test-forms li").count(), 2);
      await page.reload();
      assertEquals(await page.getByLabel("Name").nth(1).inputValue(), "adds");
      assertEquals(await page.getByLabel("Hidden").nth(1).isChecked(), true);
      await page.getByRole("button", { name: "Begin another" }).click();
      await page.getByRole("button", { name: "Begin", exact: true }).click();
      assertEquals(await page.getByLabel("Title").inputValue(), "");
    }));

  await test.step("a visible test shows its parts, a hidden one its name only", async () => {
    const tests = [
      { ...TEST, name: "shown", stdin: "ada\n", output: "hello Ada" },
      { ...TEST, name: "veiled", hidden: true, stdin: "secret\n", output: "hello Secret" },
      { ...TEST, hidden: true, code: "raise ValueError('a secret')" },
    ];
    await visit(async (page) => {
      assertEquals(await page.locator(".test-row").count(), 3);
      assertEquals(await check(page), ["error", "error", "error"]);
      await page.getByText("Details of the test").click();
      const text = await page.locator(".task").textContent() ?? "";
      for (const part of ["shown", "veiled", "Test 3", "hello Ada", "The output differs."]) {
        assertStringIncludes(text, part);
      }
      assert(!/secret/i.test(text), text);
      assertEquals(await page.getByLabel("Output of shown", { exact: true }).textContent(), "ada");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.locator(".question-form").waitFor(); // a run of one's own asks as always
      await page.getByRole("button", { name: "Stop", exact: true }).click();
      assertEquals(await ending(page), "stopped");
    }, { path: await pathOf({ code: "print(input())", tests }) });
  });

  await test.step("in each language, code after the program succeeds, fails, or is not reached", async () => {
    const languages = {
      javascript: ["const f = () => 4", "if (f() !== 4) throw new Error('no')", "process.exit(0)"],
      python: ["def f(): return 4", "assert f() == 4", "raise SystemExit(0)"],
      perl: ["sub f { 4 }", "die 'no' unless f() == 4", "exit 0;"],
      ruby: ["def f = 4", "raise 'no' unless f == 4", "exit 0"],
    } as const;
    const { languages: listed } = await (await fetch(`${service.url}/languages`)).json();
    for (const [language, [code, good, leaves]] of Object.entries(languages)) {
      if (
        !listed.some(({ id, enabled }: { id: string; enabled: boolean }) =>
          id === language && enabled
        )
      ) continue;
      const known = language as keyof typeof languages;
      const tests = [{ ...TEST, code: good }, { ...TEST, code: good.replaceAll("4", "5") }];
      await visit(async (page) => {
        assertEquals(await check(page), ["ok", "error"], language);
        await write(page, `${code}\n${leaves}`);
        assertEquals(await check(page), ["error", "error"], language);
      }, { path: await pathOf({ language: known, code, tests }) });
    }
  });

  await test.step("work survives a reload, and Start again brings the beginning back", async () => {
    const path = await pathOf({ code: "begin = 1" });
    await visit(async (page) => {
      assertEquals(await page.getByRole("button", { name: "Check", exact: true }).count(), 0);
      await write(page, "mine = 2");
      await page.reload();
      assertEquals(await page.locator(".cm-line").first().textContent(), "mine = 2");
      await page.getByRole("button", { name: "Start again" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Start again" }).click();
      await page.getByText("begin = 1").waitFor();
    }, { path });
  });

  await test.step("a check is stopped, and a limit is a failure", async () => {
    const tests = [{ ...TEST, name: "endless" }, { ...TEST, name: "next" }];
    await visit(async (page) => {
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await page.getByRole("button", { name: "Stop check" }).click();
      await page.getByText("The check was stopped.").first().waitFor();
      await write(page, "bytearray(10 ** 10)");
      assertEquals(await check(page), ["error", "error"]);
    }, { path: await pathOf({ code: "while True: pass", tests }) });
  });

  await test.step("a link runs nothing and asks nobody, whatever stands in it", async () => {
    const outside = "http://127.0.0.1:9/leak";
    const attacks = [...htmlAttacks(outside), ...linkAttacks(outside), ...TEXT_ATTACKS];
    const schemes = [
      "javascript:self.owned=1",
      "data:text/html,<script>owned=1</script>",
      "//x",
      "x",
    ];
    const task = attacks.join("\n\n").slice(0, 15_000) + [
      ...schemes.map((scheme) => `\n\n[label](${scheme}) ![image](${outside})`),
      `\n\n<${schemes[0]}> [ref][a]\n\n[a]: ${outside}\n\n[web](https://example.com/?a=1#b)`,
      "\n\n# a\n### b\n##### c\n\n```js\n<b>code</b>\n```",
    ].join("");
    const tests = TEXT_ATTACKS.map((name) => ({ ...TEST, name: name.slice(0, 120), stdin: name }));
    await visit(async (page) => {
      await page.locator(".test-row").first().waitFor();
      await page.waitForTimeout(SETTLE_MS);
      assertEquals(await page.evaluate("self.owned"), undefined);
      assertEquals(await page.locator(".run, .test-row:not([data-state=none])").count(), 0);
      const links = await page.locator(".markdown a").evaluateAll((all) =>
        all.map((link) => [link.getAttribute("href"), link.getAttribute("rel")])
      );
      assert(links.length > 0);
      for (const [href, rel] of links) {
        assertMatch(href ?? "", /^https?:\/\//);
        assertEquals(rel, "noopener noreferrer nofollow");
      }
      const names = await page.locator(".markdown *").evaluateAll((
        all,
      ) => [...new Set(all.map(({ localName }) => localName))]);
      const allowed = "h3 h4 h5 p ul ol li blockquote pre code em strong a br hr".split(" ");
      assertEquals(names.filter((name) => !allowed.includes(name)), []);
      assertEquals(await page.locator(".markdown pre").last().textContent(), "<b>code</b>");
    }, { path: await pathOf({ title: TEXT_ATTACKS[0]?.slice(0, 100) ?? "t", task, tests }) });
  });

  await test.step("markers by the thousand are shown at once", async () => {
    const kinds = ["*a ", "[", "> ", "- ", "`", "![", "*_", "<a", "\\", "&", "_a_", "1. ", "#"];
    for (const kind of kinds) {
      const task = kind.repeat(20_000 / kind.length);
      await visit(async (page) => {
        await page.locator(".markdown").waitFor({ timeout: 20_000 });
      }, { path: await pathOf({ task }) });
    }
  });

  await test.step("a damaged link, and a language that is off, are told", async () => {
    for (const path of ["/#exercise=AAAA", "/#exercise="]) {
      await visit(async (page) => {
        await page.getByText("This link does not contain a readable exercise.").first().waitFor();
        await page.locator(".pane").waitFor();
      }, { path });
    }
  });
});
