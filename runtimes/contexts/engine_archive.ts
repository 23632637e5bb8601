/**
 * The engines that contexts of one language run on: the current one, and earlier ones, of which the
 * store keeps module and baseline.
 *
 * Nothing from the store is trusted: a module has the digest that the context names before it
 * leaves this file, and its versions are part of that digest.
 *
 * @module
 */
import type { KvStore } from "../../store/kv.ts";
import { TurnQueue } from "../../store/turn_queue.ts";
import type { Clock } from "../../shared/clock.ts";
import { baselineName, engineDigest, isName } from "../builder/engine_names.ts";
import type { BuiltIsolate } from "../builder/cache.ts";
import { SnapshotUnreadable } from "./memory_record.ts";
import type { SnapshotIndex } from "./snapshot_index.ts";
import { PartArchive, type ReadRecord } from "./part_archive.ts";
import type { ExecuteInContextArgs } from "../../shared/run_in_context.ts";
import type { BaselineChoice } from "../imported_packages.ts";

/** An engine, by its module and its baseline. */
export interface EngineParts {
  /** The engine digest. */
  readonly engine: string;
  readonly baseline: string;
  /** Whether a context began on the second of the two baselines; undefined where there is one. */
  readonly preloaded?: boolean | undefined;
}

/** An earlier engine with its bytes. */
export interface LoadedEngine {
  /** The body of `POST /engine`. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Name and version of the engine, as results show it. */
  readonly engineName: string;
}

/** The part of a build that is needed here. */
export type CurrentEngine = Pick<
  BuiltIsolate,
  | "language"
  | "engineDigest"
  | "baseline"
  | "versions"
  | "readModule"
  | "readBaseline"
  | "readPacked"
  | "engineWith"
>;

/** Dependencies of earlier engines. */
export interface EngineArchiveOptions {
  readonly kv: KvStore;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly built: CurrentEngine;
  /** Name and version of the current engine, as results show it. */
  readonly engineName: string;
  /** Called with the digest of a stored module that has another one. */
  readonly onRefused: (engine: string) => void;
}

/** The service has no such module, or may not run it. */
export class EngineUnavailable extends Error {
  override readonly name = "EngineUnavailable";
}

/** Number of damaged modules that are remembered. */
const REMEMBERED = 64;
/** Loads take turns: each needs memory for a module and a baseline several times. */
const LOADING = "loading";

/** The engines of one language. */
export class EngineArchive {
  readonly baselines: PartArchive;
  readonly modules: PartArchive;
  readonly #options: EngineArchiveOptions;
  readonly #turns = new TurnQueue();
  /** Version of the record of each damaged module, by digest. */
  readonly #damaged = new Map<string, string>();

  constructor(options: EngineArchiveOptions) {
    this.#options = options;
    const { built, engineName } = options;
    const { language, versions: { abi, metering } } = built;
    this.baselines = new PartArchive({
      ...options,
      language,
      part: "baseline",
      current: {
        name: built.baseline,
        read: () => built.readBaseline(),
        readPacked: async () => await built.readPacked?.("baseline", built.baseline),
      },
      nameOf: baselineName,
    });
    this.modules = new PartArchive({
      ...options,
      language,
      part: "module",
      current: {
        name: built.engineDigest,
        facts: { abi, metering, engineName },
        read: () => built.readModule(),
        readPacked: async () => await built.readPacked?.("module", built.engineDigest),
      },
      nameOf: (module, facts) => facts === undefined ? "" : engineDigest(module, facts),
    });
  }

  /** The current engine. */
  get current(): EngineParts {
    const { engineDigest, baseline } = this.#options.built;
    return { engine: engineDigest, baseline };
  }

  /** Name and version of the current engine. */
  get currentName(): string {
    return this.#options.engineName;
  }

  /** Whether an engine is the current one. */
  isCurrent({ engine, baseline }: EngineParts): boolean {
    return engine === this.current.engine && baseline === this.current.baseline;
  }

