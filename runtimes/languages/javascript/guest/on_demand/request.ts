/**
 * `Request` of the Fetch Standard.
 *
 * @module
 */
import { INSPECT, inspectAs } from "../web/expose.ts";
import { type Body, contentOf, newBody, setParts, WithBody } from "./body.ts";
import { Headers } from "./headers.ts";
import { parseUrl } from "./response.ts";

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const UNSUPPORTED = ["CONNECT", "TRACE", "TRACK"];
const STANDARD = ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"];

/** Members of `init` that are texts, with their defaults. */
const TEXTS = {
  referrer: "about:client",
  referrerPolicy: "",
  mode: "cors",
  credentials: "same-origin",
  cache: "default",
  redirect: "follow",
  integrity: "",
} as const;
type TextName = keyof typeof TEXTS;

function readMethod(value: unknown): string {
  const method = `${value}`;
  if (!TOKEN.test(method)) throw new TypeError(`'${method}' is not a valid HTTP method.`);
  const upper = method.toUpperCase();
  if (UNSUPPORTED.includes(upper)) throw new TypeError(`'${method}' HTTP method is unsupported.`);
  return STANDARD.includes(upper) ? upper : method;
}

/** A request that is not sent. */
export class Request extends WithBody {
  readonly #url: string;
  readonly #method: string;
  readonly #texts: Readonly<Record<TextName, string>>;
  readonly #keepalive: boolean;
  readonly #signal: AbortSignal;

  constructor(input: unknown, options: unknown = undefined) {
    if (arguments.length === 0) {
      throw new TypeError("Request constructor: 1 argument required, but 0 found.");
    }
    super();
    const from = input instanceof Request ? input : undefined;
    const init = (name: string): unknown =>
      options === undefined || options === null ? undefined : Reflect.get(Object(options), name);
    this.#url = from === undefined ? Request.#address(input) : from.url;
    this.#method = readMethod(init("method") ?? from?.method ?? "GET");
    const text = (name: TextName) => `${init(name) ?? from?.[name] ?? TEXTS[name]}`;
    this.#texts = {
      referrer: text("referrer"),
      referrerPolicy: text("referrerPolicy"),
      mode: text("mode"),
      credentials: text("credentials"),
      cache: text("cache"),
      redirect: text("redirect"),
      integrity: text("integrity"),
    };
    this.#keepalive = Boolean(init("keepalive") ?? from?.keepalive);
    this.#signal = Request.#signalFor(init("signal") ?? from?.signal);
    const content = init("body");
    const earlier = from === undefined ? undefined : contentOf(from);
    const isBodyless = this.#method === "GET" || this.#method === "HEAD";
    if (isBodyless && (content ?? earlier ?? null) !== null) {
      throw new TypeError("Request with GET/HEAD method cannot have body.");
    }
    const made = newBody(content);
    if (init("duplex") === undefined && isStream(content)) {
      throw new TypeError("RequestInit: duplex option is required when sending a body.");
    }
    const inherited = made === undefined ? Request.#taken(earlier) : undefined;
    const headers = new Headers(init("headers") ?? from?.headers);
    setParts(this, headers, made ?? (inherited && { body: inherited, type: undefined }));
  }

  static #address(input: unknown): string {
    const address = parseUrl(input);
    const { username, password } = new URL(address);
    if (username === "" && password === "") return address;
    throw new TypeError(
      `Request cannot be constructed from a URL that includes credentials: ${input}`,
    );
  }

  static #signalFor(given: unknown): AbortSignal {
    const controller = new AbortController();
    if (!(given instanceof AbortSignal)) return controller.signal;
    if (given.aborted) controller.abort(given.reason);
    else given.addEventListener("abort", () => controller.abort(given.reason), { once: true });
    return controller.signal;
  }

  /** The body of a request from which another is made: that one is used. */
  static #taken(earlier: Body | undefined): Body | undefined {
    if (earlier?.isUnusable === true) {
      throw new TypeError(
        "Cannot construct a Request with a Request object that has already been used.",
      );
    }
    return earlier?.tee();
  }

  get method(): string {
    return this.#method;
  }

  get url(): string {
    return this.#url;
  }

  get destination(): string {
    return "";
  }

  get referrer(): string {
    return this.#texts.referrer;
  }

  get referrerPolicy(): string {
    return this.#texts.referrerPolicy;
  }

  get mode(): string {
    return this.#texts.mode;
  }

  get credentials(): string {
    return this.#texts.credentials;
  }

  get cache(): string {
    return this.#texts.cache;
  }

  get redirect(): string {
    return this.#texts.redirect;
  }

  get integrity(): string {
    return this.#texts.integrity;
  }

  get keepalive(): boolean {
    return this.#keepalive;
  }

  get isReloadNavigation(): boolean {
    return false;
  }

  get isHistoryNavigation(): boolean {
    return false;
  }

  get signal(): AbortSignal {
    return this.#signal;
  }

  get duplex(): string {
    return "half";
  }

  clone(): Request {
    const content = contentOf(this);
    if (content?.isUnusable === true) throw new TypeError("unusable");
    const body = content?.tee().stream;
    const { method, headers, signal } = this;
    const parts = { ...this.#texts, method, headers, signal, keepalive: this.#keepalive };
    return new Request(this.#url, body === undefined ? parts : { ...parts, body, duplex: "half" });
  }

  [INSPECT](...args: readonly unknown[]): unknown {
    const { method, url, headers, destination, keepalive, signal } = this;
    const { isReloadNavigation, isHistoryNavigation } = this;
    return inspectAs(this, "Request", {
      ...{ method, url, headers, destination },
      ...this.#texts,
      ...{ keepalive, isReloadNavigation, isHistoryNavigation, signal },
    }, args);
  }
}

function isStream(content: unknown): boolean {
  return typeof content === "object" && content !== null && Symbol.asyncIterator in content;
}
