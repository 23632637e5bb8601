/** A process's knowledge of sandboxes, and when it counts as current. */
import { assertEquals } from "@std/assert";
import { StateCache } from "../../sandbox/stored_sandbox.ts";
import { emptyRecord, type SandboxState } from "../../sandbox/root_record.ts";

const address = { tenant: "t", id: "box" };

function state(version: number | null): SandboxState {
  const counter = { key: ["counter"], versionstamp: null, count: 0 };
  return {
    address,
    record: version === null ? undefined : emptyRecord("life", 0),
    versionstamp: version === null ? null : String(version).padStart(20, "0"),
    sandboxes: counter,
    bytes: counter,
  };
}

Deno.test("known states: steady once a read finds what this process wrote, until others write", () => {
  const known = new StateCache(() => 0);
  known.wrote(state(1));
  assertEquals(known.steady(address), undefined);
  known.read(state(1));
  known.wrote(state(2));
  assertEquals(known.steady(address), state(2));
  known.read(state(1)); // a late answer
  assertEquals(known.steady(address), state(2));
  known.read(state(3));
  assertEquals([known.steady(address), known.last(address)], [undefined, state(3)]);
  known.wrote(state(4));
  known.read(state(4));
  known.doubt(address);
  assertEquals(known.steady(address), undefined);
  known.read(state(null));
  assertEquals(known.last(address), undefined);
});

Deno.test("known states: counters of the tenant are read again in time, however much is written", () => {
  let now = 0;
  const known = new StateCache(() => now);
  known.wrote(state(1));
  known.read(state(1));
  for (let version = 2; version < 10; version++) {
    now += 8_000;
    known.wrote(state(version));
    assertEquals(known.steady(address) !== undefined, now <= 60_000);
  }
});
