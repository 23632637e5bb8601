// test: long
/** Files of a sandbox on the page: tabs, editing, previews, runs, folders and archives. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { unzipSync } from "fflate";
import type { Page } from "playwright-core";
import { browserTest, run, write } from "./browser.ts";

async function create(page: Page, path: string): Promise<void> {
  await page.getByRole("button", { name: "New file" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Path").fill(path);
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("tab", { name: path }).waitFor();
}

async function save(page: Page): Promise<void> {
  await page.keyboard.press("ControlOrMeta+s");
  await page.locator(".open-files [role=tabpanel]:not([hidden]) button:has-text('Save'):disabled")
    .waitFor();
}

browserTest("page: files of a sandbox are opened, edited, run and packed", async (test, kit) => {
  const files = `${kit.service.url}/languages/python/sandboxes`;
  const put = async (path: string, body: BodyInit) =>
    await (await fetch(`${files}/${path}`, { method: "PUT", body })).body?.cancel();
  const get = async (path: string) => await (await fetch(`${files}/${path}`)).text();

  await test.step("a file is created, edited, saved, run, renamed and deleted", () =>
    kit.visit(async (page) => {
      await create(page, "lib/sums.py");
      await write(page, "total = 40 + 2\nprint('from a file')\ntotal");
      assertEquals(await page.getByRole("tab", { name: "lib/sums.py, not saved" }).count(), 1);
      await save(page);
      assertEquals(
        await get("edit/files/lib/sums.py"),
        "total = 40 + 2\nprint('from a file')\ntotal",
      );
      await page.getByRole("button", { name: "Run file" }).click();
      await page.locator(".run[data-state=ok]").waitFor({ timeout: 60_000 });
      assertEquals(await page.locator(".result pre").textContent(), "42");
      assertEquals(await page.locator(".run .line").textContent(), "from a file");
      await page.getByRole("button", { name: "Rename lib/sums.py" }).click();
      await page.getByRole("dialog").getByLabel("Path").fill("lib/totals.py");
      await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
      await page.getByRole("tab", { name: "lib/totals.py" }).waitFor();
      assertEquals(await page.getByRole("tab", { name: "lib/sums.py" }).count(), 0);
      await page.getByRole("button", { name: "Delete lib/totals.py" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByRole("button", { name: "Open lib/totals.py" }).waitFor({ state: "detached" });
      assertEquals(await page.getByRole("tab").count(), 0);
    }, { path: "/#sandbox=edit" }));

  await test.step("what somebody else has stored is not replaced without a question", async () => {
    await put("both/files/a.txt", "first");
    await kit.visit(async (page) => {
      await page.getByRole("button", { name: "Open a.txt" }).click();
      await page.locator(".open-file .cm-content").waitFor();
      await write(page, "mine");
      await put("both/files/a.txt", "theirs");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Cancel" }).click();
      assertEquals(await get("both/files/a.txt"), "theirs");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await dialog.getByRole("button", { name: "Replace" }).click();
      await page.getByRole("tab", { name: "a.txt", exact: true }).waitFor();
      assertEquals(await get("both/files/a.txt"), "mine");
      // a file that is not changed here follows the others
      await put("both/files/a.txt", "newer");
      await page.getByRole("button", { name: "Read the files again" }).click();
      await page.locator(".open-file .cm-content", { hasText: "newer" }).waitFor();
    }, { path: "/#sandbox=both", refusals: true });
  });

  await test.step("tables, JSON, pictures and other bytes have a preview", async () => {
    await put("looks/files/t.csv", 'name,"the, note"\nAda,"a ""b""\nc"\n');
    await put("looks/files/r.json", '[{"a":1,"b":"x"},{"a":2}]');
    await put("looks/files/deep.json", '{"list":[1,[2]],"text":"<b>"}');
    const pixel =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";
    await put("looks/files/p.png", Uint8Array.fromBase64(pixel));
    await put(
      "looks/files/s.svg",
      '<svg xmlns="http://www.w3.org/2000/svg"><script>self.owned=1</script></svg>',
    );
    await put("looks/files/x.bin", Uint8Array.of(0, 255, 1));
    await kit.visit(async (page) => {
      const open = async (name: string) => {
        await page.getByRole("button", { name: `Open ${name}` }).click();
        return page.locator("[role=tabpanel]:not([hidden])");
      };
      const table = (await open("t.csv")).locator("table");
      await table.waitFor();
      assertEquals(await table.locator("th").allTextContents(), ["name", "the, note"]);
      assertEquals(await table.locator("td").allTextContents(), ["Ada", 'a "b"\nc']);
      const records = (await open("r.json")).locator("table");
      await records.waitFor();
      assertEquals(await records.locator("td").allTextContents(), ["1", "x", "2", ""]);
      const tree = (await open("deep.json")).locator(".tree");
      await tree.waitFor();
      await tree.getByText("list: ").click();
      assertStringIncludes(await tree.textContent() ?? "", "0: 1");
      assertStringIncludes(await tree.textContent() ?? "", 'text: "<b>"');
      const picture = (await open("p.png")).getByRole("img");
      await picture.waitFor();
      assertEquals(await picture.getAttribute("src"), `data:image/png;base64,${pixel}`);
      const drawing = await open("s.svg");
      await drawing.getByRole("img").waitFor();
      await drawing.locator(".cm-content").waitFor();
      assertEquals(await page.evaluate("self.owned"), undefined);
      await (await open("x.bin")).getByText("no text that can be edited").waitFor();
      assertEquals(await page.getByRole("tab").count(), 6);
      await page.getByRole("tab", { name: "x.bin" }).press("Home");
      assertEquals(
        await page.getByRole("tab", { name: "t.csv" }).getAttribute("aria-selected"),
        "true",
      );
      await page.keyboard.press("ArrowLeft");
      await page.getByRole("button", { name: "Close x.bin" }).click();
      assertEquals(await page.getByRole("tab").count(), 5);
    }, { path: "/#sandbox=looks" });
  });

  await test.step("all files are one archive", async () => {
    await put("packs/files/a/é.txt", "one");
    await put("packs/files/b", "two");
    await kit.visit(async (page) => {
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download all" }).click();
      assertEquals((await download).suggestedFilename(), "packs.zip");
      const packed = unzipSync(await Deno.readFile(await (await download).path()));
      const texts = Object.entries(packed).map((
        [path, bytes],
      ) => [path, new TextDecoder().decode(bytes)]);
      assertEquals(texts.sort(), [["a/é.txt", "one"], ["b", "two"]]);
    }, { path: "/#sandbox=packs", acceptDownloads: true });
  });

  await test.step("results that hold more have a table and a tree", () =>
    kit.visit(async (page) => {
      await run(page, "[{'name': 'Ada', 'age': 36}, {'name': 'Bob'}]", "python");
      await page.locator(".run[data-state=ok]").waitFor({ timeout: 60_000 });
      assertEquals(
        await page.locator(".result pre").textContent(),
        "[{'name': 'Ada', 'age': 36}, {'name': 'Bob'}]",
      );
      await page.getByRole("button", { name: "Table", exact: true }).click();
      assertEquals(await page.locator(".result td").allTextContents(), ["Ada", "36", "Bob", ""]);
      await page.getByRole("button", { name: "Tree", exact: true }).click();
      await page.locator(".result summary").nth(1).click();
      assertStringIncludes(await page.locator(".result .tree").textContent() ?? "", 'name: "Ada"');
      assert(await page.locator(".result pre").count() === 0);
    }));
});
