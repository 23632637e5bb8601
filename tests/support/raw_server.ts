/**
 * A server that answers each connection with fixed bytes, also such that no HTTP server sends.
 *
 * @module
 */

/** A server and the requests it got, as text. */
export interface RawServer extends AsyncDisposable {
  readonly port: number;
  readonly requests: readonly string[];
  /** Number of connections so far. */
  readonly connections: number;
}

interface RawServerOptions {
  readonly hostname?: string;
  /** Leaves connections open after the answer. */
  readonly keepsOpen?: boolean;
}

export function serveRaw(
  answer: string,
  { hostname = "127.0.0.1", keepsOpen = false }: RawServerOptions = {},
): RawServer {
  const listener = Deno.listen({ hostname, port: 0 });
  let connections = 0;
  const requests: string[] = [];
  const open = new Set<Deno.Conn>();
  const exchange = async (connection: Deno.Conn) => {
    connections++;
    open.add(connection);
    try {
      const buffer = new Uint8Array(64 * 1024);
      const length = await connection.read(buffer) ?? 0;
      requests.push(new TextDecoder().decode(buffer.subarray(0, length)));
      const bytes = new TextEncoder().encode(answer);
      for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
      if (keepsOpen) { while (await connection.read(buffer) !== null); }
    } catch (thrown) {
      // The other side may close at any time.
      if (!(thrown instanceof Error)) throw thrown;
    } finally {
      if (open.delete(connection)) connection.close();
    }
  };
  const accepted = (async () => {
    const exchanges: Promise<void>[] = [];
    for await (const connection of listener) exchanges.push(exchange(connection));
    await Promise.all(exchanges);
  })();
  return {
    port: listener.addr.port,
    requests,
    get connections() {
      return connections;
    },
    [Symbol.asyncDispose]: async () => {
      listener.close();
      for (const connection of [...open]) if (open.delete(connection)) connection.close();
      await accepted;
    },
  };
}
