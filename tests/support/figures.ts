/**
 * Figures that a busy machine does not spoil.
 *
 * @module
 */

/** The median; NaN of an empty list. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

const TRIES = 3;
/** Several ticks of 4 ms, in which Linux counts processor time. */
const LONG_ENOUGH_MS = 20;

/**
 * The least processor time that this thread needs for a piece of work, in milliseconds. Short work is
 * repeated until its time can be measured.
 */
export async function leastWorkMs(work: () => unknown): Promise<number> {
  let least = Infinity;
  for (let done = 0; done < TRIES; done++) {
    const began = threadMs();
    let times = 0;
    do {
      await work();
      times++;
    } while (threadMs() - began < LONG_ENOUGH_MS);
    least = Math.min(least, (threadMs() - began) / times);
  }
  return least;
}

const isThreadTold = Deno.build.os === "linux" && toldThreadMs() > 0;

/**
 * Processor time of this thread, in milliseconds: it stands still while others have the processor.
 * Where the system does not tell, the time that passes.
 */
export function threadMs(): number {
  return isThreadTold ? toldThreadMs() : performance.now();
}

function toldThreadMs(): number {
  return Number(Deno.readTextFileSync("/proc/thread-self/schedstat").split(" ")[0]) / 1e6;
}
