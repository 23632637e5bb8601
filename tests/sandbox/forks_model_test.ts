/**
 * Random sequences of runs, writes, forks, checkpoints, restores, deletions and expiry against a
 * plain model, each process ending before a random operation of the store.
 */
import { assert, assertEquals } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import { count } from "../support/counts.ts";
import { printedSeed, seededBelow } from "../support/random.ts";
import { withTestStore } from "../support/test_store.ts";
import { FaultyStore } from "./faulty_store.ts";
import { type Model, observe, randomOperation, textOf, withIds } from "./forks_model.ts";
import {
  AFTER_END_MS,
  assertEmptyAfterAll,
  assertTidy,
  IDLE_MS,
  NAMES,
  Processes,
} from "./forks_processes.ts";

const SEQUENCES = Number(Deno.env.get("FORK_SEQUENCES") ?? count(40, 20_000));
const STEPS = 14;
const GUESTS = { names: NAMES, binding: "PYTHON", codeOf: JSON.stringify };
/** About as many operations of the store as the longest call takes. */
const MOST_OPERATIONS = 30;

/** In every other sequence each change that leaves shared files waits for a sweep. */
function unsweptBytesOf(seed: number): number | undefined {
  return seed % 2 === 0 ? 0 : undefined;
}

async function sequence(kv: KvStore, seed: number): Promise<void> {
  const below = seededBelow(seed);
  using processes = new Processes(kv, {}, unsweptBytesOf(seed));
  const healthy = processes.start();
  let model: Model = new Map();
  const log: string[] = [];
  const tell = () => `seed ${seed}:\n${log.join("\n")}\n`;
  for (let step = 0; step < STEPS; step++) {
    processes.wait(1);
    if (below(20) === 0) {
      processes.wait(2 * IDLE_MS);
      log.push("all expire");
      model = new Map();
    }
    const operation = randomOperation(GUESTS, model, below);
    const faulty = new FaultyStore(kv);
    if (below(2) === 0) faulty.killAfter(below(MOST_OPERATIONS));
    const { caller } = processes.start(faulty);
    const { method, path, body, box } = operation;
    const answer = await caller(box).send(method, path, body);
    const answered = await answer.text();
    const after = operation.apply(model);
    log.push(`${operation.text}: ${answer.status}${faulty.died ? ", ended" : ""}`);
    if (faulty.died) processes.wait(AFTER_END_MS);
    else assertEquals(answer.ok, after !== undefined, `${tell()}${answered.slice(0, 300)}`);
    if (below(3) === 0) {
      await healthy.cleanUp();
      await assertTidy(kv, tell());
    }
    const { now } = processes;
    const { runtime } = healthy;
    const observed = await observe(kv, { names: NAMES, runtime, now, caller: healthy.caller });
    const found = textOf(observed);
    const mayBe = faulty.died ? [after, operation.begin?.(model), model] : [model];
    const mustBe = (answer.ok ? [after] : mayBe).filter((each) => each !== undefined);
    const same = mustBe.find((each) => textOf(each) === found);
    assert(
      same !== undefined,
      `${tell()}found\n${found}\nnot\n${mustBe.map((each) => textOf(each)).join("\nor\n")}`,
    );
    model = withIds(same, observed);
  }
  await assertEmptyAfterAll(kv, processes, tell());
}

/** Two operations at the same time, by two processes: both orders are right. */
async function pairs(kv: KvStore, seed: number): Promise<void> {
  const below = seededBelow(seed);
  using processes = new Processes(kv, {}, unsweptBytesOf(seed));
  const healthy = processes.start();
  const others = [processes.start(), processes.start()];
  let model: Model = new Map();
  const log: string[] = [];
  const tell = () => `seed ${seed}:\n${log.join("\n")}\n`;
  for (let step = 0; step < STEPS; step++) {
    processes.wait(1);
    const operations = others.map(() => randomOperation(GUESTS, model, below));
    const oks = await Promise.all(operations.map(async ({ box, method, path, body }, index) => {
      const answer = await others[index]?.caller(box).send(method, path, body);
      await answer?.body?.cancel();
      log.push(`${operations[index]?.text}: ${answer?.status}`);
      assert(answer !== undefined && answer.status < 500, tell());
      return answer.ok;
    }));
    const done = operations.filter((_, index) => oks[index]);
    const steps = done.map(({ apply }) => apply);
    // a first run makes its context before the other operation, and runs after it
    const split = done.flatMap(({ begin, apply }) =>
      begin === undefined ? [] : [[begin, ...steps.filter((step) => step !== apply), apply]]
    );
    const orders = [steps, steps.toReversed(), ...split].map((order) =>
      order.reduce<Model | undefined>((before, apply) => before && apply(before), model)
    );
    const { now } = processes;
    const { runtime } = healthy;
    const observed = await observe(kv, { names: NAMES, runtime, now, caller: healthy.caller });
    const found = textOf(observed);
    const same = orders.find((each) => each !== undefined && textOf(each) === found);
    const wanted = orders.map((each) => each && textOf(each)).join("\nor\n");
    assert(same !== undefined, `${tell()}found\n${found}\nnot\n${wanted}`);
    model = withIds(same, observed);
  }
  await assertEmptyAfterAll(kv, processes, tell());
}

Deno.test(`forks: ${SEQUENCES} sequences with ends of processes leave what a plain model has`, async () => {
  const seed = printedSeed("forks");
  for (let n = 0; n < SEQUENCES; n++) await withTestStore((kv) => sequence(kv, seed + n));
});

Deno.test(`forks: in ${SEQUENCES} sequences, two operations at once have the outcome of one after the other`, async () => {
  const seed = printedSeed("forks at once");
  for (let n = 0; n < SEQUENCES; n++) await withTestStore((kv) => pairs(kv, seed + n));
});
