/**
 * Contended commits over several connections to one store, and the properties that they must have,
 * whatever happens to the connections: a version is consumed once and grows, two commits of which
 * each forbids the other never both happen, and sums are exact.
 *
 * @module
 */
import type { KvStore } from "../../store/kv.ts";
import { StoreFailure } from "../../store/store_failures.ts";

const KEYS = 5;
const PAIRS = 3;
const LARGE_BYTES = 60_000;

/** The outcome so far. */
export interface ContendedFigures {
  committed: number;
  refused: number;
  /** Failures after which a commit may be done. */
  unknown: number;
  /** Failures after which nothing is done. */
  undone: number;
  /** Commits that each forbid another one. */
  exclusive: number;
  /** Violations, in words. */
  readonly wrong: string[];
}

/** Workers over stores of one database. */
export class ContendedCommits {
  readonly figures: ContendedFigures = {
    committed: 0,
    refused: 0,
    unknown: 0,
    undone: 0,
    exclusive: 0,
    wrong: [],
  };
  readonly #stores: readonly KvStore[];
  readonly #below: (end: number) => number;
  readonly #consumed = new Set<string>();
  #sum = 0n;
  /** Additions whose fate is not known. */
  #maybe = 0n;
  readonly #id = crypto.randomUUID();

  constructor(stores: readonly KvStore[], below: (end: number) => number) {
    this.#stores = stores;
    this.#below = below;
  }

  /** Works until there were so many commits, and checks the sum. */
  async work(commits: number): Promise<ContendedFigures> {
    const isOver = () => this.figures.committed >= commits || this.figures.wrong.length > 0;
    const workers = this.#stores.flatMap((store) => [
      ...Array.from({ length: 3 }, () => this.#commitOften(store, isOver)),
      this.#exclude(store, ["A", "B"], isOver),
      this.#exclude(store, ["B", "A"], isOver),
    ]);
    await Promise.all(workers);
    await this.#checkSum();
    return this.figures;
  }

  async #commitOften(kv: KvStore, isOver: () => boolean): Promise<void> {
    while (!isOver()) await this.#failing(() => this.#commit(kv));
  }

  /** Reads some keys and replaces or deletes some of them, if all are as they were read. */
  async #commit(kv: KvStore): Promise<void> {
    const numbers = new Set(Array.from({ length: 1 + this.#below(3) }, () => this.#below(KEYS)));
    const read = await kv.getMany<unknown[]>([...numbers].map((n) => this.#key(`k${n}`)));
    const atomic = kv.atomic();
    const replaced = read.filter((entry) => {
      atomic.check(entry);
      if (this.#below(4) === 0) return false;
      if (this.#below(3) === 0) {
        atomic.delete(entry.key);
        return entry.versionstamp !== null;
      }
      const bytes = this.#below(4) === 0 ? this.#below(LARGE_BYTES) : 0;
      atomic.set(entry.key, new Uint8Array(bytes));
      return true;
    });
    const added = BigInt(this.#below(2));
    if (added > 0n) atomic.sum(this.#key("sum"), added);
    const result = await atomic.commit().catch((thrown) => {
      if (thrown instanceof StoreFailure && thrown.fate === "unknown") this.#maybe += added;
      throw thrown;
    });
    if (!result.ok) {
      this.figures.refused++;
      return;
    }
    this.figures.committed++;
    this.#sum += added;
    for (const { key, versionstamp } of replaced) {
      if (versionstamp === null) continue;
      const name = `${key.at(-1)?.toString()} at ${versionstamp}`;
      if (this.#consumed.has(name)) this.figures.wrong.push(`${name} was replaced twice`);
      this.#consumed.add(name);
      if (result.versionstamp <= versionstamp) this.figures.wrong.push(`${name} did not grow`);
    }
  }

  /** Sets the first of a pair only while the second does not exist. */
  async #exclude(
    kv: KvStore,
    [own, other]: readonly [string, string],
    isOver: () => boolean,
  ): Promise<void> {
    while (!isOver()) {
      await this.#failing(async () => {
        const pair = `p${this.#below(PAIRS)}`;
        const forbidden = { key: this.#key(pair, other), versionstamp: null };
        const result = await kv.atomic().check(forbidden).set(this.#key(pair, own), 1).commit();
        if (!result.ok) return;
        this.figures.exclusive++;
        const keys = [this.#key(pair, own), this.#key(pair, other)];
        const both = await kv.getMany<unknown[]>(keys);
        if (both.every(({ value }) => value !== null)) {
          this.figures.wrong.push(`both of ${pair} exist`);
        }
        await kv.delete(this.#key(pair, own));
      });
    }
  }

  async #failing(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      if (!(thrown instanceof StoreFailure)) throw thrown;
      if (thrown.fate === "unknown") this.figures.unknown++;
      else this.figures.undone++;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async #checkSum(): Promise<void> {
    const [kv] = this.#stores;
    const found = await kv?.get<Deno.KvU64>(this.#key("sum"));
    const sum = found?.value?.value ?? 0n;
    if (sum >= this.#sum && sum <= this.#sum + this.#maybe) return;
    this.figures.wrong.push(`the sum is ${sum}, not ${this.#sum} and up to ${this.#maybe} more`);
  }

  #key(...parts: readonly string[]): Deno.KvKey {
    return ["contended", this.#id, ...parts];
  }
}
