// test: long
/** The page as people use it. */
import { Buffer as NodeBuffer } from "node:buffer";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { browserTest, ending, run, write } from "./browser.ts";

/** Runs in the page. */
function colourOf(element: ElementInPage): string {
  return element.ownerDocument.defaultView.getComputedStyle(element).color;
}

/** The part of an element that {@link colourOf} needs. */
interface ElementInPage {
  readonly ownerDocument: {
    readonly defaultView: {
      getComputedStyle(element: ElementInPage): { readonly color: string };
    };
  };
}

browserTest("page: programs run, and show what they do and what they cost", async (test, kit) => {
  await test.step("output, result and cost", () =>
    kit.visit(async (page) => {
      await run(page, "print('one')\nimport sys\nprint('two', file=sys.stderr)\n[1, 2]", "python");
      assertEquals(await ending(page), "ok");
      const card = page.locator(".run").first();
      assertEquals(await card.locator(".stream .line").allTextContents(), [
        "one",
        "error output: two",
      ]);
      assertEquals(await card.locator(".result pre").textContent(), "[1, 2]");
      const cost = await card.locator(".cost dt").allTextContents();
      assertEquals(cost, ["Fuel", "Memory", "Time", "Output"]);
    }));

  await test.step("an error is shown at its line, and the line is reached by a button", () =>
    kit.visit(async (page) => {
      await run(page, "let a = 1;\n\nnull.x;\n", "javascript");
      assertEquals(await ending(page), "error");
      const note = await page.locator(".cm-error-note").textContent();
      assertStringIncludes(note ?? "", "TypeError");
      await page.getByRole("button", { name: "Go to line 3" }).click();
      assertEquals(await page.locator(".cm-activeLineGutter").first().textContent(), "3");
      await write(page, "1");
      assertEquals(await page.locator(".cm-error-note").count(), 0);
    }));

  await test.step("TypeScript, Perl and Ruby run too", () =>
    kit.visit(async (page) => {
      const programs = [
        ["javascript", "const n: number = 6; n * 7"],
        ["perl", "6 * 7"],
        ["ruby", "6 * 7"],
      ] as const;
      for (const [language, code] of programs) {
        await run(page, code, language);
        assertEquals(await ending(page), "ok", language);
        assertEquals(await page.locator(".result pre").first().textContent(), "42");
      }
      assertEquals(await page.locator(".run").count(), 3);
    }));

  await test.step("standard input, variables, seed and clock reach the program", () =>
    kit.visit(async (page) => {
      await page.getByText("Input and limits").click();
      await page.getByLabel("Standard input").fill("from outside");
      await page.getByLabel("Variables").fill("COLOUR=blue\nEMPTY=");
      await page.getByLabel("Clock").fill("2026-01-01T00:00:00Z");
      await page.getByLabel("Seed").fill("42");
      const code = "import os, time, random\n" +
        "[input(), os.environ['COLOUR'], os.environ['EMPTY'], time.gmtime().tm_year, random.random()]";
      await run(page, code, "python");
      assertEquals(await ending(page), "ok", await page.locator(".run").textContent() ?? "");
      const first = await page.locator(".result pre").first().textContent() ?? "";
      assert(first.startsWith("['from outside', 'blue', '', 2026, 0."), first);
      await page.keyboard.press("Control+Enter");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      assertEquals(await ending(page), "ok");
      assertEquals(await page.locator(".result pre").first().textContent(), first);
    }));

  await test.step("fields that cannot be used are named, and nothing is run", () =>
    kit.visit(async (page) => {
      await page.getByText("Input and limits").click();
      for (
        const [field, text, problem] of [
          ["Fuel", "much", "Fuel: write a whole number"],
          ["Variables", "no value", "Variables: write NAME=value"],
          ["Clock", "yesterday", "Clock: write a date"],
        ] as const
      ) {
        await page.getByLabel(field).fill(text);
        await page.getByRole("button", { name: "Run", exact: true }).click();
        assertStringIncludes(await page.locator(".pane .problem").textContent() ?? "", problem);
        await page.getByLabel(field).fill("");
      }
      assertEquals(await page.locator(".run").count(), 0);
    }));

  await test.step("the keyboard runs, stops and leaves the editor", () =>
    kit.visit(async (page) => {
      await write(page, "while True: pass");
      await page.keyboard.press("Control+Enter");
      await page.getByRole("button", { name: "Stop" }).waitFor();
      await page.keyboard.press("Control+.");
      assertEquals(await ending(page), "stopped");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Shift+Tab");
      assertEquals(
        await page.getByRole("button", { name: "Run", exact: true }).evaluate((button) =>
          button.matches(":focus")
        ),
        true,
      );
    }));

  await test.step("a limit is explained, and a traceback is open", () =>
    kit.visit(async (page) => {
      await page.getByText("Input and limits").click();
      await page.getByLabel("Fuel").fill("50000000");
      await run(page, "def f():\n  while True: pass\nf()", "python");
      assertEquals(await ending(page), "limit");
      const error = page.locator(".guest-error");
      assertStringIncludes(await error.locator(".error-title").textContent() ?? "", "Fuel limit");
      assertStringIncludes(await error.locator(".error-meaning").textContent() ?? "", "endless");
      await error.locator("details pre").waitFor({ state: "visible" });
      const note = await page.locator(".cm-error-note").textContent() ?? "";
      assertEquals(note.startsWith("Fuel limit"), true, note);
    }));

  await test.step("output has colours, is found, wrapped, copied and saved", () =>
    kit.visit(async (page) => {
      const code = "for n in range(300): print(n, 'x' * 300)\n" +
        "print('\\x1b[1;31mred\\x1b[0m plain \\x1b[2Kclear')";
      await run(page, code, "python");
      assertEquals(await ending(page), "ok");
      const last = page.locator(".line").last();
      assertEquals(await last.textContent(), "red plain clear");
      assertEquals(await last.locator("span").getAttribute("class"), "ansi-red ansi-bold");
      const find = page.getByLabel("Find in output of Run 1");
      await find.fill("29");
      assertEquals(await page.locator(".find .hint").textContent(), "1 of 13 lines");
      await find.press("Enter");
      assertStringIncludes(await page.locator(".line.found").textContent() ?? "", "129 ");
      await find.press("Shift+Enter");
      assertStringIncludes(await page.locator(".line.found").textContent() ?? "", "29 ");
      await find.fill("nowhere");
      assertEquals(await page.locator(".find .hint").textContent(), "0 of 0 lines");
      assertEquals(await page.locator(".line.found").count(), 0);
      await page.getByRole("button", { name: "Wrap lines of Run 1" }).click();
      assertEquals(await page.locator(".stream.unwrapped").count(), 1);
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Save output of Run 1" }).click();
      const saved = await download;
      assertEquals(saved.suggestedFilename(), "run-1.txt");
      const text = await Deno.readTextFile(await saved.path());
      assertEquals(text.split("\n").length, 302);
    }));

  await test.step("a program asks where it stands, and goes on with the answer", () =>
    kit.visit(async (page) => {
      const code = "name = input('Name? ')\nage = int(input('Age? '))\n" +
        "print('Hello', name)\nimport sys\n[age + 1, sys.stdin.read()]";
      await run(page, code, "python");
      const field = page.locator(".question-field");
      await field.waitFor();
      assertEquals(await field.evaluate((element) => element.matches(":focus")), true);
      await page.keyboard.type("Ada");
      await page.keyboard.press("Enter");
      await page.getByLabel("Age? (input of Run 1)").fill("36");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "End input" }).click();
      assertEquals(await ending(page), "ok");
      const card = page.locator(".run").first();
      assertEquals((await card.locator(".question").allTextContents()).slice(0, 2), [
        "Name? Ada",
        "Age? 36",
      ]);
      assertEquals(await card.locator(".stream .line").allTextContents(), ["Hello Ada"]);
      assertEquals(await card.locator(".result pre").textContent(), "[37, '']");
    }));

  await test.step("a program that asks is stopped, and the field goes", () =>
    kit.visit(async (page) => {
      await run(page, "puts 'one'; gets", "ruby");
      await page.locator(".question-field").waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      assertEquals(await ending(page), "stopped");
      assertEquals(await page.locator(".question-field").count(), 0);
      await run(page, "1 + 1", "ruby");
      assertEquals(await ending(page), "ok");
    }));

  await test.step("a new tab begins with the newest program of the browser", () =>
    kit.visit(async (page) => {
      await write(page, "print('kept')");
      await run(page, "print('newest')", "python");
      await ending(page);
      await page.reload();
      const second = await page.context().newPage();
      await second.goto(page.url());
      assertStringIncludes(await second.locator(".cm-content").textContent() ?? "", "newest");
      await second.close();
    }));

  await test.step("code has three sizes; the choice lasts", () =>
    kit.visit(async (page) => {
      const sizeOf = () => page.locator("html").getAttribute("data-code-size");
      assertEquals(await sizeOf(), "normal");
      await page.getByRole("button", { name: "Size of code: normal" }).click();
      assertEquals(await sizeOf(), "large");
      await page.reload();
      await page.getByRole("button", { name: "Size of code: large" }).waitFor();
    }));

  await test.step("the editor finds, and completes words", () =>
    kit.visit(async (page) => {
      await write(page, "letters = 1\nlett");
      await page.keyboard.press("Control+Space");
      await page.locator(".cm-tooltip-autocomplete li").first().click();
      assertStringIncludes(await page.locator(".cm-content").textContent() ?? "", "1letters");
      await page.keyboard.press("ControlOrMeta+f");
      await page.locator(".cm-search").waitFor();
    }));

  await test.step("a screen reader hears that a run began and how it ended", () =>
    kit.visit(async (page) => {
      await run(page, "6 * 7", "python");
      await ending(page);
      const said = await page.getByRole("status").textContent() ?? "";
      assertStringIncludes(said, "Run 1 began");
      assertStringIncludes(said, "Run 1: Finished");
    }));

  await test.step("figures and tables are shown as they come, between lines", () =>
    kit.visit(async (page) => {
      const code = "print('before')\nclass F:\n  def _repr_svg_(self):\n    " +
        'return \'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>\'\n' +
        "class T:\n  def _repr_html_(self): return '<b style=\"color:rgb(1,2,3)\">bold</b>'\n" +
        "display(F(), T())\nprint('after')";
      await run(page, code, "python");
      assertEquals(await ending(page), "ok");
      const kinds = await page.locator(".stream > *").evaluateAll((found) =>
        found.map((element) => element.className)
      );
      assertEquals(kinds, ["output", "display", "display", "output"]);
      const width = await page.locator(".picture").evaluate((image) => image.naturalWidth);
      assertEquals(width, 20);
      const bold = page.frameLocator(".frame iframe").frameLocator("iframe").locator("b");
      await bold.waitFor();
      assertEquals(await bold.evaluate(colourOf), "rgb(1, 2, 3)");
    }));
});

