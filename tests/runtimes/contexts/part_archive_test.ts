import { assert, assertEquals } from "@std/assert";
import type { KvStore } from "../../../store/kv.ts";
import { type StoreOperation, WrappedStore } from "../../../store/wrapped_store.ts";
import { keysUnder, LANGUAGE, load, partOf, PARTS, withStore } from "./engine_parts.ts";

/** A store in which something else happens just before the nth operation. */
class OvertakenStore extends WrappedStore {
  readonly #n: number;
  readonly #overtake: () => Promise<void>;
  #operations = 0;

  constructor(kv: KvStore, n: number, overtake: () => Promise<void>) {
    super(kv);
    this.#n = n;
    this.#overtake = overtake;
  }

  get wasOvertaken(): boolean {
    return this.#operations >= this.#n;
  }

  protected override async around<T>(_: StoreOperation, work: () => Promise<T>): Promise<T> {
    if (++this.#operations === this.#n) await this.#overtake();
    return await work();
  }
}

for (const part of PARTS) {
  Deno.test(`part archive: a ${part} that two services store is there once, whenever one overtakes the other`, async () => {
    const options = { part, clock: Date.now, size: 900_000 };
    for (let n = 1, isDone = false; !isDone; n++) {
      await withStore(async (kv) => {
        const first = partOf(kv, 1, options);
        const store = new OvertakenStore(kv, n, () => first.kept.ensureCurrent());
        const second = partOf(store, 1, options);
        await second.kept.ensureCurrent();
        const writers = new Set<unknown>();
        for await (const { key } of kv.list({ prefix: [part, LANGUAGE, first.name, "blob"] })) {
          writers.add(key[4]);
        }
        assertEquals(writers.size, 1, `overtaken before operation ${n}`);
        assertEquals(await keysUnder(kv, ["intent"]), 0);
        assertEquals(await load(second.kept, first.name), first.bytes);
        isDone = !store.wasOvertaken;
        assert(!isDone || n > 3, "a writer has more operations");
      });
    }
  });
}
