import { assert, assertEquals } from "@std/assert";
import { chunkPauses } from "../../shared/chunk_pauses.ts";
import { Slices } from "../../shared/slices.ts";

/** Pauses of a sender, and the number of turns that its small chunks have taken. */
function sender(): { pause: (bytes: number) => Promise<void>; turns: () => number } {
  let turns = 0;
  const slices = new Slices((next) => {
    turns++;
    queueMicrotask(next);
  });
  return { pause: chunkPauses("a", slices), turns: () => turns };
}

Deno.test("chunkPauses() lets small chunks take turns, 64 in each", async () => {
  const { pause, turns } = sender();
  for (let chunk = 0; chunk < 640; chunk++) await pause(1);
  assertEquals(turns(), 10);
});

Deno.test("chunkPauses() gives larger chunks no turns of small ones", async () => {
  const { pause, turns } = sender();
  for (let chunk = 0; chunk < 640; chunk++) await pause(128);
  assertEquals(turns(), 0);
});

Deno.test("chunkPauses() of two tenants take turns", async () => {
  const order: string[] = [];
  const slices = new Slices((next) => void setTimeout(next, 0));
  const send = async (tenant: string) => {
    const pause = chunkPauses(tenant, slices);
    for (let chunk = 1; chunk <= 640; chunk++) {
      await pause(1);
      if (chunk % 64 === 0) order.push(tenant);
    }
  };
  await Promise.all([send("a"), send("a"), send("b")]);
  assertEquals(order.length, 30);
  // of a's two senders one goes on for each turn of b
  assert(order.slice(0, 16).filter((tenant) => tenant === "b").length >= 7);
});
