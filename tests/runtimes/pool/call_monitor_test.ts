import { assertEquals, assertThrows } from "@std/assert";
import { CallMonitor } from "../../../runtimes/pool/call_monitor.ts";
import { CALL_LIMITS } from "../../../shared/call_limits.ts";
import { ProtocolError } from "../../../shared/message.ts";
import type { Delivery, ProgramWait, RunCalls } from "../../../shared/run_calls.ts";
import { callFrame, waitFrame } from "./calling_isolate.ts";

interface Bench {
  readonly monitor: CallMonitor;
  readonly reports: string[];
  readonly waits: ProgramWait[];
  readonly sent: Uint8Array[];
}

function benchOf(options: Partial<RunCalls> = {}, answer?: Promise<Delivery | undefined>): Bench {
  const reports: string[] = [];
  const waits: ProgramWait[] = [];
  const sent: Uint8Array[] = [];
  const monitor = new CallMonitor({
    tools: [],
    interactive: true,
    seed: new Uint8Array(32),
    startMs: 0,
    recorded: [],
    called: ({ number, name, arguments: json }) => reports.push(`${number} ${name} ${json}`),
    wait: (wait) => {
      waits.push(wait);
      return answer ?? new Promise(() => undefined);
    },
    ...options,
  }, { blocked: () => reports.push("blocked"), resumed: () => reports.push("resumed") });
  monitor.attach({ prompt: () => "Name? ", send: (bytes) => sent.push(bytes) });
  return { monitor, reports, waits, sent };
}

