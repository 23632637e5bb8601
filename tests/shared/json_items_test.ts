import { assertEquals } from "@std/assert";
import { JsonItems } from "../../shared/json_items.ts";
import { printedSeed, seededBelow } from "../support/random.ts";

const ENCODER = new TextEncoder();

function bodyOf(text: string, pieceBytes: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = ENCODER.encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at += pieceBytes));
    },
  });
}

async function read(value: object, pieceBytes: number) {
  let pauses = 0;
  const pause = () => {
    pauses++;
    return Promise.resolve();
  };
  const items = new JsonItems(bodyOf(JSON.stringify(value), pieceBytes), "files", pause);
  const files = await Array.fromAsync(items);
  return { value: { ...items.rest, files }, pauses };
}

Deno.test("json items: items and other fields are those of the whole text, however it is cut", async () => {
  const names = [
    '"files":[',
    '\\"files\\":[',
    "{",
    "}",
    "],[",
    "\\",
    '\\"',
    "\\\\",
    "ü€😀",
    "",
    "a,b",
  ];
  const files = names.map((name, size) => ({ name, size, inner: { name, empty: {}, list: [1] } }));
  for (
    const value of [{ files: [] }, { path: "x", files, count: 3 }, { files, path: '"files":[' }]
  ) {
    for (const pieceBytes of [1, 2, 3, 7, 64, 1_000_000]) {
      const { value: same, pauses } = await read(value, pieceBytes);
      assertEquals(same, value);
      assertEquals(pauses, value.files.length);
    }
  }
});

Deno.test("json items: random texts", async () => {
  const below = seededBelow(printedSeed("json items"));
  const letters = ['"', "\\", "{", "}", "[", "]", ",", ":", "a", "é", "\n"];
  const text = () => Array.from({ length: below(12) }, () => letters[below(11)]).join("");
  for (let round = 0; round < 300; round++) {
    const files = Array.from({ length: below(6) }, () => ({ [text()]: text(), n: { s: text() } }));
    const value = { path: text(), files, after: text() };
    assertEquals((await read(value, 1 + below(20))).value, value);
  }
});
