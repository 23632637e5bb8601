/** docs/mcp.md states the tools that the service has. */
import { assertEquals } from "@std/assert";
import { z } from "zod";
import { testGateway } from "../../gateway/test_gateway.ts";

const PAGE = Deno.readTextFileSync(new URL("../../../docs/mcp.md", import.meta.url));
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"]
  .concat("nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen");

const listSchema = z.object({
  result: z.object({
    tools: z.array(z.object({
      name: z.string(),
      inputSchema: z.object({
        properties: z.record(z.string(), z.unknown()),
        required: z.array(z.string()).default([]),
      }),
      annotations: z.looseObject({
        readOnlyHint: z.boolean(),
        destructiveHint: z.boolean().optional(),
        idempotentHint: z.boolean().optional(),
      }),
    })),
  }),
});

async function listedTools() {
  const answer = await testGateway({ mcp: true })(
    new Request("http://localhost:8000/mcp", {
      method: "POST",
      headers: {
        host: "localhost:8000",
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    }),
  );
  const data = /^data: (.*)$/m.exec(await answer.text())?.[1] ?? "";
  return listSchema.parse(JSON.parse(data)).result.tools;
}

Deno.test("mcp docs: the table names every tool, with its input and its hints", async () => {
  const rows = [...PAGE.matchAll(/^\| `(\w+)` +\| (.*?) +\| (.*?) *\|$/gm)]
    .map(([, name, input = "", hints = ""]) => ({
      name,
      input: [...input.matchAll(/`(\w+\??)`/g)].map(([, field]) => field).sort(),
      hints: hints.split(", ").filter((hint) => hint !== "").sort(),
    }));
  const tools = (await listedTools()).map(({ name, inputSchema, annotations }) => ({
    name,
    input: Object.keys(inputSchema.properties)
      .map((field) =>
        // one of `text` and `base64` is needed
        inputSchema.required.includes(field) || name === "write_file" ? field : `${field}?`
      ).sort(),
    hints: [
      ...(annotations.destructiveHint === true ? ["destructive"] : []),
      ...(annotations.idempotentHint === true ? ["idempotent"] : []),
      ...(annotations.readOnlyHint ? ["read-only"] : []),
    ],
  }));
  assertEquals(rows, tools);
});

Deno.test("mcp docs: the number of tools is right", async () => {
  const [, number = ""] = /An\s+agent\s+gets\s+(\w+)\s+tools/.exec(PAGE) ?? [];
  assertEquals(number, NUMBERS[(await listedTools()).length]);
});
