// test: slow
import { assert, assertEquals, assertRejects } from "@std/assert";
import { QueuedBody, type QueuedBodyOptions } from "../../shared/queued_body.ts";
import { printedSeed, seededBelow } from "../support/random.ts";
import { pause, until } from "../support/wait.ts";

function bodyOf(options: Partial<QueuedBodyOptions> = {}) {
  const seen = { waiting: 0, gone: 0 };
  const body = new QueuedBody({
    onWaiting: (bytes) => {
      seen.waiting = bytes;
      return true;
    },
    onGone: () => seen.gone++,
    ...options,
  });
  return { body, seen };
}

Deno.test("queued body: all pushed bytes arrive in order, with a faster reader or writer", async () => {
  const below = seededBelow(printedSeed("queued body"));
  for (let round = 0; round < 100; round++) {
    const { body, seen } = bodyOf();
    const pushed: number[] = [];
    const write = async () => {
      for (let left = below(40); left > 0; left--) {
        const bytes = Uint8Array.from({ length: below(5_000) }, () => below(256));
        pushed.push(...bytes);
        body.push(bytes);
        if (below(3) === 0) await pause(0);
      }
      body.complete();
    };
    const read = async () => {
      const pieces: number[] = [];
      for await (const piece of body.stream) {
        pieces.push(...piece);
        if (below(3) === 0) await pause(0);
      }
      return pieces;
    };
    const [, read_] = await Promise.all([write(), read()]);
    assertEquals(read_, pushed);
    assertEquals(seen, { waiting: 0, gone: 0 });
  }
});

Deno.test("queued body: many small additions take about as much room as they are long", () => {
  const { body } = bodyOf();
  const { heapUsed: before, external: outside } = Deno.memoryUsage();
  for (let i = 0; i < 1_000_000; i++) body.push(Uint8Array.of(i));
  const { heapUsed, external } = Deno.memoryUsage();
  assert(heapUsed + external - before - outside < 64 << 20);
  assertEquals(body.waiting, 1_000_000);
  body.breakOff();
});

Deno.test("queued body: a body without room is broken off, and its reader gets an error", async () => {
  const sizes: number[] = [];
  const { body, seen } = bodyOf({
    onWaiting: (bytes) => {
      sizes.push(bytes);
      return bytes <= 10;
    },
  });
  body.push(new Uint8Array(8));
  body.push(new Uint8Array(8));
  assertEquals([sizes, seen.gone], [[8, 16, 0], 1]);
  body.push(new Uint8Array(1));
  body.complete();
  assertEquals(sizes.length, 3);
  await assertRejects(() => new Response(body.stream).text(), Error, "broken off");
});

Deno.test("queued body: unread bytes are released when the reader stops", async () => {
  const { body, seen } = bodyOf();
  const reader = body.stream.getReader();
  const asked = reader.read();
  body.push(new Uint8Array(5));
  assertEquals((await asked).value?.length, 5);
  body.push(new Uint8Array(7));
  assertEquals(seen, { waiting: 7, gone: 0 });
  await reader.cancel();
  assertEquals(seen, { waiting: 0, gone: 1 });
  body.push(new Uint8Array(5));
  assertEquals(seen, { waiting: 0, gone: 1 });
});

Deno.test("queued body: a reader may take its time until it is complete, and not much after", async () => {
  const { body, seen } = bodyOf({ pauseMs: 20 });
  body.push(new Uint8Array(200_000));
  await pause(100);
  assertEquals(seen.gone, 0);
  body.complete();
  await until(() => seen.gone === 1);
  assertEquals(seen.waiting, 0);
  await assertRejects(() => new Response(body.stream).bytes());
});

Deno.test("queued body: a reader that keeps reading gets all bytes, even if it starts late", async () => {
  const { body } = bodyOf({ pauseMs: 10_000 });
  body.push(new Uint8Array(200_000));
  body.complete();
  await pause(50);
  assertEquals((await new Response(body.stream).bytes()).length, 200_000);
});
