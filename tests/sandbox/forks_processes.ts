/**
 * Processes over one store, with a clock of their own, for tests of forks and checkpoints.
 */
import { assertEquals } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import type { RuntimeBinding } from "../../shared/binding.ts";
import { SANDBOX_QUOTAS, type SandboxQuotas } from "../../shared/limits.ts";
import { wrongKeys } from "../support/kill_keys.ts";
import { ProcessTimers } from "../support/process_timers.ts";
import { Caller, sandboxProcess } from "./fixture.ts";
import { janitorRound } from "./janitor_round.ts";
import { StoredRuntime } from "./stored_runtime.ts";

/** The names of the sandboxes. */
export const NAMES = ["a", "b", "c"];
const LEASE_MS = 10_000;
/** Longer than runtimes keep what was announced to them and never committed. */
export const AFTER_END_MS = 11 * 60_000;
/** Time after which an idle sandbox expires. */
export const IDLE_MS = 100 * AFTER_END_MS;

/** The processes of one sequence, over one store. */
export class Processes implements Disposable {
  readonly #kv: KvStore;
  #now = 1_000_000;
  readonly #timers = new ProcessTimers();
  readonly #quotas: SandboxQuotas;
  readonly #unswept: { readonly unsweptBytes?: number };

  /** `unsweptBytes`: bytes of shared files that may wait for a sweep. */
  constructor(kv: KvStore, quotas: Partial<SandboxQuotas> = {}, unsweptBytes?: number) {
    this.#kv = kv;
    this.#unswept = unsweptBytes === undefined ? {} : { unsweptBytes };
    this.#quotas = { ...SANDBOX_QUOTAS, idleTtlMs: IDLE_MS, ...quotas };
  }

  /** A process that was killed has no further heartbeats. */
  [Symbol.dispose](): void {
    this.#timers.cancelAll();
  }

  get now(): number {
    return this.#now;
  }

  wait(ms: number): void {
    this.#now += ms;
  }

  start(
    kv: KvStore = this.#kv,
    through: (runtime: StoredRuntime) => RuntimeBinding = (runtime) => runtime,
  ) {
    const clock = () => this.#now;
    const runtime = new StoredRuntime(kv, "python", clock);
    const sandboxes = sandboxProcess(kv, {
      bindings: new Map([["PYTHON", through(runtime)]]),
      quotas: this.#quotas,
      ...this.#unswept,
      clock,
      leaseMs: LEASE_MS,
      timers: this.#timers,
    });
    const caller = (name: string) => new Caller(sandboxes, name);
    const stranger = (name: string) => new Caller(sandboxes, name, "stranger");
    const janitorTasks = [...sandboxes.janitorTasks, runtime.maintenance];
    const cleanUp = () => janitorRound(kv, { janitorTasks }, clock);
    return { runtime, caller, stranger, cleanUp };
  }
}

/** Deletes everything and checks that nothing is left. */
export async function assertEmptyAfterAll(
  kv: KvStore,
  processes: Processes,
  what: string,
): Promise<void> {
  const { caller, cleanUp } = processes.start();
  for (const name of NAMES) await caller(name).ok("DELETE", "/");
  processes.wait(AFTER_END_MS);
  await cleanUp();
  await assertTidy(kv, what);
  const left: string[] = [];
  for await (const { key } of kv.list({ prefix: [] })) {
    const [kind] = key;
    if (kind === "sandbox_size" || kind === "service_lease") {
      continue;
    }
    left.push(JSON.stringify(key));
  }
  assertEquals(left, [], what);
}

/** The faults of the store; engines have no parts here. */
export async function assertTidy(kv: KvStore, what: string): Promise<void> {
  const wrong = (await wrongKeys(kv)).filter((text) =>
    !/^missing: \["(?:baseline|module)"/.test(text)
  );
  assertEquals(wrong, [], what);
}
