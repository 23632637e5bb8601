// test: slow
import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { RunClock } from "../../../../runtimes/engine/clock.ts";
import {
  answerHostCall,
  type HostServices,
  type PaidService,
  type RunControl,
} from "../../../../runtimes/languages/javascript/host/host_calls.ts";
import { replaceSurrogates } from "../../../../runtimes/languages/javascript/host/quickjs.ts";
import { threadMs } from "../../../support/figures.ts";

const NO_SERVICE = { fuel: () => 0, workFuel: () => 0, call: () => undefined };
const SERVICES: HostServices = {
  intl: NO_SERVICE,
  files: NO_SERVICE,
  modules: NO_SERVICE,
  onDemand: "",
  hashes: { serve: () => undefined },
  ciphers: { serve: () => undefined },
  texts: { serve: () => undefined },
  random: (target) => void target.fill(7),
};

/** The charge of a call, and its reply. */
function call(operation: string, text: string) {
  let charged = 0;
  const written: string[] = [];
  const run: RunControl = {
    clock: new RunClock({ now: () => 0, monotonic: () => 0 }),
    write: (_stream, bytes) => void written.push(new TextDecoder().decode(bytes)),
    wallMs: 1_000,
    displayBytes: 1 << 20,
    charge: (units) => {
      charged += units;
      return true;
    },
    stop: () => undefined,
    exit: () => undefined,
  };
  const utf8 = new TextEncoder().encode(text);
  const reply = answerHostCall(operation, SERVICES, run, {
    count: 2,
    text: () => text,
    utf8: () => utf8,
    bytes: () => undefined,
    data: () => utf8,
  });
  return { charged, written, reply };
}

Deno.test("host calls: each random byte has a price, and there are never more than requested", () => {
  const [few, many, toomany] = ["16", "65536", "1e9"].map((count) => call("random", count));
  assertEquals(few?.reply, new Uint8Array(16).fill(7));
  assertEquals([many?.reply?.length, toomany?.reply?.length], [65_536, 65_536]);
  assertGreater(many?.charged ?? 0, 500_000);
  for (const odd of ["-1", "NaN", "1.5", "", "x"]) {
    assertEquals(call("random", odd).reply, new Uint8Array());
  }
});

Deno.test("host calls: a write pays for its transfer to the parent, even if it is short", () => {
  const { charged, written } = call("out", "x");
  assertEquals(written, ["x"]);
  assertGreater(charged, 10_000);
});

Deno.test("host calls: an unlisted operation does nothing", () => {
  for (const operation of ["", "eval", "__proto__", "constructor"]) {
    assertEquals(call(operation, "x").reply, undefined);
  }
});

Deno.test("host calls: moved data costs fuel, also if the request is refused", () => {
  const [few, many] = [1, 1_000].map((copies) => {
    const data = new Uint8Array(1_000);
    let charged = 0;
    const run: RunControl = {
      clock: new RunClock({ now: () => 0, monotonic: () => 0 }),
      write: () => undefined,
      wallMs: 1_000,
      displayBytes: 1 << 20,
      charge: (units) => {
        charged += units;
        return true;
      },
      stop: () => undefined,
      exit: () => undefined,
    };
    const refusing: PaidService = {
      serve: (args) => {
        for (let i = 2; i < args.count + 2; i++) args.data(i);
        return undefined;
      },
    };
    const args = {
      count: 2 + copies,
      text: () => "",
      utf8: () => data,
      bytes: () => data,
      data: () => data,
    };
    answerHostCall("cipher", { ...SERVICES, ciphers: refusing }, run, args);
    return charged;
  });
  // a nanosecond is 12 units: a piece takes half a microsecond, a byte half a nanosecond
  assertGreater(few ?? 0, 10_000);
  assertEquals(many, 1_000 * (few ?? 0));
});

/** The processor time of scanning a text that repeats three bytes a number of times. */
function replacing(bytes: readonly number[], copies: number) {
  const data = new Uint8Array(3 * copies);
  for (let at = 0; at < data.length; at += 3) data.set(bytes, at);
  const began = threadMs();
  replaceSurrogates(data);
  return { ms: threadMs() - began, end: data.subarray(-3) };
}

Deno.test("host calls: text that consists only of surrogates is repaired as fast as any", () => {
  let [slow, fast] = [Infinity, Infinity];
  for (let tries = 0; tries < 5; tries++) {
    const { ms, end } = replacing([0xed, 0xa0, 0x80], 8 << 20);
    assertEquals(end, new Uint8Array([0xef, 0xbf, 0xbd]));
    slow = Math.min(slow, ms);
    fast = Math.min(fast, replacing([0xed, 0x9e, 0xa3], 8 << 20).ms);
  }
  assertLess(slow, 5 * fast);
  const mixed = new Uint8Array([0xed, 0x9f, 0xbf, 0x61, 0xed, 0xbf, 0xbf, 0xed, 0xa0]);
  replaceSurrogates(mixed);
  assertEquals([...mixed], [0xed, 0x9f, 0xbf, 0x61, 0xef, 0xbf, 0xbd, 0xef, 0xbf]);
});
