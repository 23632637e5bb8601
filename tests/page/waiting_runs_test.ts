// test: long
/** Runs that wait, on the page: calls with forms, runs of other browsers, a service that is killed. */
import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { startProgram } from "../support/program.ts";
import { browserTest, ending, run, write } from "./browser.ts";

/** Opens a context of Python in the sandbox of the page. */
async function newContext(page: Page): Promise<void> {
  await page.getByRole("button", { name: "New context of Python" }).click();
  await page.locator(".pane").waitFor();
}

/** Declares tools and runs a program. */
async function runWithTools(page: Page, code: string, tools: string): Promise<void> {
  const field = page.getByLabel("Calls that you answer");
  if (!await field.isVisible()) await page.getByText("Input and limits").click();
  await field.fill(tools);
  await write(page, code);
  await page.keyboard.press("Control+Enter");
}

async function answer(page: Page, json: string): Promise<void> {
  await page.locator(".question-form:not([hidden]) textarea").first().fill(json);
  await page.keyboard.press("Control+Enter");
}

const HOSTILE = "<img src=x onerror=alert(1)>";

browserTest("page: runs that wait", async (test, kit) => {
  await test.step("a call is answered with JSON, and denied with a reason", () =>
    kit.visit(async (page) => {
      await page.getByLabel("Language").selectOption("python");
      await runWithTools(
        page,
        `found = tools.crm.find(q=${JSON.stringify(HOSTILE)})
try:
    tools.mail.send(to=found['mail'])
except ToolDenied as e:
    print(e)
found`,
        "crm.find\nmail.send",
      );
      const field = page.getByLabel("Result of crm.find (call of Run 1)");
      await field.waitFor();
      assertEquals(await field.evaluate((element) => element.matches(":focus")), true);
      assertEquals(await page.locator(".status").first().textContent(), "Waiting for your answer");
      await answer(page, "{mail}");
      await page.getByText("Write JSON, such as").waitFor();
      await answer(page, '{"mail": "ada@example.org"}');
      await page.getByLabel("Reason to deny mail.send (call of Run 1)").fill("not today");
      await page.keyboard.press("Enter");
      assertEquals(await ending(page), "ok");
      const card = page.locator(".run").first();
      assertEquals(await card.locator(".question").allTextContents(), [
        `crm.find { "q": "${HOSTILE}" } → { "mail": "ada@example.org" }`,
        'mail.send { "to": "ada@example.org" } → denied: not today',
      ]);
      assertEquals(await card.locator(".stream .line").allTextContents(), ["not today"]);
    }));

  await test.step("parallel calls have a form each, answered in any order", () =>
    kit.visit(async (page) => {
      await page.getByLabel("Language").selectOption("javascript");
      await runWithTools(
        page,
        "(await Promise.all([1, 2, 3].map((n) => tools.slow({ n })))).join()",
        "slow",
      );
      const fields = page.locator(".question-form textarea");
      await fields.nth(2).waitFor();
      for (const index of [2, 1, 0]) {
        await fields.nth(index).fill(String(index * 10));
        await page.keyboard.press("Control+Enter");
        await page.locator(".question.answered").nth(2 - index).waitFor();
      }
      assertEquals(await ending(page), "ok");
      assertEquals(await page.locator(".result pre").first().textContent(), "'0,10,20'");
    }));

  await test.step("a wrong name of a call is refused before the run", () =>
    kit.visit(async (page) => {
      await page.getByLabel("Language").selectOption("javascript");
      await runWithTools(page, "1", "crm find");
      await page.getByText("Calls: write a name such as crm.find").waitFor();
      assertEquals(await page.locator(".run").count(), 0);
    }));

  await test.step("a run is found in another browser, answered there, and ends in both", () =>
    kit.visit(async (page) => {
      await newContext(page);
      const code = `print('one ${HOSTILE}')
name = input('Name? ${HOSTILE} ')
print('two', tools.crm.find(q=name))
name`;
      await runWithTools(page, code, "crm.find");
      await page.locator(".question-field").waitFor();
      await kit.visit(async (other) => {
        await other.getByRole("region", { name: "Runs that wait" }).getByRole("link").click();
        await other.getByLabel(`Name? ${HOSTILE} (input of Run)`).fill("Bob");
        await other.keyboard.press("Enter");
        await answer(other, "[7]");
        assertEquals(await ending(other), "ok");
        assertEquals(
          await other.locator(".stream .line").allTextContents(),
          [
            `one ${HOSTILE}`,
            "Bobtwo [7]",
          ].map((line) => line.replace("Bob", "")),
        );
        assertEquals(await other.locator(".result pre").textContent(), "'Bob'");
        await other.getByText("Program", { exact: true }).click();
        assertEquals(await other.getByLabel("Program of the run").textContent(), code);
        await other.getByRole("link", { name: "All runs that wait" }).click();
        await other.getByRole("heading", { name: "Your sandboxes" }).waitFor();
        assertEquals(await other.getByRole("link", { name: /Python, / }).count(), 0);
      }, { path: "/#sandboxes" });
      assertEquals(await ending(page), "ok");
    }, { path: "/#sandbox=two-browsers" }));

  await test.step("a reload picks the run up in its context, and cancels it there", () =>
    kit.visit(async (page) => {
      await newContext(page);
      await run(page, "kept = 1\nprint('asks')\nkept = input('Next? ')");
      await page.locator(".question-field").waitFor();
      await page.reload();
      const field = page.getByLabel("Next? (input of Run 1)");
      await field.waitFor();
      assertEquals(await page.locator(".stream .line").allTextContents(), ["asks"]);
      await page.getByRole("button", { name: "Stop" }).click();
      assertEquals(await ending(page), "stopped");
      await run(page, "kept");
      await page.locator(".run[data-state=error]").waitFor(); // the run was undone
      await run(page, "kept = input('Again? ')");
      // a run whose caller leaves before it first waits ends
      await page.getByLabel(/^Again\? /).waitFor();
      await page.reload();
      await page.getByLabel("Again? (input of Run 1)").fill("yes");
      await page.keyboard.press("Enter");
      assertEquals(await ending(page), "ok");
      await run(page, "kept");
      await page.getByText("'yes'").waitFor();
    }, { path: "/#sandbox=reloaded" }));

  await test.step("a run that is not there says so", () =>
    kit.visit(async (page) => {
      await page.getByText("This run is not there.").waitFor();
    }, { path: "/#run=r0%2F..%2Fx", refusals: true }));
});

