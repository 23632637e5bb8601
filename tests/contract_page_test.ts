/** The contract's page names what the code has: the error codes, and the fields of a result. */
import { assert, assertEquals } from "@std/assert";
import { z } from "zod";
import { sandboxError } from "../client/errors.ts";
import { ERROR_STATUSES } from "../client/protocol/error_codes.ts";
import { resultSchemas } from "../gateway/openapi/result_schemas.ts";

const PAGE = Deno.readTextFileSync(new URL("../docs/contract.md", import.meta.url));

/** The text between a heading and the next one. */
function section(heading: string): string {
  const [, text = ""] = PAGE.split(`\n## ${heading}\n`);
  const [own = ""] = text.split("\n## ");
  assert(own !== "", heading);
  return own;
}

/** Names of all properties in a JSON schema, at any depth. */
function propertiesOf(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(key === "properties" ? Object.keys(value) : []),
    ...propertiesOf(value),
  ]);
}

Deno.test("contract page: every error code has its row, with its statuses and its class", () => {
  const rows = section("Error codes").split("\n");
  for (const [code, statuses] of Object.entries(ERROR_STATUSES)) {
    const row = rows.find((line) => line.split("|")[1]?.includes(`\`${code}\``)) ?? "";
    const { name } = sandboxError("", { code, httpStatus: statuses[0] });
    const missing = [...statuses.map(String), `\`${name}\``].filter((part) => !row.includes(part));
    assertEquals(missing, [], `${code}: ${row}`);
  }
});

Deno.test("contract page: every field of a result is there", () => {
  const text = section("ExecutionResult");
  const fields = propertiesOf(z.toJSONSchema(resultSchemas().ExecutionResult));
  assert(fields.includes("memoryBytes"), fields.join());
  assertEquals(fields.filter((field) => !new RegExp(`\\b${field}\\b`).test(text)), []);
});
