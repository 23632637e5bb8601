/** Streams of events that a test writes while the client reads them. */
import { NDJSON, type RunEvent } from "../../client/protocol/run_events.ts";

const encoder = new TextEncoder();

/** An answer that is a stream, and its writing end. */
export interface LiveStream {
  readonly response: Response;
  /** Why the reader left; undefined while it has not. */
  readonly left: () => { readonly reason: unknown } | undefined;
  /** Sends events, each as a line. */
  send(...events: readonly RunEvent[]): void;
  /** Sends anything. */
  write(bytes: string | Uint8Array): void;
  close(): void;
  /** Breaks the connection. */
  break(): void;
}

/** Opens a stream. */
export function liveStream(type: string = NDJSON): LiveStream {
  let left: { readonly reason: unknown } | undefined;
  let writer: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (writer = controller),
    cancel: (reason) => void (left = { reason }),
  });
  const write = (bytes: string | Uint8Array) =>
    writer?.enqueue(typeof bytes === "string" ? encoder.encode(bytes) : bytes);
  return {
    response: new Response(body, { headers: { "content-type": type } }),
    left: () => left,
    write,
    send: (...events) => {
      for (const event of events) write(`${JSON.stringify(event)}\n`);
    },
    close: () => writer?.close(),
    break: () => writer?.error(new TypeError("connection reset")),
  };
}

/** A stream whose bytes come in the given pieces. */
export function pieces(parts: readonly Uint8Array[], ending: "close" | "break"): Response {
  const stream = liveStream();
  for (const part of parts) stream.write(part);
  stream[ending]();
  return stream.response;
}

/** Lets everything happen that waits for nothing else. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
