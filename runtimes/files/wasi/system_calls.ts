/**
 * The calls that do not concern files: environment, clocks, sleeping, randomness, exit.
 *
 * @module
 */
import { clockTime } from "./clock_time.ts";
import { ProcessExit } from "./errors.ts";
import { nanoseconds } from "./file_stat.ts";
import { type CallOptions, hostCall } from "./host_call.ts";
import { pollOneoff } from "./poll.ts";

/** Fuel for a random byte: the generator makes about two per nanosecond. */
const RANDOM_BYTE_FUEL = 4;
/** Resolution of the clocks of a run. */
const RESOLUTION_NS = 1_000n;

function environmentCalls(parts: CallOptions) {
  const { memory } = parts;
  const encoder = new TextEncoder();
  const strings = () => [...parts.env].map(([key, value]) => encoder.encode(`${key}=${value}\0`));
  return {
    environ_sizes_get: hostCall(parts, (count: number, size: number) => {
      const all = strings();
      memory.setUint32(count, all.length);
      memory.setUint32(size, all.reduce((sum, { length }) => sum + length, 0));
    }),
    environ_get: hostCall(parts, (pointers: number, buffer: number) => {
      let at = buffer >>> 0;
      for (const [index, bytes] of strings().entries()) {
        memory.setUint32((pointers >>> 0) + index * 4, at);
        memory.bytes(at, bytes.length).set(bytes);
        at += bytes.length;
      }
    }),
  };
}

function clockCalls(parts: CallOptions) {
  const { memory, clock } = parts;
  return {
    clock_res_get: hostCall(parts, (id: number, result: number) => {
      clockTime(clock, id);
      memory.setUint64(result, RESOLUTION_NS);
    }),
    clock_time_get: hostCall(parts, (id: number, _precision: bigint, result: number) => {
      memory.setUint64(result, nanoseconds(clockTime(clock, id)));
    }),
    poll_oneoff: hostCall(
      parts,
      (subscriptions: number, events: number, count: number, done: number) => {
        const happened = pollOneoff(parts, subscriptions >>> 0, events >>> 0, count >>> 0);
        memory.setUint32(done, happened);
      },
    ),
  };
}

/** All calls about the process. */
export function systemCalls(parts: CallOptions): WebAssembly.ModuleImports {
  return {
    ...environmentCalls(parts),
    ...clockCalls(parts),
    random_get: hostCall(parts, (buffer: number, length: number) => {
      const into = parts.memory.bytes(buffer, length);
      parts.charge(into.length * RANDOM_BYTE_FUEL);
      parts.random(into);
    }),
    proc_exit: (status: number) => {
      throw new ProcessExit(status);
    },
  };
}
