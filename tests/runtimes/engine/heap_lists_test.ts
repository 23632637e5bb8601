/** The lists of free memory in the built images: without them, each capture walks over the whole heap. */
import { assert, assertGreater } from "@std/assert";
import { GuestHeap } from "../../../runtimes/engine/guest_heap.ts";
import { CHUNK_HEAD_BYTES, firstChunk } from "../../../runtimes/engine/heap_chunks.ts";
import { decodeImage, type MemoryImage } from "../../../runtimes/engine/image.ts";
import { readImageHead } from "../../../runtimes/languages/javascript/host/image_head.ts";
import { MODULE_STACK_BYTES } from "../../../runtimes/languages/javascript/host/instance.ts";
import { decodePythonImage } from "../../../runtimes/languages/python/host/artifact.ts";
import { WASM_PAGE_BYTES } from "../../../wasm/metering/wasm_page.ts";
import { builtIsolate } from "../../support/built.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** An image, and the address of a chunk that is never freed. */
interface Heap {
  readonly image: MemoryImage<unknown>;
  readonly first: number;
}

const HEAPS: Readonly<Record<"javascript" | "python" | "perl", (image: Bytes) => Heap>> = {
  javascript: (bytes) => {
    const image = decodeImage(bytes, readImageHead);
    return { image, first: image.head.stackPointer - MODULE_STACK_BYTES - CHUNK_HEAD_BYTES };
  },
  python: (bytes) => {
    const { image } = decodePythonImage(bytes);
    const { stackBase, heapBase = stackBase } = image.head;
    return { image, first: firstChunk(heapBase) };
  },
  perl: (bytes) => {
    const image = decodeImage(bytes, (head) => Number(Object(head).list));
    return { image, first: image.head - CHUNK_HEAD_BYTES };
  },
};

function memoryOf({ pages, ranges }: MemoryImage<unknown>): Bytes {
  const memory = new Uint8Array(pages * WASM_PAGE_BYTES);
  for (const { at, data } of ranges) memory.set(data, at);
  return memory;
}

for (const [language, heapOf] of Object.entries(HEAPS)) {
  Deno.test(`heap lists: the lists of the ${language} image are found`, async () => {
    const { artifact } = await builtIsolate(language as keyof typeof HEAPS);
    const { image, first } = heapOf(artifact.image.slice());
    const memory = memoryOf(image);
    const heap = new GuestHeap(memory, first);
    new DataView(memory.buffer).setUint32(first + 4, 0, true); // a walk would find nothing
    const spans = heap.spansInUse(memory, { from: first, end: memory.length });
    assertGreater(spans.length, 1);
    assert(spans.reduce((sum, [from, end]) => sum + end - from, 0) < memory.length - first);
  });
}
