/**
 * An isolate program that lies about the state after a run in a context. The code of the run
 * selects the lie; `honest` leaves a state that nobody can restore, and a file. Bundled and spawned
 * by the tests.
 */
import { startGuardian } from "../../../runtimes/isolate/guardian.ts";
import {
  type ContextAnswerHead,
  encodeFrame,
  FRAME_READY,
  type RunAnswerHead,
  type RunHead,
} from "../../../runtimes/isolate/protocol.ts";
import { decodeMessage, encodeMessage } from "../../../shared/message.ts";

type Parts = readonly Uint8Array[];
interface Lie {
  readonly head?: Partial<RunAnswerHead>;
  readonly context?: Partial<Record<keyof ContextAnswerHead, unknown>> | null;
  readonly parts?: Parts;
}

const SEGMENT = new Uint8Array(100).fill(255);
const text = (value: string) => new TextEncoder().encode(value);
const CONTEXT: ContextAnswerHead = {
  memoryBytes: 1 << 20,
  globals: { pointer: 1 },
  pages: 3,
  reusedSegments: 0,
  cwd: "/workspace",
  clock: { epochMs: 1, monotonicMs: 1 },
  dirs: ["/workspace/d"],
  files: [["/workspace/d/f", 5]],
  deleted: [],
  captureMs: 1,
};

const inFile = (path: string): Lie => ({ context: { files: [[path, 5]] } });
const manyNames = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`g${n}`, n]));

const LIES: Readonly<Record<string, Lie>> = {
  "honest": {},
  "crash": { head: { ending: { kind: "crash" } }, context: null, parts: [] },
  "file outside": inFile("/etc/passwd"),
  "file above": inFile("/workspace/../etc/passwd"),
  "file below a dot": inFile("/workspace/d/./f"),
  "file with an empty name": inFile("/workspace/d//f"),
  "file that is the root": inFile("/workspace"),
  "file with a zero byte": inFile("/workspace/d/f\0"),
  "file with half a character": inFile("/workspace/d/\ud800"),
  "file with too long a name": inFile(`/workspace/d/${"x".repeat(256)}`),
  "file in no directory": inFile("/workspace/none/f"),
  "file that is a directory": inFile("/workspace/d"),
  "file twice": {
    context: { files: [["/workspace/f", 1], ["/workspace/f", 1]] },
    parts: [SEGMENT, text("a"), text("b")],
  },
  "file too large": { parts: [SEGMENT, new Uint8Array((4 << 20) + 1)] },
  "files too large together": {
    context: { files: [1, 2, 3, 4, 5].map((n) => [`/workspace/d/${n}`, 1]) },
    parts: [SEGMENT, ...[1, 2, 3, 4, 5].map(() => new Uint8Array(4 << 20))],
  },
  "too many directories": {
    context: { dirs: Array.from({ length: 5_000 }, (_, n) => `/workspace/${n}`), files: [] },
    parts: [SEGMENT],
  },
  "time that is no date": { context: { files: [["/workspace/d/f", 1e17]] } },
  "time that is no number": { context: { files: [["/workspace/d/f", null]] } },
  "directory outside": { context: { dirs: ["/etc", "/workspace/d"] } },
  "directory above": { context: { dirs: ["/workspace/d", "/workspace/d/.."] } },
  "directory in none": { context: { dirs: ["/workspace/d", "/workspace/x/y"] } },
  "directory twice": { context: { dirs: ["/workspace/d", "/workspace/d"] } },
  "deleted outside": { context: { deleted: ["/etc/passwd"] } },
  "cwd outside": { context: { cwd: "/etc" } },
  "cwd above": { context: { cwd: "/workspace/d/../.." } },
  "cwd that is no directory": { context: { cwd: "/workspace/none" } },
  "cwd that is a file": { context: { cwd: "/workspace/d/f" } },
  "cwd that is no text": { context: { cwd: 5 } },
  "reuses more segments than there are": { context: { reusedSegments: 1 } },
  "reuses segments without end": { context: { reusedSegments: 2 ** 40 } },
  "reuses fewer segments than none": { context: { reusedSegments: -1 } },
  "memory without end": { context: { memoryBytes: 2 ** 40 } },
  "the memory is not a whole number of pages": { context: { memoryBytes: 65_537 } },
  "more pages than memory": { context: { pages: 257 } },
  "globals that are no numbers": { context: { globals: { pointer: "1" } } },
  "globals out of range": { context: { globals: { pointer: 2 ** 40 } } },
  "globals by the thousand": { context: { globals: manyNames } },
  "clock of no time": { context: { clock: { epochMs: null, monotonicMs: 1 } } },
  "segment over the limit": { parts: [new Uint8Array((32 << 20) + 1), text("f")] },
  "no parts": { parts: [] },
  "no contents": { parts: [SEGMENT] },
  "parts too many": { parts: [SEGMENT, text("f"), text("g")] },
  "context of a crash": { context: null },
};

const frame = (kind: number, payload: Uint8Array) =>
  void Deno.stdout.writeSync(encodeFrame(kind, 0, payload));

await startGuardian();
Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => frame(FRAME_READY, text(JSON.stringify({ port }))),
}, async (request) => {
  const { head, parts: [code] } = decodeMessage(new Uint8Array(await request.arrayBuffer()));
  if (new URL(request.url).pathname === "/engine") return new Response(null, { status: 204 });
  const { run } = head as RunHead;
  const lie = LIES[new TextDecoder().decode(code)] ?? {};
  const answer = {
    run,
    ending: { kind: "none" },
    fuelConsumed: 1,
    memoryBytes: 1 << 20,
    durationMs: 1,
    resetMs: 0,
    outputBytes: 0,
    displayBytes: 0,
    healthy: true,
    ...lie.head,
    ...(lie.context === null ? {} : { context: { ...CONTEXT, ...lie.context } }),
  };
  const parts = lie.parts ?? [SEGMENT, text("f")];
  return new Response(encodeMessage(answer, [new Uint8Array(), ...parts]));
});
