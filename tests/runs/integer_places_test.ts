/** Large integers in answers, where a schema says integer. */
import { assertEquals } from "@std/assert";
import { integerPlaces } from "../../runs/integer_places.ts";
import type { JsonSchema } from "../../client/protocol/types.ts";

const LARGE = "9007199254740993";
const INTEGER: JsonSchema = { type: "integer" };

function places(schema: JsonSchema, json: string): unknown {
  const found = integerPlaces(schema, json);
  return found === undefined ? undefined : JSON.parse(JSON.stringify(found));
}

Deno.test("integerPlaces() finds integers beyond 2^53 where the schema says integer", () => {
  const list: JsonSchema = { type: "array", items: INTEGER };
  const object: JsonSchema = {
    type: "object",
    properties: { id: INTEGER, rate: { type: "number" }, ids: list },
  };
  const pair: JsonSchema = { type: "array", prefixItems: [{ type: "string" }, INTEGER] };
  const named: JsonSchema = { $defs: { id: INTEGER }, $ref: "#/$defs/id" };
  const cases: readonly (readonly [JsonSchema, string, unknown])[] = [
    [INTEGER, LARGE, LARGE],
    [INTEGER, `-${LARGE}`, `-${LARGE}`],
    [{ type: "number" }, LARGE, undefined],
    [INTEGER, "9007199254740991", undefined],
    [INTEGER, "9007199254740992", "9007199254740992"],
    [{}, LARGE, undefined],
    [{ type: ["integer", "null"] }, LARGE, LARGE],
    [{ anyOf: [{ type: "string" }, INTEGER] }, LARGE, LARGE],
    [list, `[1,${LARGE},2]`, { 1: LARGE }],
    [pair, `["${LARGE}",${LARGE}]`, { 1: LARGE }],
    [object, `{"id":${LARGE},"rate":${LARGE},"ids":[${LARGE}]}`, { id: LARGE, ids: { 0: LARGE } }],
    [{ type: "object", additionalProperties: INTEGER }, `{"a b":${LARGE}}`, { "a b": LARGE }],
    [named, LARGE, LARGE],
    [object, `{"other":${LARGE}}`, undefined],
    [object, `{"id":"${LARGE}"}`, undefined],
    [object, `{"id":1.5e300}`, undefined],
  ];
  for (const [schema, json, expected] of cases) {
    assertEquals([json, places(schema, json)], [json, expected]);
  }
});

Deno.test("integerPlaces() keeps names such as __proto__ apart", () => {
  const found = integerPlaces(
    { type: "object", additionalProperties: INTEGER },
    `{"__proto__":${LARGE}}`,
  );
  assertEquals(JSON.stringify(found), `{"__proto__":"${LARGE}"}`);
});

Deno.test("integerPlaces() ends for values of any size", () => {
  const json = `[${new Array(200_000).fill(LARGE).join()}]`;
  assertEquals(integerPlaces({ type: "array", items: INTEGER }, json), undefined);
});
