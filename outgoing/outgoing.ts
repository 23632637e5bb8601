/**
 * Requests to other hosts.
 *
 * @module
 */
import type { Clock } from "../shared/clock.ts";
import type { Log } from "../shared/log.ts";
import { type AllowedAddress, endpointOf, judgeUrl } from "./addresses.ts";
import { type OutgoingAnswer, readBody } from "./bodies.ts";
import { Circuit } from "./circuit.ts";
import type { Connections } from "./connections.ts";
import { MAX_REQUESTS, MAX_TARGETS } from "./limits.ts";
import { AddressRefused, type AddressRules, type LookUp, systemLookUp } from "./look_up.ts";
import { abortReason, failed, type FailureReason, type OutgoingFailure } from "./outcome.ts";

/** A request to another host. */
export interface OutgoingRequest {
  /** `http:` or `https:`, without user info. */
  readonly url: URL;
  readonly method: string;
  /** Without those of the connection, such as `host` and `content-length`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Ends the request at any time, also while its body is read. */
  readonly signal: AbortSignal;
  /** Called right before the request is written to a connection. */
  readonly started?: () => void;
}

/** An answer of any status, also of a redirect; or the failure in its place. */
export type OutgoingOutcome =
  | { readonly answer: OutgoingAnswer }
  | { readonly failure: OutgoingFailure };

/** A whole answer of any status, also of a redirect; or the failure in its place. */
export type ExchangeOutcome =
  | { readonly status: number; readonly headers: Headers; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly failure: OutgoingFailure };

/** Headers that belong to the connection. TLS would be verified with the name in `host`. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  ..."connection content-length expect host keep-alive te trailer transfer-encoding".split(" "),
  ..."upgrade".split(" "),
]);

/** Settings of outgoing requests. */
export interface OutgoingOptions {
  readonly allowed: readonly AllowedAddress[];
  readonly log: Log;
  readonly clock: Clock;
  readonly lookUp?: LookUp;
  /** Certificates of authorities, in PEM, in place of the system's. */
  readonly authorities?: string;
}

/** One scheme, host and port. */
interface TargetState {
  readonly circuit: Circuit;
  readonly connections: Connections;
  requests: number;
}

/** Makes requests under one set of rules. Other rules need another one. */
export class Outgoing {
  readonly #options: OutgoingOptions;
  /** By origin, the least recently used first. */
  readonly #targets = new Map<string, TargetState>();
  #isClosed = false;

  constructor(options: OutgoingOptions) {
    this.#options = options;
  }

  /** Sends a request and reads at most `maxBytes` of its body. Never rejects. */
  async exchange(request: OutgoingRequest, maxBytes: number): Promise<ExchangeOutcome> {
    const outcome = await this.send(request);
    if ("failure" in outcome) return outcome;
    const { status, headers } = outcome.answer;
    const body = await readBody(outcome.answer, maxBytes, request.signal);
    return "failure" in body ? body : { status, headers, bytes: body.bytes };
  }

  /** Sends a request; the caller reads or ends the body. Never rejects. */
  async send(request: OutgoingRequest): Promise<OutgoingOutcome> {
    const { url, signal } = request;
    const early = this.#isClosed ? "cancelled" : this.#refusal(request);
    if (early !== undefined) return failed(early, false);
    const { Connections } = await import("./connections.ts");
    if (signal.aborted) return failed(abortReason(signal), false);
    if (this.#isClosed) return failed("cancelled", false);
    const target = this.#target(url, Connections);
    if (target.requests >= MAX_REQUESTS) return failed("busy", false);
    if (!target.circuit.admit()) return failed("open", false);
    target.requests++;
    return await this.#request(request, target);
  }

  /** Takes no more requests; connections close when theirs have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const targets = [...this.#targets.values()];
    this.#targets.clear();
    await Promise.all(targets.map(({ connections }) => connections.close()));
  }

  /** A fault of a request that is known before its name is looked up. */
  #refusal({ url, headers }: OutgoingRequest): FailureReason | undefined {
    const { allowed, log } = this.#options;
    const fault = judgeUrl(url, allowed);
    if (fault === "refused") logRefusal(log, url.hostname, url.hostname);
    if (fault !== undefined) return fault;
    const names = Object.keys(headers);
    return names.some((name) => CONNECTION_HEADERS.has(name.toLowerCase())) ? "invalid" : undefined;
  }

  #rulesFor(url: URL): AddressRules {
    const { allowed, log } = this.#options;
    const refused = (host: string, address: string) => logRefusal(log, host, address);
    return { allowed, refused, ...endpointOf(url) };
  }

  #target(url: URL, Made: typeof Connections): TargetState {
    const { clock, lookUp = systemLookUp, authorities } = this.#options;
    const { origin } = url;
    const target = this.#targets.get(origin) ?? {
      circuit: new Circuit(clock),
      connections: new Made({ origin, rules: this.#rulesFor(url), lookUp, authorities }),
      requests: 0,
    };
    this.#targets.delete(origin);
    this.#targets.set(origin, target);
    this.#forgetIdle(target);
    return target;
  }

  /** Keeps the number of targets bounded, as far as they have no requests. */
  #forgetIdle(used: TargetState): void {
    for (const [origin, target] of this.#targets) {
      if (this.#targets.size <= MAX_TARGETS) return;
      if (target.requests > 0 || target === used) continue;
      this.#targets.delete(origin);
      void target.connections.close();
    }
  }

  async #request(request: OutgoingRequest, target: TargetState): Promise<OutgoingOutcome> {
    const { url, method, headers, body = null, signal, started } = request;
    let sent = false;
    try {
      const answer = await target.connections.request({
        method,
        path: `${url.pathname}${url.search}`,
        headers,
        body,
        signal,
        started: () => {
          sent = true;
          started?.();
          target.circuit.report("connected");
        },
      });
      const { statusCode: status, body: content } = answer;
      const fields = headersOf(answer.headers);
      content.once("close", () => target.requests--);
      return { answer: { status, headers: fields, body: content } };
    } catch (thrown) {
      target.requests--;
      const reason = reasonOf(thrown, signal, sent);
      if (!sent) target.circuit.report(reason === "unreachable" ? "failed" : "unknown");
      return failed(reason, sent);
    }
  }
}

function logRefusal(log: Log, host: string, address: string): void {
  log("warn", "outgoing.refused", { host, address });
}

function reasonOf(thrown: unknown, signal: AbortSignal, sent: boolean): FailureReason {
  if (signal.aborted) return abortReason(signal);
  if (thrown instanceof AddressRefused) return "refused";
  if (sent) return "broken";
  return codeOf(thrown) === "UND_ERR_INVALID_ARG" ? "invalid" : "unreachable";
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
}

function headersOf(given: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(given)) {
    for (const value of [values].flat()) headers.append(name, value);
  }
  return headers;
}
