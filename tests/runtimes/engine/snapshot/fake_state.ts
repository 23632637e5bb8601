/** An engine's state without an engine: a memory to write into, for tests of the snapshotter. */
import { Buffer } from "node:buffer";
import { assert } from "@std/assert";
import { Baseline } from "../../../../runtimes/engine/baseline.ts";
import { RunClock } from "../../../../runtimes/engine/clock.ts";
import type { GuestFileSystem } from "../../../../runtimes/files/guest_file_system.ts";
import { createGuestFileSystem } from "../../../../runtimes/files/memory_file_system.ts";
import type { MemoryImage, MemoryRange, MemorySpan } from "../../../../runtimes/engine/image.ts";
import type {
  EngineState,
  GlobalValues,
} from "../../../../runtimes/engine/snapshot/engine_state.ts";
import { SNAPSHOT_PAGE_BYTES } from "../../../../runtimes/engine/snapshot/page_hash.ts";

export const MEMORY_PAGE_BYTES = 65_536;

/** A memory at an image, which can be written, grown and put back. */
export class FakeState implements EngineState {
  readonly baseline: Baseline<unknown>;
  readonly files: GuestFileSystem;
  readonly clock = new RunClock({ now: () => 0, monotonic: () => 0 });
  readonly maximumBytes: number;
  spans: readonly MemorySpan[] | undefined;
  values: GlobalValues = { pointer: 1 };
  #memory: Uint8Array<ArrayBuffer>;

  constructor(baseline: MemoryImage<unknown>, maximumBytes: number) {
    this.baseline = new Baseline(baseline);
    this.maximumBytes = maximumBytes;
    this.files = createGuestFileSystem({
      now: () => 0,
      streams: { output: () => true },
      random: () => undefined,
    });
    this.#memory = memoryOf(baseline);
  }

  memory(): Uint8Array<ArrayBuffer> {
    return this.#memory;
  }

  liveSpans(): readonly MemorySpan[] {
    return this.spans ?? [[0, this.#memory.length]];
  }

  globals(): GlobalValues {
    return this.values;
  }

  setGlobals(values: GlobalValues): void {
    this.values = values;
  }

  /** Adds memory that is zero. */
  grow(bytes: number): void {
    const grown = new Uint8Array(bytes);
    grown.set(this.#memory);
    this.#memory = grown;
  }

  beginRestore(bytes: number): void {
    if (bytes < this.#memory.length || bytes > this.maximumBytes) throw new RangeError("size");
    this.grow(bytes);
  }

  reset(): void {
    this.#memory = memoryOf(this.baseline);
  }

  endRun(): void {}

  workingDirectory(): string {
    return "/workspace";
  }
}

/** The memory that an image describes. */
export function memoryOf(image: MemoryImage<unknown>): Uint8Array<ArrayBuffer> {
  const memory = new Uint8Array(image.pages * MEMORY_PAGE_BYTES);
  for (const { at, data } of image.ranges) memory.set(data, at);
  return memory;
}

/** An image with ranges at odd places and of odd lengths, some of them next to each other. */
export function randomImage(random: () => number, pages: number): MemoryImage<unknown> {
  const ranges: MemoryRange[] = [];
  const end = pages * MEMORY_PAGE_BYTES;
  for (let at = below(random, 9000); at < end;) {
    const length = Math.min(end - at, 1 + below(random, random() < 0.3 ? 200_000 : 9000));
    // a view into a larger buffer, as in decoded images
    const shift = below(random, 9);
    const data = new Uint8Array(length + shift).subarray(shift);
    fill(data, random);
    ranges.push({ at, data });
    at += length + (random() < 0.3 ? 0 : below(random, 20_000));
  }
  return { head: {}, pages, ranges };
}

/** Fills with noise, leaving runs of zeros. */
export function fill(bytes: Uint8Array, random: () => number): void {
  for (let at = 0; at < bytes.length; at++) {
    if (random() < 0.001) at += below(random, 5000);
    if (at < bytes.length) bytes[at] = below(random, 256);
  }
}

export function below(random: () => number, limit: number): number {
  return Math.floor(random() * limit);
}

/** Numbers of the pages in which two memories differ; what only one has counts as zero there. */
export function differentPages(one: Uint8Array, other: Uint8Array): number[] {
  const found: number[] = [];
  const length = Math.max(one.length, other.length);
  for (let at = 0; at < length; at += SNAPSHOT_PAGE_BYTES) {
    for (let i = at; i < at + SNAPSHOT_PAGE_BYTES; i++) {
      if ((one[i] ?? 0) === (other[i] ?? 0)) continue;
      found.push(at / SNAPSHOT_PAGE_BYTES);
      break;
    }
  }
  return found;
}

/** Compares at the speed of `memcmp`. */
export function assertSameBytes(actual: Uint8Array, expected: Uint8Array, message = ""): void {
  assert(Buffer.compare(actual, expected) === 0, `other bytes, or another length ${message}`);
}