  /**
   * Resolves once the store has what an engine consists of. Parts of earlier builds were stored
   * before the first snapshot that needs them.
   */
  async ensureStored({ engine, baseline }: EngineParts): Promise<void> {
    await Promise.all([
      engine === this.current.engine ? this.modules.ensureCurrent() : undefined,
      baseline === this.current.baseline ? this.baselines.ensureCurrent() : undefined,
    ]);
  }

  /** Whether an engine may run, as far as the record of its module tells. */
  async canRun(engine: string): Promise<boolean> {
    try {
      await this.check({ engine, baseline: "" });
      return true;
    } catch (thrown) {
      if (thrown instanceof EngineUnavailable) return false;
      throw thrown;
    }
  }

  /** Throws an EngineUnavailable when the record of a module tells already that it cannot run. */
  async check({ engine }: EngineParts): Promise<void> {
    if (engine !== this.current.engine) await this.#record(engine);
  }

  /**
   * Reads an earlier engine. Throws an EngineUnavailable, and a SnapshotUnreadable when the
   * baseline is missing.
   */
  async load(parts: EngineParts, signal: AbortSignal): Promise<LoadedEngine> {
    const giveBack = await this.#turns.take(LOADING, signal);
    try {
      return await this.#load(parts);
    } finally {
      giveBack();
    }
  }

  /** Resolves when no write is in progress. */
  async settled(): Promise<void> {
    await Promise.all([this.baselines.settled(), this.modules.settled()]);
  }

  async #load({ engine, baseline: name }: EngineParts): Promise<LoadedEngine> {
    const isCurrent = engine === this.current.engine;
    const stored = isCurrent ? undefined : await this.#module(engine);
    const found = await this.baselines.find(name);
    const baseline = found && await this.baselines.read(name, found.record);
    if (baseline === undefined) throw new SnapshotUnreadable("the baseline is missing");
    return {
      body: await this.#options.built.engineWith({ baseline, module: stored?.module }),
      engineName: stored?.engineName ?? this.#options.engineName,
    };
  }

  async #module(engine: string) {
    const read = await this.#record(engine);
    const module = await this.modules.read(engine, read.record);
    if (module !== undefined) return { module, engineName: read.record.facts?.engineName };
    if (this.#damaged.size >= REMEMBERED) this.#damaged.clear();
    this.#damaged.set(engine, read.versionstamp);
    this.#options.onRefused(engine);
    throw new EngineUnavailable("the bytes of the module have another digest");
  }

  /** The record of a module that may run. Throws an EngineUnavailable. */
  async #record(engine: string): Promise<ReadRecord> {
    const { abi, lowestAbi, lowestMetering } = this.#options.built.versions;
    const read = isName(engine) ? await this.modules.find(engine) : undefined;
    const facts = read?.record.facts;
    if (read === undefined || facts === undefined) {
      throw new EngineUnavailable("the module is missing");
    }
    if (facts.abi > abi || facts.abi < lowestAbi) {
      throw new EngineUnavailable("the module needs another isolate program");
    }
    if (facts.metering < lowestMetering) {
      throw new EngineUnavailable("the metering of the module is not safe");
    }
    if (this.#damaged.get(engine) === read.versionstamp) {
      throw new EngineUnavailable("the module is damaged");
    }
    return read;
  }
}

/** The inputs of the choice. */
export interface EngineChoice {
  readonly engines: EngineArchive;
  readonly preloaded: BaselineChoice;
}

/** A context stays on the engine and on the baseline of its first run. */
export function engineOf(
  { engines, preloaded }: EngineChoice,
  index: SnapshotIndex | undefined,
  args: ExecuteInContextArgs,
): EngineParts {
  if (index !== undefined) return index;
  const { code, envVars, workspace: { manifest } } = args;
  const first = { code, variables: Object.keys(envVars), files: Object.keys(manifest) };
  return { ...engines.current, preloaded: preloaded(first) };
}
