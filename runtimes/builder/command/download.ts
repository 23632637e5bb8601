/**
 * Bounded downloads from an index of packages or a mirror of the engine's distribution.
 *
 * Redirects may lead to `https` only, or to `http` if the operator's own URL is `http`. Credentials
 * in the operator's URL are sent to its origin only and are never shown. Proxies and certificates
 * are those of Deno (`HTTPS_PROXY`, `DENO_CERT`, `DENO_TLS_CA_STORE`).
 *
 * @module
 */
import { createHash } from "node:crypto";
import { CommandRefused } from "./refusal.ts";

/** The base URL of downloads, with its credentials. */
export interface Access {
  /** The operator's URL without credentials. */
  readonly base: URL;
  /** Value of the `Authorization` header for the origin of `base`. */
  readonly authorization: string | undefined;
  /** The environment variable that contains the URL. */
  readonly variable: string;
}

/** Time limits of downloads, in milliseconds. */
export interface Patience {
  /** Longest time without data from a server. */
  readonly stallMs: number;
  /** Pause before the second attempt. It doubles with each further attempt. */
  readonly retryMs: number;
}

/** A download that failed. */
export class DownloadRefused extends CommandRefused {
  override readonly name = "DownloadRefused";
}

/** A failure that another attempt may not meet. */
class Passing extends Error {
  override readonly name = "Passing";
}

interface TextOptions {
  readonly accept: string;
  readonly maxBytes: number;
}

interface FileOptions {
  readonly path: string;
  readonly sha256: string;
  readonly maxBytes: number;
  /** Called for each part with the number of bytes so far, and with the total if it is known. */
  readonly onBytes: (done: number, total: number | undefined) => void;
}

const DEFAULT_PATIENCE: Patience = { stallMs: 30_000, retryMs: 500 };
const TRIES = 3;
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);
const NETWORK_ADVICE =
  "Check the network: proxies and certificates are Deno's (HTTPS_PROXY, DENO_CERT, DENO_TLS_CA_STORE)";

/** The access to a folder. Its files are read like answers of a server. */
export function accessToFolder(folder: URL, variable: string): Access {
  const base = new URL(folder);
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  return { base, variable, authorization: undefined };
}

/** The access for an operator's URL; undefined if it is not an HTTP URL. */
export function accessTo(address: string, variable: string): Access | undefined {
  const base = URL.parse(address);
  if (base?.protocol !== "https:" && base?.protocol !== "http:") return undefined;
  const { username, password } = base;
  base.username = base.password = "";
  base.search = base.hash = "";
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    base,
    variable,
    authorization: pair === ":" ? undefined : `Basic ${new TextEncoder().encode(pair).toBase64()}`,
  };
}

/** A URL without parts that may be secret. */
export function shownUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** Downloads with size limits, retries and redirects. */
export class Downloads {
  readonly #patience: Patience;

  constructor(patience = DEFAULT_PATIENCE) {
    this.#patience = patience;
  }

  /** Downloads text; undefined if the server answers 404. Throws a DownloadRefused. */
  async text(
    url: URL,
    access: Access,
    { accept, maxBytes }: TextOptions,
  ): Promise<{ readonly text: string; readonly type: string; readonly url: URL } | undefined> {
    return await this.#tried(url, access, async () => {
      await using answer = await this.#open(url, access, { accept });
      if (answer.response.status === 404 || answer.response.status === 410) return undefined;
      const parts: Uint8Array[] = [];
      for await (const part of answer.parts(maxBytes)) parts.push(part);
      const bytes = new Uint8Array(await new Blob(parts.map((part) => part.slice())).arrayBuffer());
      return {
        text: new TextDecoder().decode(bytes),
        type: answer.response.headers.get("content-type") ?? "",
        url: answer.url,
      };
    });
  }

  /**
   * Downloads a file to a new path. Returns its size in bytes, or undefined if the server answers
   * 404. Throws a DownloadRefused; the caller then removes what was written.
   */
  async file(url: URL, access: Access, options: FileOptions): Promise<number | undefined> {
    return await this.#tried(url, access, async () => {
      await using answer = await this.#open(url, access, { "accept-encoding": "identity" });
      if (answer.response.status === 404 || answer.response.status === 410) return undefined;
      const length = Number(answer.response.headers.get("content-length") ?? NaN);
      const total = Number.isSafeInteger(length) ? length : undefined;
      using file = await Deno.open(options.path, { create: true, write: true, truncate: true });
      const hash = createHash("sha256");
      let done = 0;
      for await (const part of answer.parts(options.maxBytes)) {
        hash.update(part);
        for (let at = 0; at < part.length;) at += await file.write(part.subarray(at));
        done += part.length;
        options.onBytes(done, total);
      }
      if (total !== undefined && done !== total) throw new Passing("the answer was cut off");
      if (hash.digest("hex") !== options.sha256) {
        throw new DownloadRefused(
          `${shownUrl(url)} is not the file that was announced: its SHA-256 differs. ` +
            "Nothing was installed; try again, and distrust the mirror if it stays so",
        );
      }
      await file.sync();
      return done;
    });
  }

  /**
   * Downloads a file into memory; undefined if the server answers 404. Throws a DownloadRefused. The
   * caller checks the bytes.
   */
  async bytes(
    url: URL,
    access: Access,
    { maxBytes, onBytes }: Pick<FileOptions, "maxBytes" | "onBytes">,
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return await this.#tried(url, access, async () => {
      await using answer = await this.#open(url, access, { "accept-encoding": "identity" });
      if (answer.response.status === 404 || answer.response.status === 410) return undefined;
      const length = Number(answer.response.headers.get("content-length") ?? NaN);
      const total = Number.isSafeInteger(length) ? length : undefined;
      const parts: Uint8Array<ArrayBuffer>[] = [];
      let done = 0;
      for await (const part of answer.parts(maxBytes)) {
        parts.push(part);
        done += part.length;
        onBytes(done, total);
      }
      if (total !== undefined && done !== total) throw new Passing("the answer was cut off");
      return new Uint8Array(await new Blob(parts).arrayBuffer());
    });
  }

  async #tried<T>(url: URL, { variable }: Access, attempt: () => Promise<T>): Promise<T> {
    for (let tries = 1;; tries++) {
      try {
        return await attempt();
      } catch (thrown) {
        if (!(thrown instanceof Passing)) throw thrown;
        if (tries === TRIES) {
          throw new DownloadRefused(
            `${shownUrl(url)} cannot be read: ${thrown.message} (${TRIES} tries). ` +
              `${NETWORK_ADVICE}; ${variable} can name a mirror`,
          );
        }
        const pause = this.#patience.retryMs * 2 ** (tries - 1);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  async #open(url: URL, access: Access, headers: Record<string, string>): Promise<Answer> {
    let at = url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      checkScheme(at, access);
      const answer = await Answer.of(at, withAuthorization(headers, at, access), this.#patience);
      const { status } = answer.response;
      if (!REDIRECTS.has(status)) return await checkStatus(answer);
      await answer[Symbol.asyncDispose]();
      const next = URL.parse(answer.response.headers.get("location") ?? "", at);
      if (next === null) throw new DownloadRefused(`${shownUrl(at)} redirects without a location`);
      next.username = next.password = "";
      at = next;
    }
    throw new DownloadRefused(`${shownUrl(url)} redirects more than ${MAX_REDIRECTS} times`);
  }
}

