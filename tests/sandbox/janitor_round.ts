/** One round of the janitor over a store of tests. */
import type { Sandboxes } from "../../sandbox/sandboxes.ts";
import type { KvStore } from "../../store/kv.ts";
import { Janitor } from "../../store/janitor.ts";
import { LeaseTable } from "../../store/lease.ts";

/** How long the janitor's own leases last, in milliseconds. */
const LEASE_MS = 10_000;

/** Does all tasks of the sandboxes once. Throws what a task throws. */
export async function janitorRound(
  store: KvStore,
  sandboxes: Pick<Sandboxes, "janitorTasks">,
  clock: () => number,
): Promise<void> {
  const leases = new LeaseTable({ kv: store, owner: "janitor", ttlMs: LEASE_MS, clock });
  const janitor = new Janitor({
    kv: store,
    clock,
    leases,
    intentAgeMs: 0,
    onError: (_, thrown) => {
      throw thrown;
    },
  });
  for (const task of sandboxes.janitorTasks) janitor.register(task);
  await janitor.runNow();
  await janitor.close();
}
