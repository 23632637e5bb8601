/**
 * A process with the isolate program that has no engine yet. It boots beside the start of the
 * service, and becomes the first isolate, whatever its language: loading the program takes about as
 * long as loading an engine.
 *
 * @module
 */
import type { StackNeed } from "./native_stack.ts";
import { spawnSealed } from "./sealed_process.ts";

/** One process, for one isolate. */
export class BlankProcess {
  #child: Deno.ChildProcess | undefined;

  /**
   * `program`: path of the bundled isolate program. `memoryBytes`: most linear memory of any language
   * that it may get.
   */
  constructor(program: string, memoryBytes: number, readonly stack: StackNeed = "usual") {
    const child = spawnSealed(program, memoryBytes, stack);
    this.#child = child;
    child.status.then(async () => {
      if (this.#child === child) await this.close();
    });
  }

  /** Process id, for tests; undefined when there is none. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The process, for the caller to end; undefined when it was taken, or has ended. */
  take(): Deno.ChildProcess | undefined {
    const child = this.#child;
    this.#child = undefined;
    return child;
  }

  /** Ends the process unless it was taken. */
  async close(): Promise<void> {
    const child = this.take();
    if (child === undefined) return;
    try {
      child.kill("SIGKILL");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // it has ended already
    }
    await Promise.all([child.stdin.abort(), child.stdout.cancel(), child.status]);
  }
}
