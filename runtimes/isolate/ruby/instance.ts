/**
 * A booted Ruby: an instance made from the image, and the driver's calls.
 *
 * @module
 */
import type { WasiHost } from "../wasi/host.ts";
import { WASM_PAGE_BYTES } from "../wasm_page.ts";
import { UNLIMITED_FUEL } from "../fuel.ts";
import type { Baseline } from "./baseline.ts";
import { STACK_TOP } from "./ruby_abi.ts";
import { type MethodId, RubyVm, type ValueHandle } from "./ruby_vm.ts";

/** Fuel for reporting where a program stopped. */
const TRACE_FUEL = 200_000_000n;

/** What an image stores in addition to memory. */
export interface ImageHead {
  /** Mutable globals by name. */
  readonly globals: Readonly<Record<string, number>>;
  /**
   * The driver's module, and its methods: one runs the program, one writes what open files hold, one
   * reports where the program stopped.
   */
  readonly driver: ValueHandle;
  readonly run: MethodId;
  readonly flushFiles: MethodId;
  readonly stoppedAt: MethodId;
}

/** The parts that every instance is made from. */
export interface InstanceOptions {
  readonly module: WebAssembly.Module;
  readonly head: ImageHead;
  readonly pages: number;
  readonly baseline: Baseline;
}

/** The driver failed at something that must never fail. */
class DriverError extends Error {
  override name = "DriverError";
}

/** An instance made from the image. */
export class Instance {
  readonly vm: RubyVm;
  readonly #options: InstanceOptions;

  constructor(parts: InstanceOptions, host: WasiHost) {
    this.#options = parts;
    this.vm = new RubyVm(parts.module, host);
    const missing = parts.pages - this.vm.bytes.length / WASM_PAGE_BYTES;
    if (missing > 0) this.vm.memory.grow(missing);
    if (!this.restore()) throw new DriverError("the module starts with more memory than the image");
  }

  /**
   * Restores every byte of memory to the baseline. False when this instance cannot be put back
   * because its memory grew: then a new one must be made.
   */
  restore(): boolean {
    if (!this.#options.baseline.restore(this.vm.bytes)) return false;
    for (const [name, global] of this.vm.globals) {
      global.value = this.#options.head.globals[name] ?? 0;
    }
    this.vm.stackPointer.value = STACK_TOP;
    this.vm.fuel.value = UNLIMITED_FUEL;
    return true;
  }

  /** Passes the program to the driver. */
  prepare(code: string, environment: ReadonlyMap<string, string>, resultBytes: number): void {
    const pairs = [...environment].flatMap(([name, value]) => [name, value]);
    const texts = pairs.map((text) => `${text}\0`).join("");
    const args = [quoted(code), quoted(texts), String(resultBytes)].join(", ");
    const { state } = this.vm.evaluate(`Belljar.prepare(${args})`);
    if (state !== 0) throw new DriverError("the program could not be prepared");
  }

  /** Runs the program. Returns the driver's answer; undefined when the driver failed. */
  run(): string | undefined {
    const { driver, run } = this.#options.head;
    const { value, state } = this.vm.call(driver, run);
    if (state !== 0 || this.vm.unwinding) return undefined;
    return new TextDecoder().decode(this.vm.stringBytes(value));
  }

  /** Writes what files hold that the program left open. */
  flushFiles(): void {
    const { driver, flushFiles } = this.#options.head;
    this.vm.call(driver, flushFiles);
  }

  /**
   * The frames of a program that a limit or a trap stopped. The native stack is gone, but Ruby's
   * own stack is still in memory, so a call now finds the program's frames below it. An interrupted
   * operation, such as a collection, may make that call trap or fail; then there are no frames.
   */
  stoppedAt(): readonly string[] {
    this.vm.forgetUnwinding();
    this.vm.fuel.value = TRACE_FUEL;
    try {
      const { driver, stoppedAt } = this.#options.head;
      const { value, state } = this.vm.call(driver, stoppedAt);
      if (state !== 0 || this.vm.unwinding) return [];
      const frames: unknown = JSON.parse(new TextDecoder().decode(this.vm.stringBytes(value)));
      return Array.isArray(frames) ? frames.filter((frame) => typeof frame === "string") : [];
    } catch {
      return []; // whatever failed, this instance is not used again before it is put back
    }
  }
}

/** A text as a Ruby string literal that holds it in Base64. */
function quoted(text: string): string {
  return `"${new TextEncoder().encode(text).toBase64()}"`;
}