function textFrame(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

Deno.test("call monitor: the caller gets calls and waits in their order, with the question", () => {
  const { monitor, reports, waits } = benchOf();
  monitor.call(callFrame(1, "crm.find", '{"q": 1.10}'));
  monitor.call(callFrame(2));
  monitor.wait(waitFrame({ calls: [2, 1], input: true, maxMs: 5 }));
  assertEquals(reports, ['1 crm.find {"q": 1.10}', "2 echo {}", "blocked"]);
  assertEquals(waits, [{
    calls: [2, 1],
    prompt: "Name? ",
    maxMs: 5,
    fuel: 1,
    memoryBytes: 65_536,
  }]);
  assertEquals(monitor.counts, { calls: 2, waits: 1 });
});

Deno.test("call monitor: an answered call is not waited for again", async () => {
  const { monitor, reports, sent } = benchOf({}, Promise.resolve({ atMs: 1, call: 1, value: "1" }));
  monitor.call(callFrame(1));
  monitor.wait(waitFrame({ calls: [1] }));
  await Promise.resolve().then(() => Promise.resolve()).then(() => Promise.resolve());
  assertEquals([reports.slice(1), sent.length], [["blocked", "resumed"], 1]);
  assertThrows(() => monitor.wait(waitFrame({ calls: [1] })), ProtocolError, "out of order");
});

Deno.test("call monitor: a delivery that does not end the wait takes the isolate back", async () => {
  const others: readonly Delivery[] = [
    { atMs: 1, call: 2, value: "1" },
    { atMs: 1, elapsed: true },
    { atMs: 1, input: "x\n" },
  ];
  for (const delivery of others) {
    const { monitor } = benchOf({}, Promise.resolve(delivery));
    monitor.call(callFrame(1));
    monitor.wait(waitFrame({ calls: [1] }));
    await Promise.resolve().then(() => Promise.resolve()).then(() => Promise.resolve());
    assertEquals([monitor.isReleased, monitor.isWaiting], [true, false]);
  }
});

const DEEP = `{"a":${"[".repeat(100)}`;
const LONG = JSON.stringify({ a: "x".repeat(CALL_LIMITS.argumentBytes) });

/** Frames that no isolate sends: what came before them, and the fault. */
const FAULTS: Readonly<Record<string, readonly [(bench: Bench) => void, string]>> = {
  "a call without arguments": [({ monitor }) => monitor.call(textFrame("{}")), "without arguments"],
  "a call that is no JSON": [({ monitor }) => monitor.call(textFrame("{\n{}")), "no JSON"],
  "bytes that are no text": [
    ({ monitor }) => monitor.call(Uint8Array.of(0xff, 10, 123, 125)),
    "no text",
  ],
  "a head of another shape": [
    ({ monitor }) => monitor.call(textFrame('{"number":"1"}\n{}')),
    "another shape",
  ],
  "a number that is not the next": [({ monitor }) => monitor.call(callFrame(2)), "out of order"],
  "a number twice": [({ monitor }) => {
    monitor.call(callFrame(1));
    monitor.call(callFrame(1));
  }, "out of order"],
  "a name of another form": [
    ({ monitor }) => monitor.call(callFrame(1, "a b")),
    "out of order",
  ],
  "a name that is too long": [
    ({ monitor }) => monitor.call(callFrame(1, "a".repeat(CALL_LIMITS.nameLength + 1))),
    "out of order",
  ],
  "arguments that are no object": [
    ({ monitor }) => monitor.call(callFrame(1, "a", "[1]")),
    "other arguments",
  ],
  "arguments that are cut": [
    ({ monitor }) => monitor.call(callFrame(1, "a", DEEP)),
    "other arguments",
  ],
  "arguments that are too long": [
    ({ monitor }) => monitor.call(callFrame(1, "a", LONG)),
    "over the limit",
  ],
  "one call too many without an answer": [({ monitor }) => {
    for (let number = 1; number <= CALL_LIMITS.pending + 1; number++) {
      monitor.call(callFrame(number));
    }
  }, "over the limit"],
  "a call while the program waits": [({ monitor }) => {
    monitor.wait(waitFrame({ maxMs: 1 }));
    monitor.call(callFrame(1));
  }, "out of order"],
  "a wait while the program waits": [({ monitor }) => {
    monitor.wait(waitFrame({ maxMs: 1 }));
    monitor.wait(waitFrame({ maxMs: 1 }));
  }, "out of order"],
  "a wait for a call that was not made": [
    ({ monitor }) => monitor.wait(waitFrame({ calls: [1] })),
    "out of order",
  ],
  "a wait for a call twice": [({ monitor }) => {
    monitor.call(callFrame(1));
    monitor.wait(waitFrame({ calls: [1, 1] }));
  }, "out of order"],
  "a wait for nothing": [({ monitor }) => monitor.wait(waitFrame()), "out of order"],
  "a wait for a time before now": [
    ({ monitor }) => monitor.wait(waitFrame({ maxMs: -1 })),
    "another shape",
  ],
  "a wait that claims a delivery": [
    ({ monitor }) => monitor.wait(waitFrame({ maxMs: 1, recorded: true })),
    "another attempt",
  ],
  "a wait after the isolate was asked back": [({ monitor }) => {
    monitor.wait(waitFrame({ maxMs: 1 }));
    monitor.release();
    monitor.wait(waitFrame({ maxMs: 1 }));
  }, "out of order"],
  "a wait of endless length": [
    ({ monitor }) => monitor.wait(textFrame(" ".repeat(5_000))),
    "too large",
  ],
};

Deno.test("call monitor: frames that do not fit are a fault of the process", async (t) => {
  for (const [name, [send, fault]] of Object.entries(FAULTS)) {
    await t.step(name, () => void assertThrows(() => send(benchOf()), ProtocolError, fault));
  }
});

Deno.test("call monitor: input is a fault where the caller gives none", () => {
  const { monitor } = benchOf({ interactive: false });
  assertThrows(() => monitor.wait(waitFrame({ input: true })), ProtocolError, "out of order");
});

Deno.test("call monitor: after the end of input nobody is asked for more", () => {
  const { monitor } = benchOf({ recorded: [{ atMs: 1, input: null }] });
  monitor.wait(waitFrame({ input: true, recorded: true }));
  assertThrows(() => monitor.wait(waitFrame({ input: true })), ProtocolError, "out of order");
});

Deno.test("call monitor: all calls and all their arguments are bounded", () => {
  const recorded = Array.from(
    { length: CALL_LIMITS.calls + 1 },
    (_, index): Delivery => ({ atMs: 1, call: index + 1, value: "1" }),
  );
  const each = (json: string, calls: number) => {
    const { monitor } = benchOf({ recorded });
    for (let number = 1; number <= calls; number++) {
      monitor.call(callFrame(number, "a", json));
      monitor.wait(waitFrame({ calls: [number], recorded: true }));
    }
  };
  each("{}", CALL_LIMITS.calls);
  assertThrows(() => each("{}", CALL_LIMITS.calls + 1), ProtocolError, "over the limit");
  const most = JSON.stringify({ a: "x".repeat(CALL_LIMITS.argumentBytes - 8) });
  const count = CALL_LIMITS.allArgumentBytes / CALL_LIMITS.argumentBytes;
  each(most, count);
  assertThrows(() => each(most, count + 1), ProtocolError, "over the limit");
});
