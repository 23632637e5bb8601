// test: slow
/** Programs call the operator's tools through the client, whose caller decides about approvals. */
import { assertEquals } from "@std/assert";
import { connect, getSandbox, type PendingCall, runCode } from "../../client/mod.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/wait.ts";
import { serveTools } from "../tools/fixture.ts";

const CODE = `const found = await tools.crm.find({ id: 7 });
let paid;
try { paid = await tools.crm.pay({ sum: 5 }) } catch (error) { paid = [error.name, error.message] }
[found, paid, await tools.own({})]`;

Deno.test("client, the operator's tools", async (test) => {
  await using server = serveTools(({ target }) => Response.json(target));
  const folder = await Deno.makeTempDir();
  const path = `${folder}/tools.jsonc`;
  await Deno.writeTextFile(
    path,
    JSON.stringify({
      operations: {
        "crm.find": { method: "GET", url: `${server.url}/customers/{id}` },
        "crm.pay": { method: "POST", url: `${server.url}/pay`, approval: "always" },
      },
      tenants: { "*": ["crm.*"] },
      privateAddresses: [server.address],
    }).replaceAll('"crm.find":{', '"crm.find":{"inputSchema":{"properties":{"id":{}}},'),
  );
  await using service = await startService({ LANGUAGES: "javascript", TOOLS: path });
  const env = connect(service.url);
  const options = { operatorTools: ["crm.*"], tools: { own: () => "mine" } };

  await test.step("tools() lists them", async () => {
    assertEquals(await env.tools(), [
      {
        name: "crm.find",
        inputSchema: { properties: { id: {} } },
        approval: "never",
        idempotent: true,
      },
      {
        name: "crm.pay",
        inputSchema: { type: "object", properties: {} },
        approval: "always",
        idempotent: false,
      },
    ]);
  });

  const decisions = [
    [true, "/pay"],
    [false, ["ToolDenied", "The call was not approved"]],
    ["too much", ["ToolDenied", "too much"]],
  ] as const;
  for (const [decision, paid] of decisions) {
    await test.step(`onApproval gives ${decision}`, async () => {
      for (const onStdout of [undefined, () => undefined]) {
        const asked: PendingCall[] = [];
        const { results, error } = await runCode(env.JAVASCRIPT, CODE, {
          ...options,
          onStdout,
          onApproval: (call) => {
            asked.push(call);
            return decision;
          },
        });
        assertEquals(error, undefined);
        assertEquals(results[0]?.json, ["/customers/7", paid, "mine"]);
        assertEquals(asked.map(({ name, arguments: input }) => [name, input]), [
          ["crm.pay", { sum: 5 }],
        ]);
      }
    });
  }

  await test.step("without onApproval somebody else decides", async () => {
    await using sandbox = getSandbox(env.Sandbox, "approved", { ephemeral: true });
    const context = await sandbox.interpreter.createCodeContext({ binding: "JAVASCRIPT" });
    const running = sandbox.interpreter.runCode(CODE, { context, ...options });
    const waiting = async () => {
      const [run] = await sandbox.runs.list();
      const state = run && await sandbox.runs.get(run.id);
      return state?.waiting?.calls.find(({ approval }) => approval === "always");
    };
    await until(async () => await waiting() !== undefined);
    const call = await waiting();
    const key = call?.key ?? "";
    await sandbox.runs.answer(key.split("/")[0] ?? "", [{ key, approve: true }]);
    assertEquals((await running).results[0]?.json, ["/customers/7", "/pay", "mine"]);
  });
  await Deno.remove(folder, { recursive: true });
});
