// test: long
/** The operator's tools on the page: their list, calls, approvals, denials, and the journal. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import { browserTest, ending, run } from "./browser.ts";

const env: Record<string, string> = { LANGUAGES: "python" };
let folder = "";
let server: Deno.HttpServer<Deno.NetAddr> | undefined;
const paid: string[] = [];

Deno.test.beforeAll(async () => {
  folder = await Deno.makeTempDir();
  server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => undefined },
    async (request) => {
      const { pathname } = new URL(request.url);
      if (request.method === "POST") paid.push(await request.text());
      return Response.json({ path: pathname });
    },
  );
  const { port } = server.addr;
  env["TOOLS"] = `${folder}/tools.jsonc`;
  const inputSchema = { type: "object", properties: { id: { type: "integer" } } };
  await Deno.writeTextFile(
    env["TOOLS"],
    JSON.stringify({
      operations: {
        "crm.find": {
          description: "<b>Finds</b> a customer.",
          method: "GET",
          url: `http://127.0.0.1:${port}/customers/{id}`,
          inputSchema: { ...inputSchema, required: ["id"] },
        },
        "crm.pay": {
          method: "POST",
          url: `http://127.0.0.1:${port}/pay`,
          inputSchema,
          approval: "always",
        },
      },
      tenants: { "*": ["crm.*"] },
      privateAddresses: [`127.0.0.1:${port}`],
    }),
  );
});
Deno.test.afterAll(async () => {
  await server?.shutdown();
  await Deno.remove(folder, { recursive: true });
});

const PROGRAM = `found = tools.crm.find(id=7)
try:
    print(tools.crm.pay(id=1)['path'])
except ToolDenied as e:
    print('denied:', e)
found['path']`;

async function chooseTools(page: Page): Promise<void> {
  await page.getByText("Tools of the operator", { exact: false }).last().click();
  for (const name of ["crm.find", "crm.pay"]) {
    await page.getByRole("button", { name: `Use ${name}` }).click();
  }
  assertEquals(
    await page.getByRole("textbox", { name: "Tools of the operator" }).inputValue(),
    "crm.find\ncrm.pay",
  );
}

browserTest("page: tools of the operator", async (test, kit) => {
  await test.step("tools are listed, and a call is approved", () =>
    kit.visit(async (page) => {
      await chooseTools(page);
      const list = await page.locator(".tool-list").textContent() ?? "";
      assertStringIncludes(list, "crm.find(id)");
      assertStringIncludes(list, "<b>Finds</b> a customer.");
      assertStringIncludes(list, "needs an approval");
      await run(page, PROGRAM, "python");
      const reason = page.getByLabel("Reason to deny crm.pay (call of Run 1)");
      await reason.waitFor({ timeout: 60_000 });
      assertEquals(await reason.evaluate((field) => field.matches(":focus")), true);
      assertEquals(paid, []);
      await page.getByRole("button", { name: "Approve crm.pay (call of Run 1)" }).click();
      assertEquals(await ending(page), "ok");
      assertEquals(await page.locator(".run .line").allTextContents(), ["/pay"]);
      assertEquals(paid, ['{"id":1}']);
      assertStringIncludes(await page.locator(".question").textContent() ?? "", "approved");
    }));

  await test.step("a call is denied with a reason", () =>
    kit.visit(async (page) => {
      await chooseTools(page);
      await run(page, PROGRAM, "python");
      await page.getByLabel("Reason to deny crm.pay (call of Run 1)").fill("too much");
      await page.keyboard.press("Enter");
      assertEquals(await ending(page), "ok");
      assertStringIncludes(await page.locator(".run .line").textContent() ?? "", "too much");
      assertEquals(paid.length, 1);
    }));

  await test.step("a run of somebody else is approved in the list of runs, and its journal is shown", async () => {
    const path = `${kit.service.url}/languages/python/sandboxes/shop/execute`;
    const answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code: PROGRAM, tools: ["crm.*"] }),
    });
    const { waiting } = await answer.json();
    assertEquals(waiting.calls[0].approval, "always");
    await kit.visit(async (page) => {
      await page.getByRole("region", { name: "Runs that wait" }).getByRole("link").click();
      await page.getByRole("button", { name: "Approve crm.pay (call of Run)" }).click();
      await page.locator(".run[data-state=ok]").waitFor();
      const rows = page.locator(".journal tbody tr");
      await page.locator(".journal td", { hasText: "approved by a reader of the page" }).waitFor();
      assertEquals(await rows.count(), 2);
      assertEquals(await rows.first().locator("td").nth(4).textContent(), "value");
      assertEquals(paid.length, 2);
    }, { path: "/#sandboxes" });
  });
}, env);