const GAME = `import random
secret = random.choice([1, 3, 98, 100])
tries = 0
low, high = 1, 100
print('I think of a number')
while True:
    guess = int(input(f'Guess ({low} to {high})? '))
    tries += 1
    if guess == secret:
        break
    if guess < secret:
        low = guess + 1
    else:
        high = guess - 1
    print('too low' if guess < secret else 'too high')
print('Found', guess == secret)
(low <= guess <= high, tries)`;

browserTest("page: a guessing game goes on after kill -9 of the service", async (_test, kit) => {
  const folder = await Deno.makeTempDir();
  const env = { LANGUAGES: "python", KV_PATH: `${folder}/store` };
  let service = await startProgram({ env });
  const { url } = service;
  const { port } = new URL(url);
  try {
    const guessed: number[] = [];
    /** Guesses the middle; false once the game is over. */
    const guess = async (page: Page): Promise<boolean> => {
      const open = page.locator(".question-form:not([hidden]) .question-field");
      await Promise.race([
        open.waitFor(),
        page.locator(".run:not([data-state=running])").first().waitFor({ state: "attached" }),
      ]);
      if (await open.count() === 0) return false;
      const [, low = "", high = ""] = /Guess \((\d+) to (\d+)\)/.exec(
        await open.getAttribute("aria-label") ?? "",
      ) ?? [];
      const middle = Math.floor((Number(low) + Number(high)) / 2);
      guessed.push(middle);
      await open.fill(String(middle));
      await page.keyboard.press("Enter");
      await page.locator(".question.answered").nth(guessed.length - 1).waitFor();
      return true;
    };
    await kit.visit(async (page) => {
      await newContext(page);
      await run(page, GAME);
      assert(await guess(page));
      await page.locator(".question-form .question-field").waitFor();
      assertEquals(await service.end("SIGKILL"), 137);
      service = await startProgram({ env: { ...env, PORT: port } });
      assert(await guess(page)); // on the same page, whose connection broke
      await page.locator(".question-form .question-field").waitFor();
      await page.reload();
      await guess(page);
    }, { url, path: "/#sandbox=game", refusals: true });
    // in another browser, to the end
    await kit.visit(async (page) => {
      while (await guess(page));
      assertEquals(await ending(page), "ok");
      assertEquals(
        await page.locator(".result pre").first().textContent(),
        `(True, ${guessed.length})`,
      );
      const lines = await page.locator(".stream .line").allTextContents();
      assertEquals(lines[0], "I think of a number");
      assertEquals(lines.at(-1), "Found True");
      assertEquals(lines.length, guessed.length + 1);
    }, { url, path: "/#sandbox=game" });
  } finally {
    await service[Symbol.asyncDispose]();
    await Deno.remove(folder, { recursive: true });
  }
}, { LANGUAGES: "python" });