function checkScheme(url: URL, { base }: Access): void {
  if (base.protocol === "file:" && url.protocol === "file:") return;
  if (url.protocol === "https:" || (url.protocol === "http:" && base.protocol === "http:")) return;
  throw new DownloadRefused(
    `${shownUrl(base)} leads to ${url.protocol}, which is refused: only https is followed` +
      (base.protocol === "http:" ? ", and http" : ""),
  );
}

function withAuthorization(
  headers: Record<string, string>,
  url: URL,
  { base, authorization }: Access,
): Record<string, string> {
  const isOwn = authorization !== undefined && url.origin === base.origin;
  return isOwn ? { ...headers, authorization } : headers;
}

/** Returns a 404 as it is, because the caller decides what it means. */
async function checkStatus(answer: Answer): Promise<Answer> {
  const { status } = answer.response;
  if (status === 200 || status === 404 || status === 410) return answer;
  await answer[Symbol.asyncDispose]();
  if (PASSING.has(status)) throw new Passing(`the server answers ${status}`);
  const advice = status === 401 || status === 403
    ? ": check the name and the password in its address"
    : "";
  throw new DownloadRefused(`${shownUrl(answer.url)} answers ${status}${advice}`);
}

/** One response. It is aborted if the server sends nothing for too long. */
class Answer {
  readonly url: URL;
  readonly response: Response;
  readonly #silence: Silence;

  private constructor(url: URL, response: Response, silence: Silence) {
    this.url = url;
    this.response = response;
    this.#silence = silence;
  }

  static async of(
    url: URL,
    headers: Record<string, string>,
    { stallMs }: Patience,
  ): Promise<Answer> {
    const silence = new Silence(stallMs);
    try {
      const response = await fetch(url, { headers, redirect: "manual", signal: silence.signal });
      return new Answer(url, response, silence);
    } catch (thrown) {
      silence.end();
      throw passing(thrown);
    }
  }

  /** The body. Throws a DownloadRefused if it is larger than `maxBytes`. */
  async *parts(maxBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    let done = 0;
    const reader = this.response.body?.getReader();
    while (reader !== undefined) {
      this.#silence.restart();
      const { value } = await reader.read().catch((thrown) => {
        throw passing(thrown);
      });
      if (value === undefined) return;
      done += value.length;
      if (done > maxBytes) {
        await reader.cancel();
        throw new DownloadRefused(`${shownUrl(this.url)} is larger than ${maxBytes} bytes`);
      }
      yield value;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#silence.end();
    if (this.response.body?.locked === false) await this.response.body.cancel();
    else this.#silence.abort();
  }
}

/** Aborts a request whose server sends nothing for too long. */
class Silence {
  readonly #controller = new AbortController();
  readonly #stallMs: number;
  #timer: ReturnType<typeof setTimeout>;

  constructor(stallMs: number) {
    this.#stallMs = stallMs;
    this.#timer = this.#start();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#start();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  abort(): void {
    this.#controller.abort();
  }

  #start(): ReturnType<typeof setTimeout> {
    const reason = new Passing(`the server is silent for ${this.#stallMs / 1000} s`);
    return setTimeout(() => this.#controller.abort(reason), this.#stallMs);
  }
}

/** Converts the failure of a request or body to the error for the caller. */
function passing(thrown: unknown): Passing {
  if (thrown instanceof Passing) return thrown;
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  const reason = cause instanceof Error ? cause.message : "";
  // Deno's message quotes the whole URL, which may contain secrets.
  const words = reason.replaceAll(/(?: for url)? ?\(?https?:\/\/\S+?\)?(?=[:,;]?(?:\s|$))/g, "")
    .trim();
  return new Passing(words === "" ? "the connection failed" : words);
}
