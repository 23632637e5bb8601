/**
 * A context that another process removes, or runs with a later lease, while a run here reads its
 * state. Parts of the state are missing then, but none of it is corrupt.
 */
import { assert, assertEquals } from "@std/assert";
import { type StoreOperation, WrappedStore } from "../../../store/wrapped_store.ts";
import { withMemory } from "../../store/fixture.ts";
import { refusalOf, send, startHost, TestContext } from "./test_host.ts";

/** Does something else before one of its operations. */
class InterruptedStore extends WrappedStore {
  #left = 0;
  #interrupt: (() => Promise<void>) | undefined;

  /** Before the operation after the next `count`. */
  interruptAfter(count: number, interrupt: () => Promise<void>): void {
    [this.#left, this.#interrupt] = [count, interrupt];
  }

  /** Whether it has come to the interruption. */
  get isInterrupted(): boolean {
    return this.#interrupt === undefined;
  }

  protected override async around<T>(
    _operation: StoreOperation,
    work: () => Promise<T>,
  ): Promise<T> {
    const interrupt = this.#interrupt;
    if (interrupt !== undefined && this.#left-- <= 0) {
      this.#interrupt = undefined;
      await interrupt();
    }
    return await work();
  }
}

const INTERRUPTIONS: readonly (readonly [
  what: string,
  codes: readonly string[],
  interrupt: (there: TestContext) => Promise<unknown>,
])[] = [
  [
    "removes the context",
    ["CONTEXT_NOT_FOUND", "CONFLICT"],
    ({ host, key, id }) => send(host, "DELETE", `/interpreters/${key}/contexts/${id}`),
  ],
  ["runs in it with a later lease", ["CONFLICT"], async (there) => {
    there.fence++;
    for (let run = 0; run < 3; run++) await there.run("data = Buffer.alloc(n++ + 90_000, 'b'); n");
  }],
];

for (const [what, codes, interrupt] of INTERRUPTIONS) {
  Deno.test(`context gone meanwhile: a run is refused by its reason, whenever another process ${what}`, () =>
    withMemory(async (kv) => {
      const store = new InterruptedStore(kv);
      await using there = await startHost("javascript", { store: kv });
      await using here = await startHost("javascript", { store });
      const seen = new Set<string>();
      for (let count = 0;; count++) {
        const context = await TestContext.create(there);
        await context.run("let n = 1; let data = Buffer.alloc(90_000, 'a'); n");
        const other = context.on(here);
        store.interruptAfter(count, async () => void await interrupt(context));
        const answer = await other.call("n += 100");
        if (!store.isInterrupted || answer.ok) break;
        const [, code] = refusalOf(answer);
        assert(codes.includes(code), `${code}, interrupted after ${count} operations`);
        seen.add(code);
      }
      assertEquals([...seen].sort(), [...codes].sort());
      assertEquals(here.logged, []);
    }));
}
