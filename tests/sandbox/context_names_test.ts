/** Contexts with names, against a sandbox over a store in memory. */
import { assertEquals } from "@std/assert";
import type { Sandboxes } from "../../sandbox/sandboxes.ts";
import { fakeRuntimes, sandboxProcess, withStore } from "./fixture.ts";
import { jsonPost } from "../support/json_post.ts";

/** Runs code in a context, by its name if it has one; gives the id of the context, or the status. */
async function contextOf(
  sandboxes: Sandboxes,
  contextName: string | undefined,
  forcedBinding = "PYTHON",
): Promise<string | number> {
  const sandbox = sandboxes.forTenant("a").named("box", { forcedBinding, contextName });
  const answer = await sandbox.fetch(
    new Request("https://sandbox.internal/execute", jsonPost({ code: "1" })),
  );
  const { context } = await answer.json();
  return answer.status === 200 ? context?.id : answer.status;
}

Deno.test("context names: first uses at once make one context, in several processes too", async () => {
  await withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const processes = [sandboxProcess(store, { runtimes }), sandboxProcess(store, { runtimes })];
    const uses = Array.from({ length: 12 }, (_, n) => processes[n % 2]);
    const ids = await Promise.all(
      uses.flatMap((process) => process === undefined ? [] : [contextOf(process, "Ä b")]),
    );
    assertEquals([ids.length, new Set(ids).size, typeof ids[0]], [12, 1, "string"]);
  });
});

Deno.test("context names: a named context is never the default one, and each binding has its names", async () => {
  await withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const process = sandboxProcess(store, { runtimes });
    const named = await contextOf(process, "n");
    const fallback = await contextOf(process, undefined);
    const other = await contextOf(process, "n", "PERL");
    assertEquals(new Set([named, fallback, other]).size, 3);
    // read from the store by another process
    const later = sandboxProcess(store, { runtimes });
    assertEquals(await contextOf(later, "n"), named);
    assertEquals(await contextOf(later, undefined), fallback);
    assertEquals(await contextOf(later, "n", "PERL"), other);
    for (let n = 3; n < 8; n++) await contextOf(process, `n${n}`);
    assertEquals(await contextOf(process, "ninth"), 400);
    assertEquals(await contextOf(process, "n7"), await contextOf(later, "n7"));
  });
});
