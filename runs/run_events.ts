/**
 * The events of a run, numbered from 1, in order of arising. A later attempt computes the same
 * output again, of which only the rest is new.
 *
 * @module
 */
import type { NumberedEvent, ProgramEvent } from "../client/protocol/run_events.ts";
import type { Display, Logs } from "../client/protocol/types.ts";
import { lineListener, type RunListener } from "../shared/run_listener.ts";

/** About the bytes of an event besides its text. */
const EVENT_BYTES = 128;

/** Called with each event. */
export type OnEvent = (event: NumberedEvent) => void;

/** The events of one run. */
export class RunEvents {
  readonly #run: string;
  readonly #events: NumberedEvent[] = [];
  readonly #readers = new Set<OnEvent>();
  readonly #lines = lineListener((event) => {
    if (event.type === "start") this.add({ ...event, run: this.#run });
    else this.add(event);
  });
  readonly #told = { stdout: 0, stderr: 0, displays: 0 };
  readonly #onGrowth: () => void;
  #hasBegun = false;
  #bytes = 0;

  /** `onGrowth` is called after more output. */
  constructor(run: string, onGrowth: () => void = () => undefined) {
    this.#run = run;
    this.#onGrowth = onGrowth;
  }

  /** The number of the last event. */
  get last(): number {
    return this.#events.length;
  }

  /** About the bytes that the events take. */
  get bytes(): number {
    return this.#bytes + EVENT_BYTES * this.#events.length;
  }

  /** Whether the program has begun. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Listens to one attempt, from its beginning. */
  attempt(): RunListener {
    const heard = { stdout: 0, stderr: 0, displays: 0 };
    return {
      start: () => {
        if (!this.#hasBegun) this.#lines.listener.start();
        this.#hasBegun = true;
      },
      output: (stream, bytes) => {
        const known = Math.max(0, this.#told[stream] - heard[stream]);
        heard[stream] += bytes.length;
        if (heard[stream] <= this.#told[stream]) return;
        this.#told[stream] = heard[stream];
        this.#bytes += bytes.length - known;
        this.#lines.listener.output(stream, bytes.subarray(known));
        this.#onGrowth();
      },
      display: (display) => {
        if (++heard.displays <= this.#told.displays) return;
        this.#told.displays = heard.displays;
        this.#bytes += JSON.stringify(display).length;
        this.#lines.listener.display(display);
        this.#onGrowth();
      },
    };
  }

  /** Adds an event. */
  add(event: ProgramEvent): void {
    const numbered = { ...event, id: this.#events.length + 1 };
    this.#events.push(numbered);
    for (const read of this.#readers) read(numbered);
  }

  /** All events of a program that has ended. */
  whole(): readonly NumberedEvent[] {
    this.end();
    return this.#events;
  }

  /** Takes the events of a run that has ended in another process. */
  restore(events: readonly NumberedEvent[]): void {
    this.#events.push(...events);
    this.#hasBegun = events.length > 0;
  }

  /** The program has ended: adds last lines without a newline. */
  end(): void {
    this.#lines.end();
  }

  /** Reads the events after a number, and all that follow. Returns the end of reading. */
  read(after: number, onEvent: OnEvent): () => void {
    for (const event of this.#events.slice(after)) onEvent(event);
    this.#readers.add(onEvent);
    return () => void this.#readers.delete(onEvent);
  }

  /** The lines so far; an unfinished one is the last. */
  logs(): Logs {
    const { stdout, stderr } = this.#lines.unfinished();
    const linesOf = (stream: keyof Logs, unfinished: string) => {
      const lines = this.#events.flatMap((event) => event.type === stream ? [event.text] : []);
      return unfinished === "" ? lines : [...lines, unfinished];
    };
    return { stdout: linesOf("stdout", stdout), stderr: linesOf("stderr", stderr) };
  }

  /** The displays so far. */
  displays(): readonly Display[] {
    return this.#events.flatMap((event) => event.type === "display" ? [event.display] : []);
  }
}
