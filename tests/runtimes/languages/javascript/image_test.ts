/** The contents of the image of the JavaScript engine. */
import { assert, assertEquals, assertLess } from "@std/assert";
import { CHUNK_HEAD_BYTES } from "../../../../runtimes/engine/heap_chunks.ts";
import { decodeImage } from "../../../../runtimes/engine/image.ts";
import { readImageHead } from "../../../../runtimes/languages/javascript/host/image_head.ts";
import { MODULE_STACK_BYTES } from "../../../../runtimes/languages/javascript/host/instance.ts";
import { WASM_PAGE_BYTES } from "../../../../wasm/metering/wasm_page.ts";
import { builtIsolate } from "../../../support/built.ts";

/** Where the guest environment's sources are. */
const SOURCES = new URL("../../../../runtimes/languages/javascript/guest/", import.meta.url);
/** Characters from which a text is neither a message nor a name. */
const LONG_TEXT = 600;

async function builtImage() {
  const { artifact } = await builtIsolate("javascript");
  return decodeImage(artifact.image.slice(), readImageHead);
}

/** Bytes of text in pieces of at least the given length. */
function textIn(bytes: Uint8Array, atLeast: number): number {
  let total = 0;
  let length = 0;
  for (const byte of bytes) {
    const isText = byte === 9 || byte === 10 || byte >= 32 && byte < 127;
    if (isText) length++;
    else {
      if (length >= atLeast) total += length;
      length = 0;
    }
  }
  return total;
}

Deno.test("javascript image: the image has no source of the environment's functions", async () => {
  const { ranges } = await builtImage();
  const held = new TextDecoder("latin1");
  const memory = ranges.map(({ data }) => held.decode(data)).join("");
  const bodies: string[] = [];
  for await (const { name, isFile } of Deno.readDir(SOURCES)) {
    if (!isFile) continue;
    const text = await Deno.readTextFile(new URL(name, SOURCES));
    bodies.push(...[...text.matchAll(/^ {2,}return [^\n]{40,};$/gm)].map(([line]) => line.trim()));
  }
  assert(bodies.length > 10, "there are sources to look for");
  assertEquals(bodies.filter((line) => memory.includes(line)), []);
  const text = ranges.reduce((sum, { data }) => sum + textIn(data, LONG_TEXT), 0);
  assertLess(text, 32_768);
});

Deno.test("javascript image: the image has a few MiB, and ranges aligned to words", async () => {
  const { ranges } = await builtImage();
  const bytes = ranges.reduce((sum, { data }) => sum + data.length, 0);
  assertLess(bytes, 3 << 20);
  assertEquals(ranges.filter(({ at, data }) => at % 4 !== 0 || data.byteOffset % 4 !== 0), []);
});

Deno.test("javascript image: loading the environment leaves few gaps in its heap", async () => {
  const { head, pages, ranges } = await builtImage();
  const memory = new Uint8Array(pages * WASM_PAGE_BYTES);
  for (const { at, data } of ranges) memory.set(data, at);
  const view = new DataView(memory.buffer);
  const top = view.getUint32(head.layout.topAddress, true);
  const bytes = { used: 0, free: 0 };
  const first = head.stackPointer - MODULE_STACK_BYTES - CHUNK_HEAD_BYTES;
  for (let at = first; at < top;) {
    const word = view.getUint32(at + 4, true);
    const size = word & ~7;
    assert(size > 0, "a chunk has a size");
    if (at !== first) bytes[(word & 2) === 0 ? "free" : "used"] += size;
    at += size;
  }
  assert(bytes.used > 1 << 20, "the environment is in it");
  assertLess(bytes.free, bytes.used / 20);
});
