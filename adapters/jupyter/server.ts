/**
 * Jupyter's kernel gateway over the service's own routes (docs/jupyter.md).
 *
 * `adapters/jupyter/` owns what Jupyter's clients send and expect: paths, messages and errors. It may
 * import `shared/`. It adds no rule: it calls the routes that other callers use. The gateway loads
 * this module with the first request.
 *
 * @module
 */
import { JUPYTER_LIMITS } from "../../shared/jupyter_limits.ts";
import { ServiceError } from "../../shared/errors.ts";
import { findKernel, type Kernel } from "./kernels.ts";
import { type Connection, LiveKernel } from "./live_kernel.ts";
import { type ClientMessage, readMessage, V1_PROTOCOL } from "./messages.ts";
import type { JupyterPorts } from "./ports.ts";
import { answerMessage } from "./requests.ts";

/** The socket is closed because of the client's data, because of a limit, or because a token ended. */
const UNACCEPTABLE_DATA = 1007;
const POLICY = 1008;
const GOING_AWAY = 1001;

/** A connection to a kernel that is about to begin. */
export interface ChannelsOrder {
  readonly kernel: Kernel;
  readonly ports: JupyterPorts;
  /** Whether the caller's token is still good. */
  readonly isAllowed: () => boolean;
  /** Fires when the service takes no more messages. */
  readonly stopping: AbortSignal;
}

/** The kernels that are used in this process, of all tenants. */
export class JupyterServer {
  readonly #live = new Map<string, LiveKernel>();
  readonly #sockets = new Map<string, number>();

  /** The kernel, if it is used in this process. */
  live(tenant: string, id: string): LiveKernel | undefined {
    return this.#live.get(keyOf(tenant, id));
  }

  /** Whether a tenant may open one more socket. */
  hasRoom(tenant: string): boolean {
    return (this.#sockets.get(tenant) ?? 0) < JUPYTER_LIMITS.socketsPerTenant;
  }

  /** Connects a socket, which is about to open, to a kernel. */
  connect(socket: WebSocket, order: ChannelsOrder): void {
    const { ports: { tenant } } = order;
    this.#sockets.set(tenant, (this.#sockets.get(tenant) ?? 0) + 1);
    const kernel = this.#use(order);
    const connection = connectionOf(socket);
    kernel.connect(connection);
    socket.binaryType = "arraybuffer";
    const stop = () => socket.close(GOING_AWAY, "The service stops");
    order.stopping.addEventListener("closing", stop);
    order.stopping.addEventListener("abort", stop);
    socket.addEventListener("open", () => kernel.publishStatus("idle"));
    socket.addEventListener("message", ({ data }) => {
      void this.#take(data, { socket, connection, kernel, order });
    });
    let isOpen = true;
    const end = () => {
      if (!isOpen) return;
      isOpen = false;
      order.stopping.removeEventListener("closing", stop);
      order.stopping.removeEventListener("abort", stop);
      const left = (this.#sockets.get(tenant) ?? 1) - 1;
      if (left === 0) this.#sockets.delete(tenant);
      else this.#sockets.set(tenant, left);
      kernel.disconnect(connection);
    };
    socket.addEventListener("close", end);
    socket.addEventListener("error", end);
  }

  #use({ kernel: { id, language }, ports }: ChannelsOrder): LiveKernel {
    const key = keyOf(ports.tenant, id);
    const known = this.#live.get(key);
    if (known !== undefined) return known;
    const kernel = new LiveKernel(id, language, ports, () => this.#live.delete(key));
    this.#live.set(key, kernel);
    return kernel;
  }

  async #take(
    data: unknown,
    { socket, connection, kernel, order }: {
      readonly socket: WebSocket;
      readonly connection: Connection;
      readonly kernel: LiveKernel;
      readonly order: ChannelsOrder;
    },
  ): Promise<void> {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (!order.isAllowed()) return socket.close(POLICY, "The token is not known");
    const message = messageIn(data);
    if (typeof message === "string") return socket.close(UNACCEPTABLE_DATA, message);
    const { kernel: { id }, ports } = order;
    try {
      await answerMessage(message, { id, kernel, from: connection, ports });
    } catch (thrown) {
      const evalue = thrown instanceof ServiceError
        ? thrown.message
        : "The content of the message is not acceptable";
      const { header: parent, channel } = message;
      kernel.reply(connection, {
        channel: channel === "control" ? "control" : "shell",
        type: parent.msg_type.replace(/_request$/, "_reply"),
        parent,
        content: { status: "error", ename: "Refused", evalue, traceback: [evalue] },
      });
    }
    if (message.header.msg_type !== "shutdown_request") return;
    if (await findKernel(id, ports) === undefined) kernel.closeAll();
  }
}

/** The message, or why there is none, in few bytes: a socket's close takes 123. */
function messageIn(data: unknown): ClientMessage | string {
  if (typeof data !== "string" && !(data instanceof ArrayBuffer)) return "Not a message";
  try {
    return readMessage(data, JUPYTER_LIMITS.requestBytes);
  } catch (thrown) {
    if (thrown instanceof ServiceError) return thrown.message.slice(0, 100);
    throw thrown;
  }
}

function connectionOf(socket: WebSocket): Connection {
  return {
    send: (message) => {
      if (socket.readyState !== WebSocket.OPEN) return;
      if (socket.bufferedAmount > JUPYTER_LIMITS.unreadBytes) {
        return socket.close(POLICY, "The client does not read");
      }
      socket.send(socket.protocol === V1_PROTOCOL ? message.frame : message.json);
    },
    close: () => socket.close(GOING_AWAY, "The kernel is gone"),
  };
}

function keyOf(tenant: string, id: string): string {
  return `${id} ${tenant}`;
}
