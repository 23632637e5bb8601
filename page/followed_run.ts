/**
 * A run that began elsewhere, or before the page was loaded: its events, and answers to what its
 * program waits for (docs/calls.md). A connection that breaks is made again for about a minute.
 *
 * @module
 */
import type { Asked } from "./asked.ts";
import type { CallReply } from "./call_form.ts";
import type { CallAnswer, RunInfo } from "../client/protocol/calls.ts";
import { NDJSON, type RunEvent } from "../client/protocol/run_events.ts";
import type { Ending, RunCard } from "./run_card.ts";
import { messageOf, type Service } from "./service.ts";

const ATTEMPTS = 12;
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** Between two looks at a run that computes. */
const LOOK_MS = 500;
/** Refusals that say that a form is no longer needed. */
const SETTLED: readonly string[] = ["CALL_ANSWERED", "CALL_NOT_FOUND", "RUN_NOT_FOUND"];

/** Follows one run, on its card. */
export class FollowedRun {
  readonly #service: Service;
  readonly #path: string;
  readonly #card: RunCard;
  readonly #gone = new AbortController();
  /** Calls and questions so far, by key, until they are answered. */
  readonly #asked = new Map<string, Asked>();
  #after = 0;
  #isCancelled = false;
  #isLooking = false;

  constructor(service: Service, id: string, card: RunCard) {
    this.#service = service;
    this.#path = `runs/${encodeURIComponent(id)}`;
    this.#card = card;
  }

  /** Resolves with the end of the run. Never rejects. */
  async follow(): Promise<Ending> {
    for (let failures = 0;;) {
      const after = this.#after;
      try {
        const ending = await this.#read();
        if (ending !== undefined) return ending;
      } catch (thrown) {
        if (this.#isCancelled || this.#gone.signal.aborted) return { kind: "stopped" };
        if (failures >= ATTEMPTS) return { kind: "failed", message: messageOf(thrown) };
      }
      failures = this.#after > after ? 1 : failures + 1;
      if (failures > ATTEMPTS) return { kind: "failed", message: "The connection broke." };
      await pause(Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (failures - 1)));
    }
  }

  /** Follows it no more. It goes on. */
  leave(): void {
    this.#gone.abort();
  }

  /** Ends the run. Resolves with the reason when that is refused. */
  async cancel(): Promise<string | undefined> {
    this.#isCancelled = true;
    const answer = await this.#service.send(this.#path, { method: "DELETE" });
    if (answer.ok) return undefined;
    this.#isCancelled = false;
    return (await refusalIn(answer)).message;
  }

  /** Reads events up to the end of the stream; undefined unless the run has ended. */
  async #read(): Promise<Ending | undefined> {
    const response = await this.#service.send(`${this.#path}?after=${this.#after}`, {
      headers: { accept: NDJSON },
      signal: this.#gone.signal,
    });
    if (response.status >= 500 || response.body === null) throw await refusalIn(response);
    if (!response.ok) return { kind: "failed", message: (await refusalIn(response)).message };
    for await (const line of linesOf(response.body)) {
      const event: RunEvent = JSON.parse(line);
      if ("id" in event && event.id !== undefined) this.#after = event.id;
      const ending = this.#take(event);
      if (ending !== undefined) return ending;
    }
    return undefined;
  }

  #take(event: RunEvent): Ending | undefined {
    switch (event.type) {
      case "stdout":
      case "stderr":
        this.#card.line(event.type, event.text);
        return undefined;
      case "display":
        this.#card.display(event.display);
        return undefined;
      case "call": {
        const { key } = event.call;
        const send = (reply: CallReply) => this.#answer({ key, ...reply });
        this.#ask(key, this.#card.pendingCall(event.call, send, false));
        return undefined;
      }
      case "input": {
        const { key, prompt } = event;
        const send = (value: string | null) => this.#answer({ key, value });
        this.#ask(key, this.#card.question(prompt, send, false));
        return undefined;
      }
      case "end":
        return { kind: "result", result: event.execution };
      case "failed":
        return this.#isCancelled
          ? { kind: "stopped" }
          : { kind: "failed", message: event.error.message };
      default:
        return undefined;
    }
  }

  #ask(key: string, asked: Asked): void {
    this.#asked.set(key, asked);
    void this.#look();
  }

  /** Shows the forms of what the program waits for, and takes those away that are answered. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      for (;;) {
        await pause(0); // for the events that came together
        const answer = await this.#service.send(this.#path, { signal: this.#gone.signal });
        if (!answer.ok) return;
        const { state, waiting }: RunInfo = await answer.json();
        if (waiting !== undefined) {
          const { calls, input } = waiting;
          const pending = calls.map(({ key }) => key).concat(input?.key ?? []);
          // what is shown only now is not on the card yet
          if (pending.every((key) => this.#asked.has(key))) return this.#show(pending);
        } else if (state !== "running" && state !== "queued") return;
        await pause(LOOK_MS);
      }
    } catch {
      return; // the stream tells of a lost connection, and the next event looks again
    } finally {
      this.#isLooking = false;
    }
  }

  #show(pending: readonly string[]): void {
    for (const [key, asked] of this.#asked) {
      if (pending.includes(key)) asked.open();
      else this.#settle(key);
    }
    this.#card.waitsFor = this.#asked.size;
  }

  #settle(key: string): void {
    this.#asked.get(key)?.withdraw();
    this.#asked.delete(key);
    this.#card.waitsFor = this.#asked.size;
  }

  /** Gives an answer. The stream tells how the program goes on. */
  async #answer(answer: CallAnswer): Promise<string | undefined> {
    try {
      const response = await this.#service.send(`${this.#path}/answers`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: NDJSON },
        body: JSON.stringify({ answers: [answer] }),
      });
      if (response.ok) {
        await response.body?.cancel();
        this.#asked.delete(answer.key);
        this.#card.waitsFor = this.#asked.size;
        return undefined;
      }
      const { code, message } = await refusalIn(response);
      if (!SETTLED.includes(code)) return message;
      this.#settle(answer.key);
      return undefined;
    } catch (thrown) {
      return `${messageOf(thrown)} Try again.`;
    }
  }
}

/** A refusal of the service. */
class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

async function refusalIn(response: Response): Promise<Refusal> {
  try {
    const { message, code } = await response.json();
    return new Refusal(String(message), String(code));
  } catch {
    return new Refusal(`The service answers with status ${response.status}.`, "");
  }
}

async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let begun = "";
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    begun += text;
    if (!text.includes("\n")) continue;
    const lines = begun.split("\n");
    begun = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
