/**
 * The counts of a soak: calls, errors by kind, wrong answers, memory.
 */

/** Statuses and codes that kills, full queues and leaving callers may cause. */
const ALLOWED: readonly string[] = [
  "409 CONFLICT",
  "429 RATE_LIMITED",
  "502 INTERNAL_ERROR",
  "503 OVERLOADED",
];
const KEPT_WRONG = 20;

/** Memory of the service at some moment. */
export interface MemorySample {
  readonly minutes: number;
  /** Resident MiB of the service's own process. */
  readonly own: number;
  /** Proportional MiB of the service with its isolates. */
  readonly tree: number;
}

/** Everything that is counted. */
export class Tally {
  readonly #calls = new Map<string, number>();
  readonly #errors = new Map<string, number>();
  readonly #wrong: string[] = [];
  #wrongCount = 0;
  readonly memory: MemorySample[] = [];

  call(kind: string): void {
    this.#calls.set(kind, (this.#calls.get(kind) ?? 0) + 1);
  }

  error(kind: string): void {
    this.#errors.set(kind, (this.#errors.get(kind) ?? 0) + 1);
  }

  /** An answer that is not the one that had to come. */
  wrong(what: string, expected: unknown, got: unknown): void {
    this.#wrongCount++;
    if (this.#wrong.length >= KEPT_WRONG) return;
    this.#wrong.push(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
  }

  get isClean(): boolean {
    return this.#wrongCount === 0 && this.#forbidden().length === 0;
  }

  #forbidden(): readonly string[] {
    return [...this.#errors.keys()].filter((kind) => !ALLOWED.includes(kind));
  }

  /** For people. */
  report(): string {
    const total = [...this.#calls.values()].reduce((sum, count) => sum + count, 0);
    const list = (counts: ReadonlyMap<string, number>) =>
      [...counts].sort().map(([kind, count]) => `  ${kind}: ${count}`);
    return [
      `Calls: ${total}`,
      ...list(this.#calls),
      `Errors by kind (allowed: ${ALLOWED.join(", ")}):`,
      ...list(this.#errors),
      `Errors of other kinds: ${this.#forbidden().length}`,
      `Wrong answers: ${this.#wrongCount}`,
      ...this.#wrong.map((line) => `  ${line}`),
      ...this.#memoryLines(),
    ].join("\n");
  }

  /** The slope is that of the second half: before, everything is started for the first time. */
  #memoryLines(): readonly string[] {
    const half = this.memory.slice(Math.floor(this.memory.length / 2));
    const [first, last] = [this.memory[0], this.memory.at(-1)];
    if (first === undefined || last === undefined || half.length < 3) return ["Memory: too short"];
    const line = (name: string, of: (sample: MemorySample) => number) => {
      const { slope, error } = slopeOf(half.map((sample) => [sample.minutes, of(sample)]));
      const most = Math.max(...this.memory.map(of)).toFixed(0);
      return `${name}: ${of(first).toFixed(0)} → ${of(last).toFixed(0)} MiB, at most ${most}; ` +
        `slope of the second half ${slope.toFixed(2)} ± ${error.toFixed(2)} MiB/min`;
    };
    return [
      line("Resident memory of the service", ({ own }) => own),
      line("Memory with isolates", ({ tree }) => tree),
    ];
  }
}

/** Least squares, and twice the standard error of the slope. */
export function slopeOf(
  points: readonly (readonly [x: number, y: number])[],
): { readonly slope: number; readonly error: number } {
  const mean = (of: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [mx, my] = [mean(([x]) => x), mean(([, y]) => y)];
  const sxx = points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
  const slope = points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / sxx;
  const rest = points.reduce((sum, [x, y]) => sum + (y - my - slope * (x - mx)) ** 2, 0);
  return { slope, error: 2 * Math.sqrt(rest / Math.max(1, points.length - 2) / sxx) };
}
