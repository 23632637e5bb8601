// test: long
/** A CSV of 200 MiB in three pieces with kill -9 between, read, summed, forked: in bounded memory. */
import { assert } from "@std/assert";
import { largeWork } from "../../bench/larger_work.ts";

/** Most memory of the service's own process, in MiB: the file once, and what it takes by itself. */
const MOST_MIB = 600;

Deno.test("service: a file of 200 MiB is in its memory at most once", async () => {
  for (const [step, , service] of await largeWork(200)) {
    assert(service < MOST_MIB, `${step}: ${service} MiB`);
  }
});
