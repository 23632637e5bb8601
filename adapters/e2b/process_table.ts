/**
 * Running commands, by tenant and sandbox: they can be listed, followed and ended. A command is
 * listed in the process of the service that runs it.
 *
 * @module
 */
import type { RunListener } from "../../shared/run_listener.ts";

/** A command as its caller sent it. */
export interface ProcessConfig {
  readonly cmd: string;
  readonly args: readonly string[];
  readonly envs: { readonly [name: string]: string };
  readonly cwd?: string | undefined;
}

/** Why a command ended before its own end. */
export type EndedBy = "signal" | "timeout";

/** The end of a run: the status and the body of its answer. */
export interface RunEnd {
  readonly status: number;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly endedBy: EndedBy | undefined;
}

/** A running command. */
export interface RunningProcess {
  readonly pid: number;
  readonly config: ProcessConfig;
  /** Functions that receive the output from now on. */
  readonly listeners: Set<RunListener>;
  /** Never rejects. */
  readonly ended: Promise<RunEnd>;
  /** Ends the command. */
  end(by: EndedBy): void;
}

const FIRST_PID = 1000;

/** All commands that this process of the service runs, by a key of tenant and sandbox. */
export class ProcessTable {
  readonly #bySandbox = new Map<string, Map<number, RunningProcess>>();
  #lastPid = FIRST_PID;

  /** A number for a new command. */
  nextPid(): number {
    return ++this.#lastPid;
  }

  /** Lists a command until it has ended. */
  add(sandbox: string, process: RunningProcess): void {
    const all = this.#bySandbox.get(sandbox) ?? new Map<number, RunningProcess>();
    this.#bySandbox.set(sandbox, all.set(process.pid, process));
    process.ended.then(() => {
      all.delete(process.pid);
      if (all.size === 0 && this.#bySandbox.get(sandbox) === all) this.#bySandbox.delete(sandbox);
    });
  }

  /** The commands of a sandbox, oldest first. */
  list(sandbox: string): readonly RunningProcess[] {
    return [...this.#bySandbox.get(sandbox)?.values() ?? []];
  }

  /** The command with a number. */
  find(sandbox: string, pid: number): RunningProcess | undefined {
    return this.#bySandbox.get(sandbox)?.get(pid);
  }
}
