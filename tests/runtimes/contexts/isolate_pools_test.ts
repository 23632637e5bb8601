import { assertEquals, assertRejects } from "@std/assert";
import { IsolatePools } from "../../../runtimes/contexts/isolate_pools.ts";
import { IsolatePool } from "../../../runtimes/pool/pool.ts";
import { ServiceError } from "../../../wire/errors.ts";
import { EARLIER_IMAGES } from "../../../wire/limits.ts";
import { until } from "../../support/wait.ts";
import { FakeIsolate } from "../pool/fake_isolate.ts";

const CALLER = { tenant: "a" };

function poolOfOne(started: Promise<void> = Promise.resolve()): IsolatePool {
  return new IsolatePool({
    start: async () => {
      await started;
      return new FakeIsolate();
    },
    maxIsolates: 1,
    keptWarm: 0,
    idleMs: 4,
    cancelGraceMs: 5,
    isolatePerTenant: false,
    maxWaiting: 10,
    maxWaitMs: 10_000,
    monotonic: () => performance.now(),
    onStartFailure: (cause) => {
      throw cause;
    },
  });
}

interface Bench extends AsyncDisposable {
  readonly present: IsolatePool;
  readonly pools: IsolatePools;
  /** Images for which a pool was requested. */
  readonly asked: string[];
}

function benchOf(
  { missing = [], started }: { missing?: readonly string[]; started?: Promise<void> } = {},
): Bench {
  const present = poolOfOne();
  const asked: string[] = [];
  const pools = new IsolatePools({
    baseline: "present",
    present,
    createEarlier: (baseline) => {
      asked.push(baseline);
      return Promise.resolve(missing.includes(baseline) ? undefined : poolOfOne(started));
    },
  });
  const dispose = async () => {
    await Promise.all([present.close(), pools.close()]);
  };
  return { present, pools, asked, [Symbol.asyncDispose]: dispose };
}

const images = Array.from({ length: EARLIER_IMAGES }, (_, index) => `earlier ${index}`);

Deno.test("isolate pools: the current image has the current pool, each earlier one its own", async () => {
  await using bench = benchOf();
  const [first, second] = await Promise.all([bench.pools.for("e"), bench.pools.for("e")]);
  assertEquals([await bench.pools.for("present") === bench.present, first === second], [
    true,
    true,
  ]);
  assertEquals([first === bench.present, bench.asked], [false, ["e"]]);
});

Deno.test("isolate pools: an unavailable image is requested again the next time", async () => {
  await using bench = benchOf({ missing: ["lost"] });
  assertEquals([await bench.pools.for("lost"), await bench.pools.for("lost")], [
    undefined,
    undefined,
  ]);
  assertEquals(bench.asked, ["lost", "lost"]);
});

Deno.test("isolate pools: isolates of earlier images are counted, and end with their pools", async () => {
  await using bench = benchOf();
  const leases = [];
  for (const image of images) leases.push(await (await bench.pools.for(image))?.hold(CALLER));
  assertEquals(bench.pools.earlierIsolates(), EARLIER_IMAGES);
  const refused = await assertRejects(() => bench.pools.for("one more"), ServiceError);
  assertEquals([refused.status, refused.context["limit"]], [503, "isolates"]);
  leases[0]?.release();
  await until(() => bench.pools.earlierIsolates() === EARLIER_IMAGES - 1);
  const more = await (await bench.pools.for("one more"))?.hold(CALLER);
  assertEquals([more?.isolate.usable, bench.pools.earlierIsolates()], [true, EARLIER_IMAGES]);
  assertEquals(bench.asked, [...images, "one more"]);
});

Deno.test("isolate pools: a pool whose first isolate is starting is in use", async () => {
  const started = Promise.withResolvers<void>();
  await using bench = benchOf({ started: started.promise });
  const leases = images.map(async (image) => (await bench.pools.for(image))?.hold(CALLER));
  await until(() => bench.asked.length === EARLIER_IMAGES);
  await assertRejects(() => bench.pools.for("one more"), ServiceError);
  started.resolve();
  const taken = await Promise.all(leases);
  assertEquals(taken.map((hold) => hold?.isolate.usable), images.map(() => true));
});
