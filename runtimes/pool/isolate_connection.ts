/**
 * One connection to an isolate's server, kept for all its runs. It sends one request at a time, in
 * the subset of HTTP/1.1 that this server uses.
 *
 * It takes about half the time of `fetch`, which matters for a run of a millisecond, and creates no
 * span when Deno traces. Answers are untrusted: one that does not have this form, or is too large,
 * is an error before a byte of its body is read, and closes the connection.
 *
 * @module
 */
import { ProtocolError } from "../../shared/message.ts";

/** An answer. */
export interface IsolateAnswer {
  readonly status: number;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** The address of the server and the credentials. */
export interface IsolateAddress {
  /** On 127.0.0.1. */
  readonly port: number;
  /** The isolate's bearer token, which contains only characters that a header may have. */
  readonly token: string;
}

/** Maximum bytes of a status line with its headers. */
const MAX_HEAD_BYTES = 4096;
/** A body up to this size is sent in one write with its head. */
const JOINED_BODY_BYTES = 64 * 1024;
const HOSTNAME = "127.0.0.1";
const NO_CONTENT = 204;
const CR = 0x0d;
const LF = 0x0a;
/** Length of the empty line after the headers, including the line end before it. */
const HEAD_END_BYTES = 4;
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

/** Head of an answer: where the body begins in the bytes read, and how long it is. */
interface AnswerHead {
  readonly status: number;
  readonly bodyStart: number;
  readonly bodyBytes: number;
}

/** A connection. Once a request has failed, all later ones fail too. */
export class IsolateConnection {
  readonly #connection: Deno.TcpConn;
  readonly #token: string;
  readonly #head = new Uint8Array(MAX_HEAD_BYTES);

  private constructor(connection: Deno.TcpConn, token: string) {
    this.#connection = connection;
    this.#token = token;
  }

  /** Connects. Rejects when the port is closed. */
  static async open({ port, token }: IsolateAddress): Promise<IsolateConnection> {
    const connection = await Deno.connect({ hostname: HOSTNAME, port });
    connection.setNoDelay(true);
    return new IsolateConnection(connection, token);
  }

  /**
   * Sends a body, in chunks, to a path and returns the answer, of at most `limit` bytes. Must not be called
   * before the previous request is answered. Rejects when the connection ends, and with a
   * ProtocolError when the answer is not allowed.
   */
  async post(
    path: string,
    body: readonly Uint8Array<ArrayBuffer>[],
    limit: number,
  ): Promise<IsolateAnswer> {
    try {
      await this.#send(path, body);
      return await this.#receive(limit);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Closes the connection. Idempotent. */
  close(): void {
    try {
      this.#connection.close();
    } catch (error) {
      if (!(error instanceof Deno.errors.BadResource)) throw error;
    }
  }

  async #send(path: string, body: readonly Uint8Array<ArrayBuffer>[]): Promise<void> {
    const length = body.reduce((sum, chunk) => sum + chunk.length, 0);
    const head = ENCODER.encode(
      `POST ${path} HTTP/1.1\r\nhost: ${HOSTNAME}\r\nauthorization: Bearer ${this.#token}\r\n` +
        `content-length: ${length}\r\n\r\n`,
    );
    const [only = new Uint8Array()] = body;
    if (length > JOINED_BODY_BYTES || body.length > 1) {
      await this.#write(head);
      for (const chunk of body) await this.#write(chunk);
      return;
    }
    const message = new Uint8Array(head.length + length);
    message.set(head);
    message.set(only, head.length);
    await this.#write(message);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) at += await this.#connection.write(bytes.subarray(at));
  }

  async #receive(limit: number): Promise<IsolateAnswer> {
    let filled = 0;
    let head: AnswerHead | undefined;
    while (head === undefined) {
      if (filled === MAX_HEAD_BYTES) throw new ProtocolError("the answer's head is too large");
      filled += await this.#read(this.#head.subarray(filled));
      head = parseHead(this.#head.subarray(0, filled));
    }
    const { status, bodyStart, bodyBytes } = head;
    if (bodyBytes > limit) throw new ProtocolError("the answer is too large");
    const there = this.#head.subarray(bodyStart, filled);
    if (there.length > bodyBytes) throw new ProtocolError("the answer is longer than it says");
    const body = new Uint8Array(bodyBytes);
    body.set(there);
    for (let at = there.length; at < bodyBytes;) at += await this.#read(body.subarray(at));
    return { status, body };
  }

  async #read(into: Uint8Array): Promise<number> {
    const read = await this.#connection.read(into);
    if (read === null) throw new ProtocolError("the answer is cut short");
    return read;
  }
}

/** Undefined until the end of the head has arrived. Throws a ProtocolError. */
function parseHead(bytes: Uint8Array): AnswerHead | undefined {
  const end = endOfHead(bytes);
  if (end === undefined) return undefined;
  const [statusLine = "", ...lines] = DECODER.decode(bytes.subarray(0, end)).split("\r\n");
  const [, digits] = /^HTTP\/1\.1 ([2-5]\d\d) /.exec(statusLine) ?? [];
  if (digits === undefined) throw new ProtocolError("the answer has no status");
  const status = Number(digits);
  const bodyBytes = status === NO_CONTENT ? 0 : contentLength(lines);
  return { status, bodyStart: end + HEAD_END_BYTES, bodyBytes };
}

function endOfHead(bytes: Uint8Array): number | undefined {
  for (let at = bytes.indexOf(CR); at >= 0; at = bytes.indexOf(CR, at + 1)) {
    if (bytes[at + 1] === LF && bytes[at + 2] === CR && bytes[at + 3] === LF) return at;
  }
  return undefined;
}

/** The length must be given once, in digits; no other form is allowed. */
function contentLength(lines: readonly string[]): number {
  const lengths = lines.filter((line) => /^(?:content-length|transfer-encoding)\s*:/i.test(line));
  const [, digits] = /^content-length: (\d{1,10})$/i.exec(lengths[0] ?? "") ?? [];
  if (lengths.length !== 1 || digits === undefined) {
    throw new ProtocolError("the answer has no length");
  }
  return Number(digits);
}
