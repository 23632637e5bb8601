import { assert, assertEquals } from "@std/assert";
import { jsonPieces, LazyArray, LazyText } from "../../shared/json_pieces.ts";
import { LARGE_ANSWER_BYTES, memoryOf, streamedJsonResponse } from "../../shared/responses.ts";
import { printedSeed, seededBelow } from "../support/random.ts";

function whole(value: unknown): string {
  return [...jsonPieces(value)].join("");
}

/** Texts of what JSON escapes, of halves of pairs, and of whole ones at any place. */
const UNITS = ["a", '"', "\\", "\u0001", "é", "\ud83d\ude00", "\ud83d", "\ude00", "\u2028", "漢"];

Deno.test("JSON in pieces: the same text as JSON.stringify gives", () => {
  const seed = printedSeed("json pieces");
  const below = seededBelow(seed);
  const text = (most: number) =>
    Array.from({ length: below(most) }, () => UNITS[below(UNITS.length)]).join("");
  const value = (depth: number): unknown => {
    const kinds = depth > 5 ? 5 : 8;
    switch (below(kinds)) {
      case 0:
        return text(20);
      case 1:
        return below(10) === 0 ? text(70_000) : "";
      case 2:
        return below(1_000) - 500.5;
      case 3:
        return [null, true, false, NaN, undefined][below(5)];
      case 4:
        return JSON.parse('{"__proto__": 1}');
      case 5:
        return Array.from({ length: below(4) }, () => value(depth + 1));
      default:
        return Object.fromEntries(
          Array.from({ length: below(4) }, (_, n) => [`${n}${text(5)}`, value(depth + 1)]),
        );
    }
  };
  for (let n = 0; n < 300; n++) {
    const made = { top: value(0), more: value(1), none: undefined };
    assertEquals(whole(made), JSON.stringify(made), `SEED=${seed}`);
  }
});

Deno.test("JSON in pieces: pieces made on demand have the same text, and none is large", () => {
  const items = Array.from({ length: 1_000 }, (_, n) => ({ n, text: "\u0001".repeat(n) }));
  const long = "😀\u0002".repeat(100_000);
  const lazy = { a: 1, items: new LazyArray(items), text: new LazyText([long, "", "é"]), none: [] };
  const eager = { a: 1, items, text: `${long}é`, none: [] };
  assertEquals(whole(lazy), JSON.stringify(eager));
  assertEquals(whole({ items: new LazyArray([]) }), '{"items":[]}');
  const pieces = [...jsonPieces({ text: long, texts: [long] })];
  assert(Math.max(...pieces.map((piece) => piece.length)) <= 6 * 32 * 1024);
});

Deno.test("streamed JSON: a large answer is made on demand, and stops with its reader", async () => {
  let made = 0;
  const items = function* () {
    for (; made < 100_000; made++) yield { text: "x".repeat(100) };
  };
  const answer = streamedJsonResponse({ items: new LazyArray(items()) }, {
    tenant: "a",
    memory: { bytes: 1_000 },
  });
  const first = made;
  assert(first < 2 * LARGE_ANSWER_BYTES / 100);
  assert((memoryOf(answer)?.bytes ?? 0) > 1_000);
  const reader = answer.body?.getReader();
  for (let n = 0; n < 5; n++) await reader?.read();
  const then = made;
  assert(then > first && then < 20_000, `${first}, ${then}`);
  await reader?.cancel();
  assertEquals(made, then);
});

Deno.test("streamed JSON: a small answer is an ordinary one and uses no counted memory", async () => {
  const answer = streamedJsonResponse({ items: new LazyArray([{ a: 1 }]) }, {
    tenant: "a",
    memory: { bytes: 1_000_000 },
  });
  assertEquals(memoryOf(answer), undefined);
  assertEquals(answer.headers.get("content-type"), "application/json");
  assertEquals(await answer.text(), '{"items":[{"a":1}]}');
});
