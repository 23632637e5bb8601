// test: long
/**
 * Random kills under load. `KILLS` says how many, `SEED` repeats a sequence of kills; their exact
 * moments depend on the machine.
 */
import { assert } from "@std/assert";
import { count } from "../support/counts.ts";
import { killStorm } from "../support/kill_storm.ts";

const KILLS = Number(Deno.env.get("KILLS") ?? count(5, 100));
const SEED = Number(Deno.env.get("SEED") ?? Date.now() % 1_000_000);

Deno.test(`kill storm: ${KILLS} kills under load lose nothing and leave nothing, SEED=${SEED}`, {
  ignore: Deno.build.os !== "linux",
}, async () => {
  const counts = await killStorm({ kills: KILLS, seed: SEED, between: 20, leaseMs: 2_000 });
  // a slow machine answers little between two kills
  assert(counts.answered > 0, "there was no load");
});
