/** The notebook of a context in the store: it changes with the run, and leaves nothing behind. */
import { assert, assertEquals } from "@std/assert";
import { FaultyStore } from "./faulty_store.ts";
import { Caller, fakeRuntimes, keysOf, sandboxProcess, withStore } from "./fixture.ts";
import { janitorRound } from "./janitor_round.ts";

const LEASE_MS = 10_000;
let now = Date.now();
const clock = () => now;

/** The execution counts of the code cells. */
async function countsOf(box: Caller, id: string): Promise<readonly unknown[]> {
  const { cells } = await box.ok("GET", `/contexts/${id}/notebook`);
  assert(Array.isArray(cells));
  return cells.map(({ execution_count }) => execution_count);
}

async function made(box: Caller, source = ""): Promise<string> {
  const cells = [{ cell_type: "code", source, metadata: {}, outputs: [] }];
  const answer = await box.send("POST", "/notebook", { nbformat: 4, cells, binding: "PYTHON" });
  const { id } = await answer.json();
  assertEquals(answer.status, 201);
  return id;
}

Deno.test("notebook: killed before each operation of a run, it has the run exactly if the run happened", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const options = { runtimes, clock, leaseMs: LEASE_MS };
    const healthy = sandboxProcess(store, options);
    const box = new Caller(healthy);
    const id = await made(box, "filler".repeat(200_000));
    let killed = 0;
    for (let count = 0;; count++) {
      const faulty = new FaultyStore(store);
      const dying = new Caller(sandboxProcess(faulty, options));
      faulty.killAfter(count);
      const body = { contextId: id, code: `n = ${count}` };
      await (await dying.send("POST", "/execute", body)).body?.cancel();
      now += 2 * LEASE_MS;
      await janitorRound(store, healthy, clock);
      const { contexts } = await box.ok("GET", "/");
      assert(Array.isArray(contexts));
      const counts = await countsOf(box, id);
      const recorded = counts.filter((each) => each !== null);
      assertEquals(recorded.length, contexts[0].executions);
      if (!faulty.died) break;
      killed++;
    }
    assert(killed >= 3, String(killed));
    await box.ok("DELETE", "/");
    await janitorRound(store, healthy, clock);
    assertEquals(await keysOf(store), []);
  }));

Deno.test("notebook: what it takes is counted, and given back with its context and its copies", () =>
  withStore(async (store) => {
    const healthy = sandboxProcess(store, { runtimes: fakeRuntimes(), clock });
    const box = new Caller(healthy);
    const bytes = async () => {
      const { usage } = await healthy.forTenant("default").list({ limit: [], cursor: [] });
      return usage.bytes;
    };
    const id = await made(box, "x".repeat(10_000));
    const before = await bytes();
    assert(before > 10_000, String(before));
    const { id: fork } = await box.ok("POST", `/contexts/${id}/fork`, {});
    assert(await bytes() > before + 10_000);
    await box.ok("POST", "/checkpoints", {});
    await box.ok("POST", "/fork", { to: "copy" });
    await box.run("n = 1", id);
    await box.ok("DELETE", `/contexts/${id}`);
    await box.ok("DELETE", `/contexts/${String(fork)}`);
    const copy = new Caller(healthy, "copy");
    assertEquals(await countsOf(copy, id), [null]);
    assertEquals(await countsOf(copy, String(fork)), [null]);
    await box.ok("DELETE", "/");
    assertEquals(await countsOf(copy, id), [null]);
    await copy.ok("DELETE", "/");
    await janitorRound(store, healthy, clock);
    assertEquals(await bytes(), 0);
    assertEquals((await keysOf(store)).filter((key) => !key.includes("sandbox_size")), []);
  }));
