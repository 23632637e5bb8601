/** Processes whose programs wait in contexts, over one store. */
import type { Sandboxes } from "../../sandbox/sandboxes.ts";
import { type ProcessOptions, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import type { KvStore } from "../../store/kv.ts";

/** Starts a process, over the store of the test or another one. */
export type Start = (options: ProcessOptions, kv?: KvStore) => Sandboxes;

/** Does `work` with a store in memory. The runs of all processes end with it. */
export function withProcesses(
  work: (start: Start, store: KvStore) => Promise<void>,
): Promise<void> {
  return withStore(async (store) => {
    const started: Sandboxes[] = [];
    const start: Start = (options, kv = store) => {
      const process = sandboxProcess(kv, options);
      started.push(process);
      return process;
    };
    try {
      await work(start, store);
    } finally {
      await Promise.all(started.map(({ runs }) => runs.close()));
    }
  });
}
