/**
 * The service behind the page, through the published client.
 *
 * @module
 */
import { connect, type Connection, type LanguageListing, SandboxError } from "@belljar/client";
import type { AvailableTool, ToolList } from "../client/protocol/calls.ts";
import { PAGE_HEADER } from "../client/protocol/paths.ts";
import { type Operation, operationsOf } from "./operations.ts";
import { keep, storedText } from "./tab_store.ts";

const TOKEN = "token";
const UNAUTHORIZED = 401;

/** Called when the service answers again or no longer. */
type OnReach = (isThere: boolean) => void;

/** The token is missing or wrong. */
export class TokenNeeded extends Error {
  override readonly name = "TokenNeeded";
  /** Whether one was sent. */
  readonly wasSent: boolean;

  constructor(wasSent: boolean) {
    super(wasSent ? "This service does not accept the token." : "This service needs a token.");
    this.wasSent = wasSent;
  }
}

/** The service at the page's own address. */
export class Service {
  #env: Connection;
  #onReach: OnReach = () => undefined;
  #languages: readonly LanguageListing[] = [];
  #tools: Promise<readonly AvailableTool[]> | undefined;

  constructor() {
    this.#env = this.#connected(storedText(TOKEN));
  }

  /** The bindings, with the present token. */
  get env(): Connection {
    return this.#env;
  }

  /** The enabled languages. */
  get languages(): readonly LanguageListing[] {
    return this.#languages;
  }

  /** Whether this tab has a token. */
  get hasToken(): boolean {
    return storedText(TOKEN) !== undefined;
  }

  /** Whether any language has contexts here. */
  get hasSandboxes(): boolean {
    return this.#languages.some(({ contexts }) => contexts);
  }

  /** Sets what is told about the connection. */
  set onReach(listener: OnReach) {
    this.#onReach = listener;
  }

  /**
   * Uses another token from now on; `undefined`: none. Throws a `SandboxError` for a malformed one.
   */
  useToken(token: string | undefined): void {
    this.#env = this.#connected(token);
    this.#tools = undefined;
    keep(TOKEN, token);
  }

  /** Sends a request, with the present token. Rejects when there is no answer. */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const request = new Request(new URL(path, baseUrl()), { cache: "no-store", ...init });
    const token = storedText(TOKEN);
    if (token !== undefined) request.headers.set("authorization", `Bearer ${token}`);
    return await this.#fetch(request);
  }

  /** Reads which operations there are. Rejects with {@link TokenNeeded}, or another Error. */
  async operations(): Promise<readonly Operation[]> {
    return operationsOf(await this.#read("openapi.json"));
  }

  /** Reads what the service can do. Rejects with {@link TokenNeeded}, or another Error. */
  async load(): Promise<void> {
    const { languages } = await this.#read<{ languages: LanguageListing[] }>("languages");
    this.#languages = languages.filter(({ enabled }) => enabled);
  }

  /** The operator's tools for this reader, read once for each token. */
  async tools(): Promise<readonly AvailableTool[]> {
    this.#tools ??= this.#read<ToolList>("tools").then(({ tools }) => tools);
    return await this.#tools;
  }

  async #read<T>(path: string): Promise<T> {
    const hasToken = this.hasToken;
    // a call that is refused would be an error in the browser's console
    if (!hasToken && document.body.dataset["access"] === "token") throw new TokenNeeded(false);
    const response = await this.send(path);
    if (response.status === UNAUTHORIZED) throw new TokenNeeded(hasToken);
    if (!response.ok) throw new Error(`The service answers with status ${response.status}.`);
    return await response.json();
  }

  #connected(token: string | undefined): Connection {
    return connect(baseUrl(), { token, fetch: (request) => this.#fetch(request) });
  }

  async #fetch(request: Request): Promise<Response> {
    request.headers.set(PAGE_HEADER, "1"); // the journal of a run tells who has decided
    try {
      const response = await fetch(request);
      this.#onReach(true);
      return response;
    } catch (thrown) {
      if (!request.signal.aborted) this.#onReach(false);
      throw thrown;
    }
  }
}

/** Whether a call failed because of its token. */
export function isTokenFailure(thrown: unknown): boolean {
  return thrown instanceof SandboxError && thrown.httpStatus === UNAUTHORIZED;
}

/** The message of a failure, for people. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function baseUrl(): URL {
  return new URL("./", location.href);
}
