/**
 * `process.stdin`: what the run was given. All bytes come from descriptor 0, which `fs` reads too.
 *
 * @module
 */
import { ReflectApply, ReflectGet } from "../primordials.ts";
import type { InputRead } from "../event_loop.ts";
import { EventEmitter } from "./events.ts";
import { type Readable, streams } from "./streams.ts";

/** Where the bytes come from. */
export interface InputSource {
  /** Reads the remaining bytes, at most 64 KiB; nothing at the end. Throws an error of `fs`. */
  read(): Uint8Array;
  /** Runs the callback as a task of its own, in a run with calls when there is something to read. */
  await(read: InputRead): void;
}

/** Of listeners to data: whether they need more now. */
const needs = new WeakMap<object, () => boolean>();

/** Tells when a listener needs data; others always do. */
export function setNeed(listener: object, isNeeded: () => boolean): void {
  needs.set(listener, isNeeded);
}

type Done = (error?: unknown) => void;

const removeAllListeners: unknown = ReflectGet(EventEmitter.prototype, "removeAllListeners");

/** The stream. It is the same object in all runs of a context. */
export class StandardInput {
  readonly #source: InputSource;
  #stream: Readable;
  /** Whether something was read from the stream, or it was destroyed. */
  #isUsed = false;
  /** Whether the run was given any bytes. */
  #isGiven = false;

  constructor(source: InputSource) {
    this.#source = source;
    this.#stream = this.#create();
  }

  get stream(): Readable {
    return this.#stream;
  }

  /**
   * Begins a run. A stream that an earlier run used begins anew, without that run's listeners.
   * Returns whether it did.
   */
  beginRun(isGiven: boolean): boolean {
    this.#isGiven = isGiven;
    if (!this.#isUsed) return false;
    this.#isUsed = false;
    try {
      if (typeof removeAllListeners === "function") {
        ReflectApply(removeAllListeners, this.#stream, []);
      }
      ReflectApply(streams.Readable, this.#stream, [this.#options()]);
    } catch {
      this.#stream = this.#create(); // the guest has made the old one unfit
    }
    return true;
  }

  #create(): Readable {
    const stream = new streams.Readable(this.#options());
    const self = () => stream;
    return Object.assign(stream, { fd: 0, ref: self, unref: self });
  }

  #options(): object {
    return {
      read: () => {
        this.#isUsed = true;
        const isWanted = () => this.#isListenedTo();
        if (this.#isGiven) this.#source.await({ callback: () => this.#pull(), isWanted });
        else this.#stream.push(null);
      },
      destroy: (error: unknown, done: Done) => {
        this.#isUsed = true;
        done(error);
      },
    };
  }

  /** The stream reads ahead; no caller is asked for what nobody may want. */
  #isListenedTo(): boolean {
    if (this.#listeners("readable").length > 0) return true;
    const isFlowing = ReflectGet(this.#stream, "readableFlowing") === true;
    return isFlowing && this.#listeners("data").some((listener) => needs.get(listener)?.() ?? true);
  }

  #listeners(event: string): readonly object[] {
    return this.#stream.listeners?.(event) ?? [];
  }

  #pull(): void {
    if (ReflectGet(this.#stream, "destroyed") === true) return;
    try {
      const chunk = this.#source.read();
      this.#stream.push(chunk.length === 0 ? null : chunk);
    } catch (error) {
      this.#stream.destroy(error);
    }
  }
}
