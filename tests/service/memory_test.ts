// test: long
import { assertLess } from "@std/assert";
import { treeOwnMemory } from "../support/process.ts";
import { execute, startService } from "../support/service.ts";

/** Fills all the memory that a guest may have, so that its instance has to be replaced. */
const FULL = "const a = []; try { for (;;) a.push(new Uint8Array(1 << 20)) } catch {} a.length";
/** Output a byte at a time: as many frames as the fuel pays for. */
const BYTE_BY_BYTE = "for (;;) process.stdout.write('x')";
/** More than one guest's memory, less than three. */
const GROWTH_MIB = 160;

async function mostMemory(
  service: { readonly url: string; readonly pid: number },
  code: string,
  runs: number,
): Promise<number> {
  let most = 0;
  for (let i = 0; i < runs; i++) {
    await execute(service.url, "javascript", code);
    most = Math.max(most, await treeOwnMemory(service.pid));
  }
  return most;
}

Deno.test("service: memory stays near its baseline, for any successive runs", async (t) => {
  await using service = await startService({ LANGUAGES: "javascript", ISOLATES: "1" });
  const before = await mostMemory(service, "1 + 1", 3);
  await t.step("all of a guest's memory", async () => {
    assertLess(await mostMemory(service, FULL, 20), before + GROWTH_MIB);
  });
  await t.step("output byte by byte", async () => {
    assertLess(await mostMemory(service, BYTE_BY_BYTE, 3), before + GROWTH_MIB);
  });
});
