/**
 * The cost of large files: a CSV that is uploaded in three pieces, with `kill -9` of the service between
 * them, read back, summed by a program, forked and kept as a checkpoint. For each step the time, and
 * the most memory of the service's own process and of its largest isolate.
 *
 * `deno run --allow-all bench/larger_work.ts [MiB]`, or `… [MiB] tenants`: three tenants at once, each
 * with an upload, a sum, a checkpoint and a fork of its own.
 *
 * @module
 */
import { startService } from "../tests/support/service.ts";
import { processTree } from "../tests/support/process.ts";
import { table } from "./stats.ts";

const MIB = 1024 * 1024;
const SIZE_MIB = 200;
const PIECES = 3;
const SUM = "with open('big.csv') as f:\n" +
  "    total = sum(int(line.split(',', 2)[1]) for line in f)\ntotal";
const LOAD = "len(open('big.csv', 'rb').read())";

/** A CSV of so many bytes, and the sum of its second column. */
function csvOf(bytes: number): { readonly data: Uint8Array<ArrayBuffer>; readonly sum: number } {
  const data = new Uint8Array(bytes).fill(0x20);
  const encoder = new TextEncoder();
  let sum = 0;
  let row = 0;
  for (let at = 0; at + 128 <= bytes; at += 128) {
    const value = row * 7919 % 10_007;
    encoder.encodeInto(`${row++},${value},`, data.subarray(at));
    data[at + 127] = 0x0a;
    sum += value;
  }
  return { data: data.subarray(0, row * 128), sum };
}

/** The most memory of a process since the last time, in MiB. */
async function peakMib(pid: number): Promise<number> {
  try {
    const status = await Deno.readTextFile(`/proc/${pid}/status`);
    await Deno.writeTextFile(`/proc/${pid}/clear_refs`, "5"); // begins again
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0; // it has ended
  }
}

async function peaks(pid: number): Promise<readonly [own: number, isolate: number]> {
  const others = (await processTree(pid)).filter((other) => other !== pid);
  const isolates = await Promise.all(others.map(peakMib));
  return [await peakMib(pid), Math.max(0, ...isolates)];
}

/** One step: its name, its milliseconds, and the most MiB of the service and of an isolate. */
export type Step = readonly [name: string, ms: number, service: number, isolate: number];

/** Does all steps with a file of so many MiB. Rejects when an answer is not the right one. */
export async function largeWork(mib: number): Promise<readonly Step[]> {
  const folder = await Deno.makeTempDir();
  const env = {
    KV_PATH: `${folder}/data`,
    LANGUAGES: "python",
    ISOLATES: "1",
    FILE_BYTES: String(256 * MIB),
    WORKSPACE_BYTES: String(1024 * MIB),
    MEMORY_PYTHON: String(1024 * MIB),
    FUEL_PYTHON: "400000000000",
  };
  const { data, sum } = csvOf(mib * MIB);
  const rows: Step[] = [];
  try {
    let service = await startService(env);
    const box = () => `${service.url}/languages/python/sandboxes/box`;
    const step = async (name: string, work: () => Promise<void>) => {
      await peaks(service.pid);
      const began = performance.now();
      await work();
      const ms = Math.round(performance.now() - began);
      rows.push([name, ms, ...await peaks(service.pid)]);
    };
    const post = async (path: string, body: unknown) => {
      const headers = { "content-type": "application/json" };
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      const answer = await fetch(`${box()}${path}`, init);
      return await answer.json();
    };
    const expect = (found: unknown, expected: unknown) => {
      if (found !== expected) throw new Error(`${found}, not ${expected}`);
    };
    for (let piece = 0; piece < PIECES; piece++) {
      const [from, to] = [piece, piece + 1].map((n) => Math.floor(data.length * n / PIECES));
      await step(`piece ${piece + 1} of ${PIECES}`, async () => {
        const range = `bytes ${from}-${(to ?? 0) - 1}/${data.length}`;
        const init = { method: "PUT", headers: { "content-range": range } };
        const answer = await fetch(`${box()}/files/big.csv`, {
          ...init,
          body: data.subarray(from, to),
        });
        await answer.body?.cancel();
        expect(answer.status, piece + 1 < PIECES ? 202 : 201);
      });
      await service.end("SIGKILL");
      service = await startService(env);
    }
    await step("download", async () => {
      let length = 0;
      for await (const chunk of (await fetch(`${box()}/files/big.csv`)).body ?? []) {
        length += chunk.length;
      }
      expect(length, data.length);
    });
    await step("first run: the sum", async () => {
      expect((await post("/execute", { code: SUM })).results?.[0]?.text, String(sum));
    });
    await step("next run: 1 + 1", async () => {
      expect((await post("/execute", { code: "1 + 1" })).results?.[0]?.text, "2");
    });
    await step("a run that reads all of it at once", async () => {
      expect((await post("/execute", { code: LOAD })).results?.[0]?.text, String(data.length));
    });
    await step("checkpoint", async () => expect((await post("/checkpoints", {})).name, null));
    await step("fork", async () => expect((await post("/fork", { to: "copy" })).id, "copy"));
    await service.end("SIGTERM");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  return rows;
}

const TENANTS = ["a", "b", "c"];

/** The same work of three tenants at once, step by step. Rejects when an answer is not the right one. */
async function threeTenants(mib: number): Promise<readonly Step[]> {
  const folder = await Deno.makeTempDir();
  const { data, sum } = csvOf(mib * MIB);
  const rows: Step[] = [];
  try {
    await using service = await startService({
      KV_PATH: `${folder}/data`,
      LANGUAGES: "python",
      ISOLATES: "3",
      TOKENS: TENANTS.map((tenant) => `${tenant}:token-of-${tenant}`).join(),
      FILE_BYTES: String(256 * MIB),
      WORKSPACE_BYTES: String(1024 * MIB),
      FUEL_PYTHON: "400000000000",
    });
    const step = async (name: string, send: (call: Call) => Promise<Response>, text = "") => {
      await peaks(service.pid);
      const began = performance.now();
      await Promise.all(TENANTS.map(async (tenant) => {
        const answer = await send((path, init) =>
          fetch(`${service.url}/languages/python/sandboxes/box${path}`, {
            ...init,
            headers: {
              "content-type": "application/json",
              authorization: `Bearer token-of-${tenant}`,
            },
          })
        );
        const body = await answer.text();
        if (!answer.ok || !body.includes(text)) throw new Error(`${name}: ${answer.status}`);
      }));
      rows.push([name, Math.round(performance.now() - began), ...await peaks(service.pid)]);
    };
    const post = (path: string, body: object) => (call: Call) =>
      call(path, { method: "POST", body: JSON.stringify(body) });
    await step("three uploads", (call) => call("/files/big.csv", { method: "PUT", body: data }));
    await step("three sums", post("/execute", { code: SUM }), String(sum));
    await step("three checkpoints", post("/checkpoints", {}));
    await step("three forks", post("/fork", { to: "copy" }));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  return rows;
}

type Call = (path: string, init: RequestInit) => Promise<Response>;

if (import.meta.main) {
  const load = Deno.loadavg().map((value) => value.toFixed(1)).join(" ");
  const [mib = SIZE_MIB, kind] = Deno.args;
  const rows = await (kind === "tenants" ? threeTenants : largeWork)(Number(mib));
  const text = table(["step", "ms", "service, MiB", "isolate, MiB"], rows);
  Deno.stdout.writeSync(
    new TextEncoder().encode(`Load ${load}, Deno ${Deno.version.deno}\n\n${text}\n`),
  );
}
