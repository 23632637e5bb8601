/** The operator's tools for clients of MCP: in `run_code`, and by `find_tools`. */
import { assert, assertEquals } from "@std/assert";
import type { OperatorTools } from "../../shared/operator_tools.ts";
import { RunCaller } from "../runs/gateway_fixture.ts";

const TOOLS: OperatorTools = {
  of: () =>
    Array.from({ length: 300 }, (_, n) => ({
      name: `crm.tool_${n}`,
      description: n === 299
        ? "Pays a debt of a customer."
        : `Number ${n} of many. ${"x".repeat(80)}`,
      inputSchema: { type: "object", properties: { id: { type: "integer" } } },
      settings: { approval: "never", idempotent: true, timeoutMs: 1_000, revision: "1" },
    })),
  call: ({ name }) => Promise.resolve({ value: JSON.stringify(`${name} done`) }),
};

async function callMcp(box: RunCaller, method: string, params: object) {
  const body = { jsonrpc: "2.0", id: 1, method, params };
  const answer = await box.send("POST", "/mcp", body, {
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-06-18",
    },
  });
  const text = await answer.text();
  const data = /^data: (.*)$/m.exec(
    text.split("\n").findLast((line) => line.startsWith("data: ")) ?? "",
  );
  return JSON.parse(data?.[1] ?? "{}").result;
}

Deno.test("mcp: run_code has the operator's tools, within its description, and find_tools finds the others", async () => {
  const box = new RunCaller({}, { tools: TOOLS, mcp: true });
  const { tools } = await callMcp(box, "tools/list", {});
  const named = (name: string) =>
    tools.find((tool: { readonly name: string }) => tool.name === name);
  const { description } = named("run_code");
  assert(description.includes("crm.tool_0") && description.includes("more tools are not shown"));
  assert(description.length < 8 * 1024);
  const found = await callMcp(box, "tools/call", {
    name: "find_tools",
    arguments: { query: "pay debts, debt", limit: 5 },
  });
  assertEquals(found.structuredContent.tools, ["crm.tool_299"]);
  assert(found.content[0].text.includes("crm.tool_299(id?: "));
  const run = await callMcp(box, "tools/call", {
    name: "run_code",
    arguments: { language: "python", code: "call crm.tool_7 {}" },
  });
  assert(JSON.stringify(run).includes("crm.tool_7 done"), JSON.stringify(run));
});

Deno.test("mcp: without tools of the operator there is no find_tools", async () => {
  const { tools } = await callMcp(new RunCaller({}, { mcp: true }), "tools/list", {});
  assert(!tools.some((tool: { readonly name: string }) => tool.name === "find_tools"));
});
