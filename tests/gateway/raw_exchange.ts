/**
 * HTTP by hand, for requests that `fetch` does not send.
 *
 * @module
 */

/** Options of an exchange. */
export interface ExchangeOptions {
  /** Whether to close the sending side after the request. */
  readonly halfClose?: boolean;
}

/** Sends bytes over a new connection. Returns the one answer that comes back. */
export async function exchange(
  url: string,
  text: string,
  { halfClose = false }: ExchangeOptions = {},
): Promise<string> {
  const { hostname, port } = new URL(url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  try {
    const bytes = new TextEncoder().encode(text);
    for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
    if (halfClose) await connection.closeWrite();
    return await readAnswer(connection);
  } catch (thrown) {
    if (thrown instanceof Deno.errors.ConnectionReset) return "";
    if (thrown instanceof Deno.errors.BrokenPipe) return "";
    if (thrown instanceof Deno.errors.NotConnected) return "";
    throw thrown;
  }
}

/** One answer, as far as it comes before the connection ends. */
export async function readAnswer(connection: Deno.Conn): Promise<string> {
  const decoder = new TextDecoder();
  let answer = "";
  const buffer = new Uint8Array(4096);
  while (!isWhole(answer)) {
    const count = await connection.read(buffer);
    if (count === null) return answer;
    answer += decoder.decode(buffer.subarray(0, count), { stream: true });
  }
  return answer;
}

/** Whether an ASCII answer has as many bytes after its head as the head announces. */
function isWhole(answer: string): boolean {
  const head = answer.indexOf("\r\n\r\n");
  const length = /content-length: (\d+)/i.exec(answer)?.[1];
  return head !== -1 && length !== undefined && answer.length - head - 4 >= Number(length);
}
