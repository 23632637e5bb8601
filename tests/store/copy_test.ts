import { assert, assertEquals, assertRejects } from "@std/assert";
import { copyStore, isUnfinishedCopy, StoreRefused } from "../../store/copy.ts";
import type { KvStore } from "../../store/kv.ts";
import { openStore } from "../../store/open.ts";
import { Presence } from "../../store/presence.ts";
import { withTestStore } from "../support/test_store.ts";
import { Crashed, FaultyKv } from "./faulty_kv.ts";
import { ManualTime, withFile, withMemory } from "./fixture.ts";
import { contentsOf, fillStore } from "./store_contents.ts";

const now = { clock: Date.now };

function withTwo(work: (from: KvStore, to: KvStore) => Promise<void>): Promise<void> {
  return withMemory((from) => withTestStore((to) => work(from, to)));
}

Deno.test("copy: everything is in the copy, and a copy of the copy is the same", () =>
  withTwo(async (from, to) => {
    await fillStore(from);
    const expected = await contentsOf(from);
    const report = await copyStore(from, to, now);
    assertEquals(report, { entries: expected.length, resumed: 0 });
    assertEquals(await contentsOf(to), expected);
    assertEquals(await isUnfinishedCopy(to), false);
    await withFile(async (file) => {
      await copyStore(to, file, now);
      assertEquals(await contentsOf(file), expected);
    });
  }));

for (const fault of ["crash before", "crash after"] as const) {
  Deno.test(`copy: after a ${fault} any write it continues, and no counter counts twice`, () =>
    withMemory(async (from) => {
      await fillStore(from, 30);
      const expected = await contentsOf(from);
      for (let write = 1, isOver = false; !isOver; write++) {
        await withTestStore(async (to) => {
          const faulty: FaultyKv = new FaultyKv(to, {
            faultAt: () => faulty.writes === write ? fault : undefined,
          });
          try {
            await copyStore(from, faulty, now);
            isOver = true;
          } catch (thrown) {
            if (!(thrown instanceof Crashed)) throw thrown;
            await copyStore(from, to, now).catch((again) => {
              // the end itself was done, and nobody learned of it
              if (!(again instanceof StoreRefused) || fault === "crash before") throw again;
            });
          }
          assertEquals(await contentsOf(to), expected);
        });
      }
    }));
}

Deno.test("copy: a target that is not empty is refused, and so is an unfinished source", () =>
  withTwo(async (from, to) => {
    await fillStore(from, 0);
    await to.set(["sandbox", "a", "b"], 1);
    await assertRejects(() => copyStore(from, to, now), StoreRefused, "the target is not empty");
    await to.delete(["sandbox", "a", "b"]);
    const failing: FaultyKv = new FaultyKv(to, {
      faultAt: (_, kind) => kind === "write" && failing.writes > 1 ? "broken" : undefined,
    });
    await assertRejects(() => copyStore(from, failing, now));
    assert(await isUnfinishedCopy(to));
    await withMemory(async (other) => {
      await assertRejects(() => copyStore(to, other, now), StoreRefused, "unfinished copy");
    });
  }));

Deno.test("copy: a change of the source during the copy is found, and nothing is left", () =>
  withTwo(async (from, to) => {
    await fillStore(from, 0);
    const changed = () => from.set(["sandbox", "tenant", "box 0"], "changed").then(() => undefined);
    const changing: FaultyKv = new FaultyKv(to, {
      beforeWrite: () => changing.writes === 2 ? changed() : Promise.resolve(),
    });
    await assertRejects(() => copyStore(from, changing, now), StoreRefused, "the source changed");
    assertEquals(await contentsOf(to), []);
    await copyStore(from, to, now);
    assertEquals(await contentsOf(to), await contentsOf(from));
  }));

Deno.test("copy: a store that a service uses is refused until the service ends, or is long silent", () =>
  withTwo(async (from, to) => {
    const time = new ManualTime(() => true);
    for (const [used, name] of [[from, "source"], [to, "target"]] as const) {
      const presence = new Presence(used, time.clock, time);
      presence.begin();
      for (const ms of [0, 14_000, 60_000]) {
        await time.advance(ms);
        await assertRejects(
          () => copyStore(from, to, time),
          StoreRefused,
          `1 service uses the ${name}: stop it first`,
        );
      }
      await presence.end();
      assertEquals(time.pending, 0);
    }
    const killed = new Presence(from, time.clock, { after: () => () => {} });
    killed.begin();
    await time.advance(44_000);
    await assertRejects(() => copyStore(from, to, time), StoreRefused, "uses the source");
    await time.advance(2_000);
    await copyStore(from, to, time);
    await killed.end();
  }));

Deno.test("copy: a file that is opened again has everything", () =>
  withMemory((from) =>
    withFile(async (to, path) => {
      await fillStore(from);
      await copyStore(from, to, now);
      const again = await openStore(path);
      assertEquals(await contentsOf(again), await contentsOf(from));
      await again.close();
    })
  ));
