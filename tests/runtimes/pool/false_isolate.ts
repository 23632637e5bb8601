/**
 * An isolate program that breaks the protocol. The build name of the engine that it receives
 * selects how. Bundled and spawned by the tests.
 */
import { startGuardian } from "../../../runtimes/isolate/guardian.ts";
import { encodeFrame, FRAME_READY } from "../../../runtimes/isolate/protocol.ts";
import { decodeMessage, encodeMessage } from "../../../shared/message.ts";

const HEAD = {
  run: 1,
  ending: { kind: "text" },
  fuelConsumed: 1,
  memoryBytes: 1,
  durationMs: 1,
  resetMs: 0,
  outputBytes: 0,
  displayBytes: 0,
  healthy: true,
};
const text = (value: string) => new TextEncoder().encode(value);
const frame = (kind: number, run: number, payload: Uint8Array) =>
  void Deno.stdout.writeSync(encodeFrame(kind, run, payload));

const BEHAVIOURS: Readonly<Record<string, () => Response>> = {
  "honest": () => {
    frame(1, 1, text("out\n"));
    return new Response(encodeMessage({ ...HEAD, outputBytes: 4 }, [text("value")]));
  },
  "busy": () => {
    frame(1, 1, text("before\n"));
    for (;;);
  },
  "silent": () => Deno.exit(0),
  "status 500": () => new Response("oops", { status: 500 }),
  "garbage body": () => new Response("<html>"),
  "wrong shape": () => new Response(encodeMessage({ ...HEAD, ending: { kind: "gift" } })),
  "another run": () => new Response(encodeMessage({ ...HEAD, run: 2 })),
  "endless body": () =>
    new Response(
      new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }),
    ),
  "garbage output": () => {
    Deno.stdout.writeSync(text("x".repeat(100)));
    return new Response(encodeMessage(HEAD));
  },
  "huge frame": () => {
    const header = encodeFrame(1, 1, new Uint8Array());
    new DataView(header.buffer).setUint32(5, 0xffffffff, true);
    Deno.stdout.writeSync(header);
    return new Response(encodeMessage(HEAD));
  },
  "output of another run": () => {
    frame(1, 9, text("x"));
    return new Response(encodeMessage(HEAD));
  },
  "too much output": () => {
    for (let i = 0; i < 3; i++) frame(1, 1, new Uint8Array(500));
    return new Response(encodeMessage(HEAD));
  },
  "a display that is none": () => {
    frame(5, 1, text('{"data":{}}'));
    return new Response(encodeMessage(HEAD));
  },
  "too many displays": () => {
    for (let i = 0; i < 17; i++) frame(5, 1, text('{"data":{"a/b":1}}'));
    return new Response(encodeMessage(HEAD));
  },
  "claims displays over the limit": () =>
    new Response(encodeMessage({ ...HEAD, displayBytes: 1 << 30 })),
  "claims output over the limit": () =>
    new Response(encodeMessage({ ...HEAD, outputBytes: 1 << 30 })),
  "a call that nobody may make": () => {
    frame(6, 1, text('{"number":1,"name":"a","fuel":1}\n{}'));
    return new Response(encodeMessage(HEAD));
  },
  "calls, and counts none": () => {
    frame(6, 1, text('{"number":1,"name":"a","fuel":1}\n{}'));
    return new Response(encodeMessage(HEAD));
  },
  "answers while it waits": () => {
    frame(
      7,
      1,
      text('{"calls":[],"input":false,"maxMs":1,"fuel":1,"memoryBytes":65536,"recorded":false}'),
    );
    return new Response(encodeMessage({ ...HEAD, calls: { calls: 0, waits: 1 } }));
  },
  "a call out of order": () => {
    frame(6, 1, text('{"number":2,"name":"a","fuel":1}\n{}'));
    return new Response(encodeMessage({ ...HEAD, calls: { calls: 2, waits: 0 } }));
  },
  "calls": () => {
    frame(6, 1, text('{"number":1,"name":"a","fuel":1}\n{}'));
    return new Response(encodeMessage({ ...HEAD, calls: { calls: 1, waits: 0 } }));
  },
  "late call": () => {
    setTimeout(() => frame(6, 1, text('{"number":1,"name":"a","fuel":1}\n{}')), 50);
    return new Response(encodeMessage({ ...HEAD, calls: { calls: 1, waits: 0 } }));
  },
  "ready again": () => {
    frame(FRAME_READY, 0, text(JSON.stringify({ port: 1 })));
    return new Response(encodeMessage(HEAD));
  },
  "output when nothing runs": () => {
    setTimeout(() => frame(1, 1, text("late")), 1_000);
    return new Response(encodeMessage(HEAD));
  },
  "redirect": () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1/" } }),
};

/** Answers to the engine itself. */
const REFUSALS: Readonly<Record<string, () => Response>> = {
  "refuses": () => new Response(`no\u001b[31m\nmemory\u202e${"!".repeat(10_000)}`, { status: 500 }),
  "refuses without end": () =>
    new Response(
      new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }),
      { status: 500 },
    ),
};

let behaviour = "";
await startGuardian();
Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => frame(FRAME_READY, 0, text(JSON.stringify({ port }))),
}, async (request) => {
  const { head } = decodeMessage(new Uint8Array(await request.arrayBuffer()));
  if (new URL(request.url).pathname === "/engine") {
    behaviour = String(Reflect.get(Object(head), "build"));
    return REFUSALS[behaviour]?.() ?? new Response(null, { status: 204 });
  }
  return BEHAVIOURS[behaviour]?.() ?? new Response(null, { status: 404 });
});
