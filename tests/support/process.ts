/**
 * Processes seen from outside, through Linux's `/proc`.
 *
 * @module
 */
import process from "node:process";
import { until } from "./wait.ts";

const MIB = 1024;
/** Milliseconds of a tick, Linux's unit of processor time. */
const TICK_MS = 10;

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

/** Proportional set size of a process and all below it, in MiB. */
export async function treeMemory(pid: number): Promise<number> {
  return await sumOfTree(pid, (sizes) => sizes.get("Pss") ?? 0);
}

/**
 * The private memory of a process and all below it, in MiB. Unlike
 * {@link treeMemory} it does not grow when other processes end that shared a program's pages.
 */
export async function treeOwnMemory(pid: number): Promise<number> {
  return await sumOfTree(pid, (sizes) => {
    return (sizes.get("Private_Dirty") ?? 0) + (sizes.get("Swap") ?? 0);
  });
}

async function sumOfTree(
  root: number,
  sizeOf: (kib: ReadonlyMap<string, number>) => number,
): Promise<number> {
  const texts = (await processTree(root)).map((pid) => readProc(`${pid}/smaps_rollup`));
  let sum = 0;
  for (const text of await Promise.all(texts)) {
    const lines = text.matchAll(/^(\w+):\s+(\d+) kB$/gm);
    sum += sizeOf(new Map([...lines].map(([, name = "", kib]) => [name, Number(kib)])));
  }
  return sum / MIB;
}

/** Processor time that some processes have used, in milliseconds; none for one that is gone. */
export async function processorMs(pids: readonly number[]): Promise<number> {
  let ticks = 0;
  for (const pid of pids) {
    const [, ...fields] = statOf(await readProc(`${pid}/stat`));
    ticks += Number(fields[10] ?? 0) + Number(fields[11] ?? 0);
  }
  return ticks * TICK_MS;
}

/**
 * Resolves when one of some processes that were idle has worked for a while: what was sent to it
 * is going by then, however slow the machine is.
 */
export async function atWork(pids: readonly number[], ms = 300): Promise<void> {
  const before = await Promise.all(pids.map((pid) => processorMs([pid])));
  await until(async () => {
    const now = await Promise.all(pids.map((pid) => processorMs([pid])));
    return now.some((time, index) => time >= (before[index] ?? 0) + ms);
  });
}

/**
 * Resolves when a process below another one has worked for a while, whenever it was started.
 * Returns all that are below by then.
 */
export async function atWorkBelow(root: number, ms = 300): Promise<readonly number[]> {
  const below = async () => (await processTree(root)).slice(1);
  const before = new Map<number, number>();
  for (const pid of await below()) before.set(pid, await processorMs([pid]));
  let found: readonly number[] = [];
  await until(async () => {
    found = await below();
    for (const pid of found) {
      const now = await processorMs([pid]);
      if (!before.has(pid)) before.set(pid, now);
      if (now >= (before.get(pid) ?? 0) + ms) return true;
    }
    return false;
  });
  return found;
}

/** Whether a process runs; one that only waits to be buried does not. */
export async function isAlive(pid: number): Promise<boolean> {
  const [state] = statOf(await readProc(`${pid}/stat`));
  return state !== undefined && !["", "Z", "X"].includes(state);
}

/** The fields of a process's `stat` from its state on; the name before it may hold anything. */
function statOf(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** A file of /proc; empty when its process is gone. */
async function readProc(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(`/proc/${path}`);
  } catch {
    return "";
  }
}

/**
 * Processor time of this process so far, in milliseconds. Unlike the time of a clock, it does not pass
 * while others have the processor.
 */
export function ownProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
