// test: long
/** Requests by hand: each operation of the interface can be tried on the page. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import { browserTest } from "./browser.ts";

const RUN = "/#operation=executeInSandbox";

/** Chooses an operation by its id. */
async function choose(page: Page, id: string): Promise<void> {
  await page.getByLabel("Operation").selectOption(id);
  await page.waitForURL(`**/#operation=${id}`);
}

async function put(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(fields)) {
    await page.getByLabel(name, { exact: true }).fill(text);
  }
}

/** Sends the request. Returns how it ended, and the body of the answer. */
async function send(page: Page): Promise<{ readonly status: string; readonly body: string }> {
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator(".answer:not([data-state=running])").waitFor();
  return {
    status: await page.locator(".answer .status").textContent() ?? "",
    body: await page.locator(".answer .output").textContent() ?? "",
  };
}

browserTest("page: operations can be tried", async (test, { service, visit }) => {
  await test.step("the docs link each operation to its form, which sends nothing by itself", () =>
    visit(async (page) => {
      const sent: string[] = [];
      page.on("request", (request) => sent.push(new URL(request.url()).pathname));
      const links = await page.locator("a.trial").evaluateAll((all) =>
        all.map((link) => link.getAttribute("href") ?? "")
      );
      const document = await (await fetch(`${service.url}/openapi.json`)).json();
      const methods = Object.values(document.paths).flatMap((path) => Object.values(path ?? {}));
      const ids = methods.map(({ operationId }) => operationId);
      assertEquals(links.toSorted(), ids.map((id) => `./#operation=${id}`).sort());
      for (const id of ids) {
        await page.goto(`${service.url}/#operation=${id}`);
        await page.locator(".answer").waitFor();
        assertEquals(await page.getByLabel("Operation").inputValue(), id);
      }
      const called = new Set(sent.filter((path) => !/^\/(page\/.*)?$/.test(path)));
      assertEquals([...called].sort(), ["/languages", "/openapi.json"]);
    }, { path: "/docs" }));

  await test.step("a sandbox lives by them: runs, contexts, files and deletion", () =>
    visit(async (page) => {
      await page.getByRole("combobox", { name: "language", exact: true }).selectOption("python");
      await put(page, { id: "by-hand", "Body (application/json)": '{"code": "n = 41\\nn"}' });
      const run = await send(page);
      assert(run.status.startsWith("200 OK · "), run.status);
      assertEquals(JSON.parse(run.body).results, [{ text: "41" }]);

      await choose(page, "listContexts");
      const [context] = JSON.parse((await send(page)).body).contexts;
      await choose(page, "forkContext");
      await put(page, { contextId: context.id, "Body (application/json)": "{}" });
      const fork = JSON.parse((await send(page)).body);
      assertEquals([fork.language, fork.id === context.id], ["python", false]);

      await choose(page, "uploadFile");
      await put(page, { path: "a folder/ü.txt", Body: "some text" });
      assert((await send(page)).status.startsWith("201"));
      await choose(page, "downloadFile");
      assertEquals((await send(page)).body, "some text");
      await page.getByText("Headers of the request").click();
      await put(page, { "Range (optional)": "bytes=5-" });
      const part = await send(page);
      assertEquals([part.status.slice(0, 3), part.body], ["206", "text"]);
      await choose(page, "deleteFile");
      assert((await send(page)).status.startsWith("204"));

      await choose(page, "deleteSandbox");
      assert((await send(page)).status.startsWith("200"));
      await choose(page, "listSandboxes");
      assertEquals(JSON.parse((await send(page)).body).sandboxes, []);
    }, { path: RUN }));

  await test.step("an answer is shown as it comes, and can be stopped", () =>
    visit(async (page) => {
      const body = page.getByLabel("Body (application/json)");
      await page.getByRole("combobox", { name: "language", exact: true }).selectOption("python");
      await page.getByLabel("Answer as").selectOption("application/x-ndjson");
      await body.fill('{"code": "print(1)\\nwhile True: pass"}');
      await body.press("ControlOrMeta+Enter");
      await page.locator(".answer .output", { hasText: '"1"' }).waitFor();
      assertEquals(await page.locator(".answer").getAttribute("data-state"), "running");
      await page.getByRole("button", { name: "Stop" }).click();
      await page.locator(".answer[data-state=stopped]").waitFor();
    }, { path: "/#operation=executeLanguage" }));

  await test.step("refusals of the service and headers that a browser cannot send are reported", () =>
    visit(async (page) => {
      await put(page, { id: "-no-", "Body (application/json)": "{" });
      const name = await send(page);
      assertEquals(name.status.slice(0, 3), "400");
      assertStringIncludes(name.body, "Invalid sandbox id");
      await put(page, { id: "right" });
      assertEquals((await send(page)).status.slice(0, 3), "400");
      await put(page, { id: ".." });
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("a browser cannot send").waitFor();
      await page.goto(page.url().replace("executeInSandbox", "toString"));
      await page.getByText("does not have that operation").first().waitFor();
    }, { path: RUN, refusals: true }));

  await test.step("JSON is shown exactly, and any file as the text that it is", () =>
    visit(async (page) => {
      const texts = [
        ["[12345678901234567890]", "[12345678901234567890]"],
        ['{"cut": ', '{"cut": '],
        ['{"a":[1,2]}', '{ "a": [1, 2] }'],
      ] as const;
      for (const [text, shown] of texts) {
        await choose(page, "uploadFile");
        await put(page, { id: "exact", path: "data.json", Body: text });
        assertEquals((await send(page)).status.slice(0, 2), "20");
        await choose(page, "downloadFile");
        assertEquals((await send(page)).body, shown);
      }
    }, { path: "/#operation=uploadFile" }));

  await test.step("without a connection there is no answer, and then there is one again", () =>
    visit(async (page) => {
      await put(page, { "Body (application/json)": '{"code": "1"}' });
      await page.context().setOffline(true);
      assertEquals((await send(page)).status, "No answer");
      await page.context().setOffline(false);
      assertEquals((await send(page)).status.slice(0, 3), "200");
    }, { path: "/#operation=execute", refusals: true }));

  await test.step("a large answer is shown from its beginning", () =>
    visit(async (page) => {
      await put(page, { "Body (application/json)": `{"code": "'z'.repeat(200000)"}` });
      const { status, body } = await send(page);
      assertEquals([status.slice(0, 3), body.length], ["200", 100_000]);
      await page.getByText("The first 100,000 characters are shown.").waitFor();
    }, { path: "/#operation=execute" }));

  await test.step("a reload keeps what was typed", () =>
    visit(async (page) => {
      await put(page, { id: "kept", "Body (application/json)": '{"code": "7"}' });
      await page.reload();
      assertEquals(await page.getByLabel("id", { exact: true }).inputValue(), "kept");
      assertEquals(
        await page.getByLabel("Body (application/json)").inputValue(),
        '{"code": "7"}',
      );
      await page.getByLabel("Example").selectOption({ label: "Standard input" });
      assertStringIncludes(
        await page.getByLabel("Body (application/json)").inputValue(),
        "stdin",
      );
    }, { path: RUN }));
});

browserTest("page: operations are tried with the token of the tab", async (_test, { visit }) => {
  await visit(async (page) => {
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Token").fill("right-token");
    await dialog.getByRole("button", { name: "Use token" }).click();
    await put(page, { id: "mine", "Body (application/json)": '{"code": "6 * 7"}' });
    assertEquals(JSON.parse((await send(page)).body).results, [{ text: "42" }]);
    assertEquals(await page.getByText("Description of all operations").count(), 0);
  }, { path: RUN });
}, { TOKENS: "ada:right-token" });
