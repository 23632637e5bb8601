/**
 * Figures and tables of the benchmarks.
 *
 * @module
 */

/** Median and tail of a sample, in the sample's unit. */
export interface Quantiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** The quantile of a sample. */
export function quantile(sample: readonly number[], share: number): number {
  const sorted = [...sample].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** Median, 95th and 99th percentile. */
export function quantiles(sample: readonly number[]): Quantiles {
  return {
    p50: quantile(sample, 0.5),
    p95: quantile(sample, 0.95),
    p99: quantile(sample, 0.99),
  };
}

/** Geometric mean. */
export function geometricMean(sample: readonly number[]): number {
  return Math.exp(sample.reduce((sum, value) => sum + Math.log(value), 0) / sample.length);
}

/** A markdown table. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Milliseconds with three digits. */
export function ms(value: number): string {
  return value.toFixed(value < 10 ? 3 : 1);
}

/** Runs a task several times and returns each time in milliseconds. */
export async function times(
  count: number,
  task: (index: number) => Promise<unknown> | unknown,
): Promise<number[]> {
  const sample: number[] = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    await task(i);
    sample.push(performance.now() - start);
  }
  return sample;
}
