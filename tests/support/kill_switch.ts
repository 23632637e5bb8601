/**
 * A switch that ends its own process with SIGKILL at a chosen moment: at a step of a run, or at
 * an operation of the store.
 *
 * @module
 */
import { z } from "zod";
import type { RunStep } from "../../sandbox/operation_options.ts";
import type { KvStore } from "../../store/kv.ts";
import { type StoreOperation, WrappedStore } from "../../store/wrapped_store.ts";

/** The steps of a run, in order. */
export const RUN_STEPS: readonly RunStep[] = [
  "admitted",
  "leased",
  "read",
  "ran",
  "blobs written",
  "committed",
  "answered",
];

/** When the process is to end. Counted from the moment it is armed, from 1. */
export type KillMoment =
  | { readonly at: "step"; readonly step: RunStep; readonly tree: boolean }
  | {
    readonly at: "operation";
    readonly count: number;
    /** Before the operation is sent, or when it is done and its answer has not been seen. */
    readonly when: "before" | "after";
    readonly tree: boolean;
  };

const momentSchema: z.ZodType<KillMoment, unknown> = z.discriminatedUnion("at", [
  z.object({ at: z.literal("step"), step: z.enum(RUN_STEPS), tree: z.boolean() }),
  z.object({
    at: z.literal("operation"),
    count: z.number(),
    when: z.enum(["before", "after"]),
    tree: z.boolean(),
  }),
]);

/** Reads a moment from its JSON. */
export function readMoment(text: string): KillMoment {
  return momentSchema.parse(JSON.parse(text));
}

/** Ends the process when its moment has come. */
export class KillSwitch {
  #moment: KillMoment | undefined;
  #operations = 0;

  /** Sets the moment. */
  arm(moment: KillMoment): void {
    this.#operations = 0;
    this.#moment = moment;
  }

  /** A step of a run is done. */
  step(step: RunStep): void {
    const moment = this.#moment;
    if (moment?.at === "step" && moment.step === step) die(moment.tree);
  }

  /** An operation of the store is about to be sent. Gives what to call when it is done. */
  operation(): () => void {
    const moment = this.#moment;
    if (moment?.at !== "operation") return () => undefined;
    const isIt = ++this.#operations === moment.count;
    if (isIt && moment.when === "before") die(moment.tree);
    return () => isIt && die(moment.tree);
  }
}

/** Kills this process with SIGKILL; with `tree`, all processes below it first. */
function die(tree: boolean): never {
  if (tree) { for (const pid of descendants(Deno.pid)) killQuietly(pid); }
  Deno.kill(Deno.pid, "SIGKILL");
  throw new Error("unreachable");
}

function killQuietly(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch (thrown) {
    if (!(thrown instanceof Deno.errors.NotFound)) throw thrown;
  }
}

/** Processes below one, on Linux. */
function descendants(pid: number): readonly number[] {
  const below: number[] = [];
  for (const { name } of Deno.readDirSync(`/proc/${pid}/task`)) {
    const children = Deno.readTextFileSync(`/proc/${pid}/task/${name}/children`);
    for (const child of children.split(" ").filter((text) => text !== "")) {
      below.push(Number(child), ...descendants(Number(child)));
    }
  }
  return below;
}

/** A store that reports its operations to a switch. */
export class SwitchedStore extends WrappedStore {
  readonly #killSwitch: KillSwitch;

  constructor(kv: KvStore, killSwitch: KillSwitch) {
    super(kv);
    this.#killSwitch = killSwitch;
  }

  protected override async around<T>(_: StoreOperation, work: () => Promise<T>): Promise<T> {
    const done = this.#killSwitch.operation();
    const result = await work();
    done();
    return result;
  }
}
