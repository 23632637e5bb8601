/** Large integers in answers to programs in JavaScript. */
import { assertEquals } from "@std/assert";
import { callJson } from "../support/program.ts";
import { sharedService } from "../support/shared_service.ts";

const service = sharedService({ LANGUAGES: "javascript" });
const LARGE = "9007199254740993";
const SCHEMA = {
  type: "object",
  properties: { id: { type: "integer" }, ids: { type: "array", items: { type: "integer" } } },
  additionalProperties: { type: "number" },
};
const CODE = `const { id, ids, rate } = await tools.find({});
[typeof id, String(id), ids.map((each) => typeof each), typeof rate, id + 1n === ${LARGE}n + 1n]`;

/** Sends JSON as it is written. */
async function send(path: string, json: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${service().url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: json,
  });
  assertEquals(answer.status, 200);
  return await answer.json();
}

for (const path of ["/execute/javascript", "/languages/javascript/sandboxes/large/execute"]) {
  Deno.test(`large integers: ${path} gives BigInt where the schema says integer`, async () => {
    const { body } = await callJson(`${service().url}${path}`, {
      code: CODE,
      tools: [{ name: "find", outputSchema: SCHEMA }],
    });
    const run = Object(body["waiting"]).run;
    const value = `{"id":${LARGE},"ids":[1,-${LARGE}],"rate":${LARGE}}`;
    const answers = `{"answers":[{"key":"${run}/1","value":${value}}]}`;
    const { results, error } = await send(`/runs/${run}/answers`, answers);
    assertEquals(error ?? results, [{
      json: ["bigint", LARGE, ["number", "bigint"], "number", true],
    }]);
  });
}
