/**
 * Reads the stream of a run that comes from the service itself (docs/contract.md#streaming).
 *
 * @module
 */
import { z } from "zod";
import { stepsOf, THREAD } from "./slices.ts";
import { parseExactJson } from "./exact_json.ts";

/** Characters of a line from which on its reading, and what follows, takes turns with other work. */
const LONG_LINE = 64 * 1024;

const eventSchema = z.object({
  type: z.string(),
  text: z.string().optional(),
  display: z.unknown().optional(),
  execution: z.unknown().optional(),
  error: z.unknown().optional(),
});

/** The used fields of an event: the text of a line, a display, or the end of the run. */
export type StreamEvent = z.infer<typeof eventSchema>;

/**
 * The events of a stream of NDJSON, which are read in the tenant's turns. Ends early when the stream
 * is broken off.
 */
export async function* eventsOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  tenant: string,
): AsyncGenerator<StreamEvent> {
  const pause = stepsOf(tenant);
  let begun = "";
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    begun += text;
    if (!text.includes("\n")) continue;
    const lines = begun.split("\n");
    begun = lines.pop() ?? "";
    for (const line of lines) {
      const isLong = line.length > LONG_LINE;
      if (isLong) await THREAD.next(tenant);
      const event = eventSchema.parse(parseExactJson(line));
      if (isLong) await THREAD.next(tenant);
      yield event;
      await pause();
    }
  }
}
