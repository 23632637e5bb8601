/**
 * A caller of one sandbox over HTTP. It keeps count of the runs that were answered and of those that
 * may have happened, and checks that the state afterwards can be their outcome.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { type GuestLanguage, guestProgram, type GuestReport, listFile } from "./kill_guests.ts";

/** How a run ended for its caller. */
export type RunOutcome = "answered" | "unknown" | { readonly refused: number };

interface ContextHistory {
  /** Answered with 200. */
  readonly answered: string[];
  /** The connection broke, or the failure does not tell whether it was committed. */
  readonly unknown: Set<string>;
  /** Answered with an error that says: it did not happen. */
  readonly refused: Set<string>;
}

/** Answers that leave open whether the run was committed. */
const OPEN_STATUS = 500;

/** One language's default context of one sandbox. */
export class KillBox {
  readonly #name: string;
  readonly #token: string | undefined;
  readonly #language: GuestLanguage;
  readonly #newId: () => string;
  readonly #history: ContextHistory = { answered: [], unknown: new Set(), refused: new Set() };

  /** `newId`: 8 hex digits, never given again. */
  constructor(
    options: {
      readonly name: string;
      readonly language: GuestLanguage;
      readonly newId: () => string;
      readonly token?: string;
    },
  ) {
    this.#name = options.name;
    this.#language = options.language;
    this.#newId = options.newId;
    this.#token = options.token;
  }

  /** Sends a request to the sandbox. */
  async send(
    url: string,
    path: string,
    init: {
      readonly method?: string;
      /** Sent as JSON. */
      readonly body?: unknown;
      /** Sent as it is. */
      readonly bytes?: string;
      readonly signal?: AbortSignal;
    } = {},
  ): Promise<Response> {
    const { method = "POST", body, bytes, signal } = init;
    return await fetch(`${url}/languages/${this.#language}/sandboxes/${this.#name}${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(bytes === undefined ? {} : { body: bytes }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** One run. Fails when its answer contradicts itself or what was answered before. */
  async run(url: string, large: boolean): Promise<RunOutcome> {
    const id = this.#newId();
    const { unknown, answered, refused } = this.#history;
    unknown.add(id);
    const code = guestProgram(this.#language, { name: this.#language, id, large });
    let status: number;
    let text: string;
    try {
      const answer = await this.send(url, "/execute", { body: { code } });
      status = answer.status;
      text = await answer.text();
    } catch (thrown) {
      if (thrown instanceof TypeError || thrown instanceof Deno.errors.Http) return "unknown";
      throw thrown;
    }
    if (status !== 200) {
      if (status === OPEN_STATUS) return "unknown";
      unknown.delete(id);
      refused.add(id);
      return { refused: status };
    }
    const body = JSON.parse(text);
    const report: GuestReport | undefined = body.results?.[0]?.json;
    assert(report !== undefined, `${this.#label}: ${text.slice(0, 2_000)}`);
    assert(Boolean(report.same), `${this.#label}: globals and files differ, ${text.slice(-800)}`);
    assertEquals(body.executionCount, report.n, `${this.#label}: executionCount`);
    unknown.delete(id);
    answered.push(id);
    return "answered";
  }

  /**
   * Reads the context without a run. Every answered run is there once and in order, no refused run
   * is there, and `executions` counts them all.
   */
  async verify(url: string): Promise<number> {
    const info = await this.send(url, "/", { method: "GET" });
    const { contexts } = await info.json();
    const context = contexts.find((one: { language: string }) => one.language === this.#language);
    const body = { op: "read", path: listFile(this.#language) };
    const file = await this.send(url, "/files", { body });
    const { content = "" } = await file.json();
    const ids: string[] = content.split("\n").filter((line: string) => line !== "");
    const { answered, unknown } = this.#history;
    assertEquals(context?.executions ?? 0, ids.length, `${this.#label}: executions`);
    assertEquals(new Set(ids).size, ids.length, `${this.#label}: a run is there twice`);
    const known = new Set(answered);
    const others = ids.filter((id) => !known.has(id));
    assertEquals(others.filter((id) => !unknown.has(id)), [], `${this.#label}: a refused run`);
    const found = new Set(ids);
    assertEquals(answered.filter((id) => !found.has(id)), [], `${this.#label}: a lost run`);
    return ids.length;
  }

  get #label(): string {
    return `${this.#language} of ${this.#name}`;
  }
}
