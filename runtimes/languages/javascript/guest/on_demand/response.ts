/**
 * `Response` of the Fetch Standard.
 *
 * @module
 */
import { INSPECT, inspectAs } from "../web/expose.ts";
import { contentOf, newBody, setParts, WithBody } from "./body.ts";
import { Headers } from "./headers.ts";

const NO_BODY = [101, 103, 204, 205, 304];
const REDIRECTS = [301, 302, 303, 307, 308];

function member(init: unknown, name: string): unknown {
  return init === undefined || init === null ? undefined : Reflect.get(Object(init), name);
}

function readStatus(init: unknown): number {
  const given = member(init, "status");
  const status = given === undefined ? 200 : Math.trunc(Number(given));
  if (status >= 200 && status <= 599) return status;
  throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
}

/** An answer. */
export class Response extends WithBody {
  #status: number;
  readonly #statusText: string;
  #type = "default";

  constructor(content: unknown = null, init: unknown = undefined) {
    super();
    this.#status = readStatus(init);
    this.#statusText = `${member(init, "statusText") ?? ""}`;
    const headers = new Headers(member(init, "headers"));
    const made = newBody(content);
    if (made !== undefined && NO_BODY.includes(this.#status)) {
      throw new TypeError(`Response constructor: Invalid response status code ${this.#status}`);
    }
    setParts(this, headers, made);
  }

  static error(): Response {
    const response = new Response();
    response.#status = 0;
    response.#type = "error";
    return response;
  }

  static json(data: unknown, init: unknown = undefined): Response {
    const text = JSON.stringify(data);
    if (text === undefined) throw new TypeError("Value is not JSON serializable");
    const headers = new Headers(member(init, "headers"));
    if (!headers.has("content-type")) headers.set("content-type", "application/json");
    return new Response(text, { ...Object(init), headers });
  }

  static redirect(url: unknown, status: unknown = 302): Response {
    const address = parseUrl(url);
    const code = Number(status);
    if (!REDIRECTS.includes(code)) throw new RangeError(`Invalid status code ${status}`);
    return new Response(null, { status: code, headers: { location: address } });
  }

  get type(): string {
    return this.#type;
  }

  get url(): string {
    return "";
  }

  get redirected(): boolean {
    return false;
  }

  get status(): number {
    return this.#status;
  }

  get ok(): boolean {
    return this.#status >= 200 && this.#status <= 299;
  }

  get statusText(): string {
    return this.#statusText;
  }

  clone(): Response {
    const { headers, statusText } = this;
    const content = contentOf(this);
    if (content?.isUnusable === true) {
      throw new TypeError("Response.clone: Body has already been consumed.");
    }
    const status = this.#status === 0 ? 200 : this.#status;
    const copy = new Response(content?.tee().stream, { status, statusText, headers });
    copy.#status = this.#status;
    copy.#type = this.#type;
    return copy;
  }

  [INSPECT](...args: readonly unknown[]): unknown {
    const { status, statusText, headers, body, bodyUsed, ok, redirected, type, url } = this;
    const fields = { status, statusText, headers, body, bodyUsed, ok, redirected, type, url };
    return inspectAs(this, "Response", fields, args);
  }
}

/** An absolute address, or Node's error. */
export function parseUrl(value: unknown): string {
  const text = `${value}`;
  try {
    return new URL(text).href;
  } catch (cause) {
    throw new TypeError(`Failed to parse URL from ${text}`, { cause });
  }
}