browserTest("page: a sandbox keeps contexts and files", async (test, kit) => {
  await test.step("contexts stand side by side, remember, and share files", () =>
    kit.visit(async (page) => {
      for (const name of ["Python", "JavaScript"]) {
        await page.getByRole("button", { name: `New context of ${name}` }).click();
        await page.locator(".pane").nth(name === "Python" ? 0 : 1).waitFor();
      }
      const [python, javascript] = [page.locator(".pane").nth(0), page.locator(".pane").nth(1)];
      await write(page, "x = 41\nopen('note.txt', 'w').write('shared')", 0);
      await page.keyboard.press("Control+Enter");
      await python.locator(".run[data-state=ok]").waitFor();
      await write(page, "x + 1", 0);
      await page.keyboard.press("Control+Enter");
      await python.locator(".run").nth(1).waitFor();
      await python.locator(".run[data-state=ok]").nth(1).waitFor();
      assertEquals(await python.locator(".result pre").first().textContent(), "42");
      assert((await python.locator(".cost dt").allTextContents()).includes("Snapshot"));
      await write(page, "require('fs').readFileSync('note.txt', 'utf8')", 1);
      await page.keyboard.press("Control+Enter");
      await javascript.locator(".run[data-state=ok]").waitFor();
      assertEquals(await javascript.locator(".result pre").first().textContent(), "'shared'");
      await page.getByRole("button", { name: "Open note.txt" }).waitFor();
      assertStringIncludes(await python.locator(".context-state").textContent() ?? "", "2 runs");
    }, { path: "/#sandbox=pair" }));

  await test.step("files are uploaded, downloaded and deleted", () =>
    kit.visit(async (page) => {
      const buffer = new TextEncoder().encode("1,2\n");
      await page.locator("input[type=file]").setInputFiles([
        { name: "numbers é.csv", mimeType: "text/csv", buffer: NodeBuffer.from(buffer) },
      ]);
      const name = page.getByRole("button", { name: "Open numbers é.csv" });
      await name.waitFor();
      await name.click();
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download", exact: true }).click();
      assertEquals((await download).suggestedFilename(), "numbers é.csv");
      assertEquals(await Deno.readTextFile(await (await download).path()), "1,2\n");
      await page.getByRole("button", { name: "Delete numbers é.csv" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await name.waitFor({ state: "detached" });
    }, { path: "/#sandbox=files", acceptDownloads: true }));

  await test.step("files are uploaded by drop", () =>
    kit.visit(async (page) => {
      await page.locator(".drop").waitFor();
      await page.evaluate(`
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["dropped"], "dropped.txt"));
        for (const type of ["dragenter", "dragover", "drop"]) {
          const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
          document.querySelector(".drop").dispatchEvent(event);
        }
      `);
      await page.getByRole("button", { name: "Open dropped.txt" }).waitFor();
    }, { path: "/#sandbox=drops" }));

  await test.step("variables are set and removed, and their values are not shown", () =>
    kit.visit(async (page) => {
      await page.getByLabel("Name of the variable").fill("SECRET");
      await page.getByLabel("Value of the variable").fill("hush");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Remove SECRET" }).waitFor();
      assert(!(await page.locator("body").textContent() ?? "").includes("hush"));
      await page.getByRole("button", { name: "Remove SECRET" }).click();
      await page.getByRole("button", { name: "Remove SECRET" }).waitFor({ state: "detached" });
    }, { path: "/#sandbox=variables" }));

  await test.step("a context is forked; a checkpoint is kept, restored and deleted; the sandbox is forked", () =>
    kit.visit(async (page) => {
      const [source, fork] = [page.locator(".pane").nth(0), page.locator(".pane").nth(1)];
      const result = async (pane: typeof source, code: string, editor: number, count: number) => {
        await write(page, code, editor);
        await page.keyboard.press("Control+Enter");
        await pane.locator(".run[data-state=ok]").nth(count).waitFor();
        return await pane.locator(".result pre").first().textContent();
      };
      const inDialog = (verb: string) =>
        page.getByRole("dialog").getByRole("button", { name: verb });
      await page.getByRole("button", { name: "New context of JavaScript" }).click();
      await source.waitFor();
      assertEquals(await result(source, "globalThis.x = 1", 0, 0), "1");
      await page.getByRole("button", { name: "Fork this context" }).click();
      await fork.waitFor();
      assertEquals(await result(fork, "x += 10", 1, 0), "11");
      assertEquals(await result(source, "x += 1", 0, 1), "2");

      await page.getByLabel("Name of the checkpoint").fill("two <ways>");
      await page.getByRole("button", { name: "Keep", exact: true }).click();
      const kept = page.getByRole("button", { name: "Restore two <ways>" });
      await kept.waitFor();
      assertEquals(await result(source, "x = 500", 0, 2), "500");
      await fork.getByRole("button", { name: "Delete this context" }).click();
      await inDialog("Delete").click();
      await fork.waitFor({ state: "detached" });
      await kept.click();
      await inDialog("Cancel").click();
      await kept.click();
      await inDialog("Restore").click();
      await fork.waitFor();
      await page.locator("[aria-label='Restore two <ways>']:focus").waitFor();
      assertEquals(await result(source, "x", 0, 3), "2");
      assertEquals(await result(fork, "x", 1, 0), "11");

      await page.getByRole("button", { name: "Delete the checkpoint two <ways>" }).click();
      await inDialog("Delete").click();
      await kept.waitFor({ state: "detached" });
      await page.locator("[aria-label='Name of the checkpoint']:focus").waitFor();
      await page.getByLabel("Name of the forked sandbox").fill("branches-2");
      await page.getByRole("button", { name: "Fork", exact: true }).click();
      await page.waitForURL(/#sandbox=branches-2$/);
      await page.locator(".pane").nth(1).waitFor();
      assertEquals(await result(page.locator(".pane").nth(1), "x", 1, 0), "11");
    }, { path: "/#sandbox=branches" }));

  await test.step("a restore during a run closes the pane of a later context, and blames nobody", () =>
    kit.visit(async (page) => {
      await page.getByRole("button", { name: "Keep", exact: true }).click();
      await page.getByRole("button", { name: /^Restore/ }).waitFor();
      await page.getByRole("button", { name: "New context of JavaScript" }).click();
      await page.locator(".pane").waitFor();
      await write(page, "for (;;);");
      await page.keyboard.press("Control+Enter");
      await page.getByRole("button", { name: "Stop" }).waitFor();
      await page.getByRole("button", { name: /^Restore/ }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
      await page.locator(".pane").waitFor({ state: "detached" });
      assertEquals(await page.getByText("deleted elsewhere").count(), 0);
    }, { path: "/#sandbox=restored-in-a-run", refusals: true }));

  await test.step("a sandbox is found again in the list, and deleted", () =>
    kit.visit(async (page) => {
      await page.getByRole("link", { name: "files", exact: true }).click();
      await page.getByRole("button", { name: "Delete sandbox" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByRole("heading", { name: "Your sandboxes" }).waitFor();
      await page.getByRole("link", { name: "pair", exact: true }).waitFor();
      assertEquals(await page.getByRole("link", { name: "files", exact: true }).count(), 0);
    }, { path: "/#sandboxes" }));
});
