// test: long
/** Notebooks on the page: a file becomes a context, and a context a file. Checkpoints in line. */
import { Buffer } from "node:buffer";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import { languageOf, notebookCells } from "../../page/notebook_file.ts";
import { browserTest, ending, write } from "./browser.ts";
import { TEXT_ATTACKS } from "./guest_markup.ts";

const ALL = ["javascript", "python", "perl", "ruby"] as const;
const SETTLE_MS = 700;

function notebook(language: unknown, cells: readonly object[]): string {
  const metadata = { language_info: { name: language } };
  return JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata, cells });
}

function code(source: string | readonly string[], outputs: readonly object[] = []): object {
  return { cell_type: "code", metadata: {}, execution_count: null, outputs, source };
}

async function load(page: Page, name: string, text: string): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "+ Notebook" }).click();
  await (await choosing).setFiles({
    name,
    mimeType: "application/json",
    buffer: Buffer.from(text),
  });
}

Deno.test("page notebook: the language is that of the metadata, by any of its names", () => {
  const languages = {
    python: [{ language_info: { name: "python" } }, { kernelspec: { name: "python3" } }],
    javascript: [{ kernelspec: { language: "TypeScript" } }, { kernelspec: { name: "deno" } }],
    ruby: [{ language_info: { name: "ir" }, kernelspec: { language: "ruby" } }],
  };
  for (const [language, all] of Object.entries(languages)) {
    for (const metadata of all) assertEquals(languageOf({ metadata }, ALL), language);
  }
  const others = [
    { language_info: { name: "R" } },
    { kernelspec: { name: 1 } },
    [],
    null,
    "python",
  ];
  for (const metadata of others) assertEquals(languageOf({ metadata }, ALL), undefined);
  for (const value of [undefined, null, 1, "{}", []]) {
    assertEquals([languageOf(value, ALL), notebookCells(value)], [undefined, []]);
  }
  assertEquals(languageOf({ metadata: { kernelspec: { name: "bash" } } }, ALL), undefined);
});

Deno.test("page notebook: cells have their sources, whatever else a file has", () => {
  const cells = [
    code(["a\n", "b"]),
    { cell_type: "markdown", source: "# c" },
    { cell_type: "raw", source: "no" },
    code([1, "d"] as never),
    { cell_type: "code", source: { x: 1 } },
    null,
    "text",
  ];
  assertEquals(notebookCells({ cells }), [
    { kind: "code", source: "a\nb" },
    { kind: "markdown", source: "# c" },
    { kind: "code", source: "d" },
    { kind: "code", source: "" },
  ]);
  assertEquals(notebookCells({ cells: {} }), []);
});

browserTest("page: notebooks and checkpoints of a sandbox", async (test, { visit }) => {
  await test.step("a notebook becomes a context, runs, and is saved with its outputs", () =>
    visit(async (page) => {
      await page.getByRole("button", { name: "+ Notebook" }).waitFor();
      const cells = [
        { cell_type: "markdown", metadata: {}, source: ["# Sums\n", TEXT_ATTACKS.join("\n\n")] },
        code(["n = 40\n", "n + 2"]),
        code("print('second', n)"),
      ];
      await load(page, "sums.ipynb", notebook("python", cells));
      await page.locator(".pane").waitFor();
      await page.waitForTimeout(SETTLE_MS);
      assertEquals(await page.locator(".run").count(), 0);
      await page.getByText("Notebook", { exact: true }).click();
      await page.locator(".cells").getByRole("heading", { name: "Sums" }).waitFor();
      assertEquals(await page.locator(".cells :is(img, script, svg, iframe)").count(), 0);
      assertEquals(await page.locator(".cell").count(), 2);
      for (const [cell, output] of [[1, "42"], [2, "second 40"]] as const) {
        await page.getByRole("button", { name: `Use cell ${cell}` }).click();
        await page.keyboard.press("Control+Home");
        await page.getByRole("button", { name: "Run", exact: true }).click();
        await page.locator(".run").nth(cell - 1).waitFor({ state: "attached" });
        assertEquals(await ending(page), "ok");
        assertStringIncludes(await page.locator(".run").first().textContent() ?? "", output);
      }
      const saving = page.waitForEvent("download");
      await page.getByRole("button", { name: "Save as .ipynb" }).click();
      const saved = await saving;
      assertEquals(saved.suggestedFilename(), "notebook.ipynb");
      const text = await Deno.readTextFile(await saved.path());
      assertStringIncludes(text, "second 40");
      assertEquals(notebookCells(JSON.parse(text)).map(({ kind }) => kind), [
        "markdown",
        "code",
        "code",
      ]);
      // the saved file is a notebook again
      await load(page, "again.ipynb", text);
      await page.locator(".pane").nth(1).waitFor();
    }, { path: "/#sandbox=notebook" }));

  await test.step("a file that is no notebook is told, and makes no context", () =>
    visit(async (page) => {
      await page.getByRole("button", { name: "+ Notebook" }).waitFor();
      const wrong = { "text.ipynb": "no JSON", "r.ipynb": notebook("R", []), "list.json": "[]" };
      for (const [name, text] of Object.entries(wrong)) {
        await load(page, name, text);
        await page.locator(".notice", { hasText: `${name} is no notebook of a language` })
          .waitFor();
      }
      await load(page, "cells.ipynb", notebook("python", [{ cell_type: 7 }]));
      await page.locator(".notice", { hasText: "cells" }).last().waitFor();
      assertEquals(await page.locator(".pane").count(), 0);
    }, { path: "/#sandbox=no-notebook", refusals: true }));

  await test.step("checkpoints are in line, from the oldest to now", () =>
    visit(async (page) => {
      await page.getByRole("button", { name: "New context of Python" }).click();
      await page.locator(".pane").waitFor();
      assertEquals(await page.locator(".timeline li").count(), 0);
      for (const name of ["first", "second"]) {
        await page.getByLabel("Name of the checkpoint").fill(name);
        await page.getByRole("button", { name: "Keep", exact: true }).click();
        await page.getByRole("button", { name: `Restore ${name}` }).waitFor();
      }
      const names = await page.locator(".timeline .file-name").allTextContents();
      assertEquals(names, ["first", "second", "Now"]);
      await write(page, "x = 1");
      assert(await page.locator(".timeline time").count() === 2);
    }, { path: "/#sandbox=line" }));
});
