/**
 * Many callers at once: what each was answered, whether that was right, and how long all took.
 *
 * @module
 */

/** The outcome of a storm. */
export interface Storm {
  /** Answered 200 with the value of its own program. */
  readonly right: number;
  /** Answered 429 or 503 with `Retry-After` and an ErrorResponse. */
  readonly refused: number;
  /** Anything else, described. */
  readonly wrong: readonly string[];
  /** From the first request to the last answer, in milliseconds. */
  readonly ms: number;
}

/** Every so many requests is a long run. */
const LONG_EVERY = 10;
/** About a tenth of a second. */
const LONG = "for (let i = 0; i < 2_000_000; i++) x += i % 3;";

/** Headers of a request to run code. */
export function runHeaders(token?: string): Record<string, string> {
  const authorization: Record<string, string> = token === undefined
    ? {}
    : { authorization: `Bearer ${token}` };
  return { "content-type": "application/json", ...authorization };
}

/** The caller of a storm, and who hears of its refusals. */
export interface StormOptions {
  readonly token?: string;
  /** Called at each refusal. */
  readonly onRefused?: () => void;
}

/** Sends all requests at the same moment, each over a connection of its own. */
export async function storm(
  url: string,
  count: number,
  { token, onRefused }: StormOptions = {},
): Promise<Storm> {
  const began = performance.now();
  const outcomes = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const outcome = await one(url, index, token);
      if (outcome === "refused") onRefused?.();
      return outcome;
    }),
  );
  return {
    right: outcomes.filter((outcome) => outcome === "right").length,
    refused: outcomes.filter((outcome) => outcome === "refused").length,
    wrong: outcomes.filter((outcome) => outcome !== "right" && outcome !== "refused"),
    ms: performance.now() - began,
  };
}

async function one(url: string, index: number, token: string | undefined): Promise<string> {
  const long = index % LONG_EVERY === 0;
  const code = `let x = 0; ${long ? LONG : ""} "answer " + ${index}`;
  try {
    const answer = await fetch(`${url}/execute/javascript`, {
      method: "POST",
      headers: runHeaders(token),
      body: JSON.stringify({ code }),
    });
    const body = await answer.json();
    if (answer.status === 200) {
      const right = body.results?.[0]?.text === `answer ${index}` ||
        body.results?.[0]?.text === `'answer ${index}'`;
      return right ? "right" : `200 ${JSON.stringify(body).slice(0, 300)}`;
    }
    const refused = (answer.status === 429 || answer.status === 503) &&
      Number(answer.headers.get("retry-after")) > 0 && body.httpStatus === answer.status;
    return refused ? "refused" : `${answer.status} ${JSON.stringify(body).slice(0, 300)}`;
  } catch (thrown) {
    return `no answer: ${thrown instanceof Error ? thrown.message : "unknown"}`;
  }
}

/** Times of short runs, one after the other, in milliseconds. Throws when one is not answered. */
export async function calmRuns(url: string, count: number, token?: string): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < count; run++) {
    const began = performance.now();
    const outcome = await one(url, run * LONG_EVERY + 1, token);
    if (outcome !== "right") throw new Error(`a calm run was not answered: ${outcome}`);
    times.push(performance.now() - began);
  }
  return times;
}
