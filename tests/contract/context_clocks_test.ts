import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { count } from "../support/counts.ts";
import {
  CONTEXT_LANGUAGES,
  sandboxTarget,
  shareService,
  type TargetSandbox,
} from "./sandbox_target.ts";

shareService();

/** Milliseconds of the wall clock and of the steady one; a sleep; a random number. */
const WORDS = {
  javascript: {
    clocks: "[Date.now(), performance.now()]",
    sleep: (ms: number) => `await new Promise((done) => setTimeout(done, ${ms})); 1`,
    random: "[Math.random(), require('crypto').randomUUID()]",
    seed: "1",
  },
  python: {
    clocks: "import time\n[time.time() * 1000, time.monotonic() * 1000]",
    sleep: (ms: number) => `import time\ntime.sleep(${ms / 1000})\n1`,
    random: "import random, uuid\n[random.random(), str(uuid.uuid4())]",
    seed: "import random\nrandom.seed(7)\n1",
  },
  perl: {
    clocks: "use Time::HiRes; [(Time::HiRes::time() * 1000) x 2]",
    sleep: (ms: number) => `use Time::HiRes; Time::HiRes::sleep(${ms / 1000}); 1`,
    random: "[rand(), '' . rand()]",
    seed: "srand 7; 1",
  },
} as const;
const SLEEP_MS = 9_000;
const TURNS = count(8, 16);

Deno.test("clocks and random numbers of contexts", async (t) => {
  await using target = sandboxTarget();
  for (const language of CONTEXT_LANGUAGES) {
    const words = WORDS[language];
    const clocks = async (box: TargetSandbox, contextId: string) => {
      const [wall, steady] = await box.value(language, words.clocks, { contextId }) as number[];
      assert(wall !== undefined && steady !== undefined);
      return { wall, steady };
    };

    await t.step(
      `${language}: sleeping moves the context's clocks on, and no other's`,
      async () => {
        const box = target.sandbox();
        const [one, other] = [await box.context(language), await box.context(language)];
        let last = await clocks(box, one.id);
        const begin = last;
        for (let turn = 0; turn < 3; turn++) {
          const slept = await box.run(language, words.sleep(SLEEP_MS), { contextId: one.id });
          assertEquals(slept.error, undefined);
          assertLess(slept.durationMs, SLEEP_MS);
          await box.run(language, "1", { contextId: other.id }); // takes the isolate's memory
          const now = await clocks(box, one.id);
          assertGreater(now.wall, last.wall + SLEEP_MS - 1);
          assertGreater(now.steady, last.steady + SLEEP_MS - 1);
          last = now;
        }
        assertGreater(last.wall, begin.wall + 3 * SLEEP_MS - 3);
        const apart = (await clocks(box, other.id)).wall - Date.now();
        assertLess(Math.abs(apart), SLEEP_MS);
      },
    );

    await t.step(
      `${language}: clocks never go back, and each run has its own random numbers`,
      async () => {
        const box = target.sandbox();
        const ids = [(await box.context(language)).id, (await box.context(language)).id];
        const last = new Map<string, { wall: number; steady: number }>();
        const random = new Set<string>();
        for (let turn = 0; turn < TURNS; turn++) {
          const id = ids[turn % 3 === 0 ? 0 : 1] ?? "";
          const now = await clocks(box, id);
          const before = last.get(id) ?? { wall: 0, steady: -Infinity };
          assert(now.wall >= before.wall && now.steady >= before.steady, `${turn}`);
          last.set(id, now);
          const values = await box.value(language, words.random, { contextId: id });
          for (const value of values as unknown[]) random.add(String(value));
          await box.run(language, words.seed, { contextId: id });
        }
        assertEquals(random.size, 2 * TURNS);
        const counts = (await box.contexts()).length;
        assertEquals(counts, 2);
      },
    );
  }
});
