/** The orders of an isolate that guests control are checked before anything runs. */
import { assertEquals, assertThrows } from "@std/assert";
import { isProgramPath } from "../../../runtimes/commands/language_commands.ts";
import { COMMAND_LIMITS } from "../../../runtimes/engine/program_command.ts";
import { FRAME_COMMAND, FRAME_COMMAND_PART } from "../../../runtimes/isolate/protocol.ts";
import { CommandMonitor } from "../../../runtimes/pool/command_monitor.ts";
import { LiveOutput } from "../../../runtimes/pool/live_output.ts";
import { SHARED_LIMITS } from "../../../shared/limits.ts";
import { decodeMessage, encodeMessage, ProtocolError } from "../../../shared/message.ts";

const HEAD = {
  words: ["python"],
  variables: [],
  directory: "/workspace",
  fuel: 5,
  live: {},
  removed: [],
  dirs: ["/tmp/d"],
  files: [["/workspace/a", 1]],
};
/** Before a message on the isolate's standard input. */
const LENGTH_BYTES = 4;
const PARTS = [new Uint8Array(), new Uint8Array(3)];

function monitor(workspaceBytes = 1_000_000) {
  const orders: (readonly string[])[] = [];
  const request = {
    code: "",
    env: new Map(),
    typescript: false,
    limits: { ...SHARED_LIMITS, fuel: 10 },
  };
  const made = new CommandMonitor({
    runner: ({ words }) => {
      orders.push(words);
      return new Promise(() => undefined);
    },
    tenant: "a",
    request,
    workspaceBytes,
    isPath: isProgramPath,
    monotonic: () => 0,
  });
  const push = (payload: Uint8Array<ArrayBuffer>, kind = FRAME_COMMAND) =>
    made.push({ kind, run: 1, payload });
  return { orders, push, made };
}

Deno.test("CommandMonitor runs an order that comes in pieces", () => {
  const { orders, push } = monitor();
  const message = encodeMessage(HEAD, PARTS);
  push(message.subarray(0, 10), FRAME_COMMAND_PART);
  push(message.subarray(10));
  assertEquals(orders, [["python"]]);
});

Deno.test("CommandMonitor refuses orders of another shape", () => {
  const heads = [
    { ...HEAD, words: [] },
    { ...HEAD, words: [1] },
    { ...HEAD, words: Array(COMMAND_LIMITS.words + 1).fill("") },
    { ...HEAD, fuel: 11 },
    { ...HEAD, fuel: -1 },
    { ...HEAD, live: undefined },
    { ...HEAD, live: { stdout: "file" } },
    { ...HEAD, live: { display: "stdout" } },
    { ...HEAD, removed: ["/workspace/b"] },
    { ...HEAD, dirs: ["/workspace/a"] },
    { ...HEAD, dirs: ["/etc"] },
    { ...HEAD, dirs: ["/tmp"] },
    { ...HEAD, files: [["/workspace/../a", 1]] },
    { ...HEAD, files: [["/tmp//a", 1]] },
    { ...HEAD, files: [["/workspace/a", 1e99]] },
    { ...HEAD, files: [] },
    undefined,
  ];
  for (const head of heads) {
    const { orders, push } = monitor();
    assertThrows(() => push(encodeMessage(head ?? null, PARTS)), ProtocolError);
    assertEquals(orders, []);
  }
  assertThrows(() => monitor().push(new Uint8Array(9)), ProtocolError);
});

Deno.test("CommandMonitor refuses too many bytes, and orders out of order", () => {
  const endless = monitor(0);
  assertThrows(() => {
    for (let bytes = 0; bytes < 64 * 2 ** 20; bytes += 2 ** 20) {
      endless.push(new Uint8Array(2 ** 20), FRAME_COMMAND_PART);
    }
  }, ProtocolError);
  assertThrows(() => monitor().push(new Uint8Array(), FRAME_COMMAND_PART), ProtocolError);
  const busy = monitor();
  busy.push(encodeMessage(HEAD, PARTS));
  assertThrows(() => busy.push(encodeMessage(HEAD, PARTS)), ProtocolError);
  const ended = monitor();
  ended.made.close();
  assertThrows(() => ended.push(encodeMessage(HEAD, PARTS)), ProtocolError);
  assertEquals(ended.orders, []);
});

Deno.test("LiveOutput sends what came while a message was under way as one message", async () => {
  const sent: { readonly text: string; readonly done: () => void }[] = [];
  const live = new LiveOutput((message) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { parts } = decodeMessage(message.slice(LENGTH_BYTES));
    sent.push({
      text: parts.map((part) => new TextDecoder().decode(part)).join("|"),
      done: resolve,
    });
    return promise;
  });
  const push = (stream: "stdout" | "stderr", text: string) =>
    live.push(stream, new TextEncoder().encode(text));
  push("stdout", "a");
  push("stdout", "b");
  push("stderr", "c");
  push("stdout", "d");
  assertEquals(sent.map(({ text }) => text), ["a|"]);
  let isSent = false;
  const all = live.sent().then(() => isSent = true);
  sent[0]?.done();
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals(sent.map(({ text }) => text), ["a|", "bd|c"]);
  assertEquals(isSent, false);
  sent[1]?.done();
  await all;
  push("stderr", "e");
  assertEquals(sent.at(-1)?.text, "|e");
});
