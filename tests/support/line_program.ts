/**
 * A program that is told on standard input what to do and answers each line with one of JSON.
 *
 * @module
 */

/** A running program. Disposing of it closes its input and waits for its end. */
export interface LineProgram extends AsyncDisposable {
  /** Its next line. Rejects when it has ended. */
  next(): Promise<unknown>;
  /** Tells it something, and gives its next line. */
  ask(step: { readonly [field: string]: unknown }): Promise<unknown>;
  /** Sends it a signal. */
  signal(signal: Deno.Signal): void;
}

/** Starts a program. What it writes to standard error goes to that of the test. */
export function startLines(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): LineProgram {
  const child = new Deno.Command(command, {
    args: [...args],
    env,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const input = child.stdin.getWriter();
  const lines = linesOf(child.stdout);
  const next = async () => {
    const { done, value } = await lines.next();
    if (done) throw new Error(`The program ended with ${(await child.status).code}`);
    return JSON.parse(value);
  };
  return {
    next,
    ask: async (step) => {
      await input.write(new TextEncoder().encode(`${JSON.stringify(step)}\n`));
      return await next();
    },
    signal: (signal) => child.kill(signal),
    [Symbol.asyncDispose]: async () => {
      await input.close().catch(() => undefined); // it may have ended
      while (!(await lines.next()).done);
      await child.status;
    },
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let begun = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (begun + text).split("\n");
    begun = lines.pop() ?? "";
    yield* lines;
  }
}
