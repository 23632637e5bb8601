/**
 * Exceptions by which a host call ends a run. They pass through the guest, which cannot catch
 * them, and leave the instance in the middle of a call.
 *
 * @module
 */
import type { LimitName } from "../../engine/engine.ts";

/** The guest called `proc_exit`. */
export class ProcessExit extends Error {
  override readonly name = "ProcessExit";
  readonly status: number;

  constructor(status: number) {
    super(`exit status ${status}`);
    this.status = status;
  }
}

/** A limit that the host enforces was reached. */
export class RunStopped extends Error {
  override readonly name = "RunStopped";
  readonly limit: LimitName;

  constructor(limit: LimitName) {
    super(`${limit} limit`);
    this.limit = limit;
  }
}

/** The guest called an import that is not on the allow-list. */
export class ForbiddenImportError extends Error {
  override readonly name = "ForbiddenImportError";

  constructor(what: string) {
    super(`the interpreter called ${what}`);
  }
}

/** A pointer of the guest is outside its memory. */
export class MemoryFault extends Error {
  override readonly name = "MemoryFault";
}
