/**
 * A service in a process of its own, for tests and benchmarks that look at it from outside.
 *
 * @module
 */
import type { ExecutionResult } from "../../wire/types.ts";
import { SERVICE_FLAGS } from "./service_flags.ts";

/** A running service. */
export interface Service extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

const READY = /(http:\/\/\S+)\s*$/m;

/** Starts the service on an ephemeral port; `env` adds to its environment. */
export async function startService(env: Record<string, string> = {}): Promise<Service> {
  const project = new URL("../../", import.meta.url);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", ...SERVICE_FLAGS, new URL("main.ts", project).href],
    cwd: project,
    env: { PORT: "0", KV_PATH: ":memory:", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const url = await readUrl(child.stdout);
  return {
    url,
    pid: child.pid,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

async function readUrl(stdout: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stdout.getReader();
  const decoder = new TextDecoder();
  try {
    for (let text = "";;) {
      const { done, value } = await reader.read();
      if (done) throw new Error("The service ended before it listened");
      text += decoder.decode(value, { stream: true });
      const url = READY.exec(text)?.[1];
      if (url !== undefined) return url;
    }
  } finally {
    await reader.cancel();
  }
}

/** Runs code over HTTP; gives the answer's result and its timing header. */
export async function execute(
  url: string,
  language: string,
  code: string,
): Promise<{ readonly result: ExecutionResult; readonly timing: string }> {
  const response = await fetch(`${url}/execute/${language}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  const result: ExecutionResult = await response.json();
  if (!response.ok) throw new Error(`The service answered ${response.status}`);
  return { result, timing: response.headers.get("server-timing") ?? "" };
}

/** The parts of a `Server-Timing` header in milliseconds. */
export function timingParts(header: string): ReadonlyMap<string, number> {
  const parts = header.split(",").map((part) => /^\s*([\w-]+);dur=([\d.]+)/.exec(part));
  return new Map(parts.flatMap((match) => match ? [[match[1] ?? "", Number(match[2])]] : []));
}

/** Proportional set size of a process and all below it, in MiB. */
export async function treeMemory(pid: number): Promise<number> {
  const pids = await processTree(pid);
  const sizes = await Promise.all(pids.map(proportionalSize));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function proportionalSize(pid: number): Promise<number> {
  const text = await readProc(`${pid}/smaps_rollup`);
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
}

/** A process and its descendants. */
export async function processTree(root: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(/^PPid:\s+(\d+)/m.exec(await readProc(`${name}/status`))?.[1] ?? 0);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/** A file of /proc; empty when its process is gone. */
async function readProc(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(`/proc/${path}`);
  } catch {
    return "";
  }
}
