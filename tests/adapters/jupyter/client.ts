/**
 * A client of Jupyter's protocol, in the forms that Jupyter's own clients send.
 *
 * @module
 */
import { assert } from "@std/assert";

/** A tenant of a service. */
export interface Tenant {
  readonly url: string;
  readonly token?: string;
}

/** A message of a kernel. */
export interface Message {
  readonly channel: string;
  readonly header: { readonly msg_type: string; readonly msg_id: string };
  readonly parent_header: { readonly msg_id?: string };
  readonly content: ReturnType<typeof JSON.parse>;
}

/** Sends a request to the REST API. */
export async function rest({ url, token }: Tenant, line: string, body?: unknown) {
  const [method = "", path = ""] = line.split(" ");
  const answer = await fetch(`${url}/jupyter/api${path}`, {
    method,
    headers: token === undefined ? {} : { authorization: `token ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    json: text === "" ? null : JSON.parse(text),
  };
}

/** Starts a kernel; gives its id. */
export async function startKernel(tenant: Tenant, name = "python3"): Promise<string> {
  const { status, json } = await rest(tenant, "POST /kernels", { name });
  assert(status === 201, JSON.stringify(json));
  return json.id;
}

const V1 = "v1.kernel.websocket.jupyter.org";

/** A connection to a kernel. */
export class Channels implements AsyncDisposable {
  readonly socket: WebSocket;
  readonly #isBinary: boolean;
  readonly #received: Message[] = [];
  #wake: () => void = () => undefined;
  #isClosed = false;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    this.#isBinary = socket.protocol === V1;
    socket.onmessage = ({ data }) => {
      this.#received.push(typeof data === "string" ? JSON.parse(data) : fromFrame(data));
      this.#wake();
    };
    socket.onclose = () => {
      this.#isClosed = true;
      this.#wake();
    };
  }

  /** Opens one; rejects if it is refused. */
  static async open({ url, token }: Tenant, kernel: string, protocols: string[] = []) {
    const query = token === undefined ? "" : `?token=${token}`;
    const address = `${url.replace("http", "ws")}/jupyter/api/kernels/${kernel}/channels${query}`;
    const socket = new WebSocket(address, protocols);
    socket.binaryType = "arraybuffer";
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve();
      socket.onerror = () => reject(new Error("The socket was refused"));
    });
    return new Channels(socket);
  }

  /** Sends a message; gives its id. */
  send(type: string, content: unknown = {}, channel: string | undefined = "shell"): string {
    const header = {
      msg_id: crypto.randomUUID(),
      msg_type: type,
      session: "s",
      username: "u",
      date: "",
      version: "5.4",
    };
    const message = { header, parent_header: {}, metadata: {}, content, channel };
    this.socket.send(this.#isBinary ? toFrame(message) : JSON.stringify(message));
    return header.msg_id;
  }

  /** The next message that fits. Rejects when the socket closes before. */
  async next(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const at = this.#received.findIndex(fits);
      const found = at === -1 ? undefined : this.#received.splice(at, 1)[0];
      if (found !== undefined) return found;
      if (this.#isClosed) throw new Error("The socket is closed");
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  /** The reply to a request. */
  async reply(id: string): Promise<Message> {
    return await this.next(({ channel, parent_header }) =>
      (channel === "shell" || channel === "control") && parent_header.msg_id === id
    );
  }

  /** Runs a cell to its end; gives its messages, statuses excepted, and the content of its reply. */
  async run(code: string, more: Record<string, unknown> = {}) {
    const id = this.send("execute_request", { code, silent: false, ...more });
    return await this.ended(id);
  }

  /** The messages of a cell to its end. */
  async ended(id: string) {
    const { content: reply } = await this.reply(id);
    const messages: (readonly [type: string, content: Message["content"]])[] = [];
    for (;;) {
      const { header, content } = await this.next(({ channel, parent_header }) =>
        channel === "iopub" && parent_header.msg_id === id
      );
      if (header.msg_type !== "status") messages.push([header.msg_type, content]);
      else if (content.execution_state === "idle") return { reply, messages };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    const closed = new Promise((resolve) => this.socket.addEventListener("close", resolve));
    this.socket.close();
    await closed;
  }
}

function toFrame({ channel, ...parts }: Record<string, unknown>): Uint8Array<ArrayBuffer> {
  const encoded = [String(channel), ...Object.values(parts).map((part) => JSON.stringify(part))]
    .map((text) => new TextEncoder().encode(text));
  const offsets = [8 * (encoded.length + 2)];
  for (const part of encoded) offsets.push((offsets.at(-1) ?? 0) + part.length);
  const numbers = new BigUint64Array([offsets.length, ...offsets].map(BigInt));
  return new Uint8Array(
    [new Uint8Array(numbers.buffer), ...encoded].flatMap((part) => [...part]),
  );
}

function fromFrame(data: ArrayBuffer): Message {
  const view = new DataView(data);
  const number = (at: number) => Number(view.getBigUint64(at * 8, true));
  const parts = Array.from(
    { length: number(0) - 1 },
    (_, at) => new TextDecoder().decode(new Uint8Array(data).slice(number(at + 1), number(at + 2))),
  );
  const [channel = "", header = "", parent = "", , content = ""] = parts;
  return {
    channel,
    header: JSON.parse(header),
    parent_header: JSON.parse(parent),
    content: JSON.parse(content),
  };
}
