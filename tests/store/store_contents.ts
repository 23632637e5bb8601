/**
 * A store with every kind of key and value that the service uses, and its contents as text.
 *
 * @module
 */
import type { KvStore } from "../../store/kv.ts";
import { bytesOf } from "./fixture.ts";

/** Fills a store. `large`: entries of the largest size. */
export async function fillStore(kv: KvStore, large = 20): Promise<void> {
  for (let n = 0; n < 100; n++) {
    const value = { id: `box ${n}`, at: n / 3, list: [null, true, "é\0"], none: {} };
    await kv.set(["sandbox", "tenant", `box ${n}`], value);
    await kv.set(["expiry", n, "tenant", `box ${n}`, "life"], n);
  }
  for (let n = 0; n < large; n++) {
    await kv.set(["sandbox_blob", "life", "write", n, 0], bytesOf(65_536, n));
  }
  const add = (tenant: string, n: bigint) =>
    kv.atomic().sum(["sandbox_size", tenant, "bytes"], BigInt.asUintN(64, n)).commit();
  for (const n of [5n, 7n, -3n]) await add("a", n);
  await add("b", -9n);
  await kv.set(["interpreter_gone", "python", "key"], true, { expireIn: 600_000 });
}

/** Everything in a store, in order. */
export async function contentsOf(kv: KvStore): Promise<readonly string[]> {
  return await Array.fromAsync(
    kv.list({ prefix: [] }),
    ({ key, value }) =>
      Deno.inspect([key, value instanceof Uint8Array ? value.toHex() : value], {
        depth: 9,
        strAbbreviateSize: Infinity,
      }),
  );
}
