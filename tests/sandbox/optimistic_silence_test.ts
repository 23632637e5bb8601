/** Runs that begin on a known state, and a store that falls silent. */
import { assert, assertEquals } from "@std/assert";
import { GuardedStore } from "../../store/guarded_store.ts";
import { type Silence, SilentStore } from "../store/silent_store.ts";
import { until } from "../support/wait.ts";
import { withTestStore } from "../support/test_store.ts";
import { ADD, add, makeSteady, processOver } from "./optimistic_processes.ts";

/** Longer than a busy machine takes, and short enough to wait for. */
const PATIENT = { readMs: 10_000, writeMs: 10_000 };
const SHORT_LEASE_MS = 600;
const IMPATIENT = { readMs: 150, writeMs: 200 };

for (const silence of ["never done", "done", "done late"] satisfies readonly Silence[]) {
  Deno.test(`optimistic run: the store falls silent, ${silence}: 503 only where nothing was done`, async () => {
    const statuses = new Set<number>();
    for (let after = 0, happened = true; happened; after++) {
      await withTestStore(async (kv) => {
        const silent = new SilentStore(kv);
        const times = { ...PATIENT, log: () => undefined };
        const guarded = new GuardedStore(silent, times);
        const { box } = processOver(guarded, { leaseMs: SHORT_LEASE_MS });
        await makeSteady(box);
        Object.assign(times, IMPATIENT);
        silent.fallSilent(after, silence);
        const body = { code: JSON.stringify(ADD), binding: "PYTHON" };
        const answer = await box.send("POST", "/execute", body);
        await answer.body?.cancel();
        happened = silent.happened;
        await silent.comeBack();
        await until(() => guarded.state === "ready");
        Object.assign(times, PATIENT);
        statuses.add(answer.status);
        const where = `${silence} after ${after}: ${answer.status}`;
        const [, value] = await add(processOver(kv, { leaseMs: SHORT_LEASE_MS }).box);
        const wasDone = value === 4;
        assert(wasDone || value === 3, where);
        if (answer.ok) assert(wasDone, where);
        if (answer.status === 503) assert(!wasDone, where);
        // and the process that met the silence goes on from what is stored
        assertEquals(await add(box), [Number(value) + 1, Number(value) + 1], where);
        guarded.close();
      });
    }
    assert(statuses.has(200) && statuses.size > 1, `${[...statuses]}`);
    assert([...statuses].every((status) => [200, 500, 503].includes(status)), `${[...statuses]}`);
  });
}
