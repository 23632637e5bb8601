/**
 * Deno's own server, with a look at the connections of requests that take long: from Deno 2.8.3 on
 * it does not notice that the caller of a longer request disconnects.
 *
 * @module
 */
import { isWhole } from "../shared/responses.ts";
import { CallerWatch, type WatchedCaller } from "./caller_watch.ts";
import { denoOptions, type HttpServer, type ServeOptions } from "./http_server.ts";
import { PLAIN_HOST, withUrl } from "./request_url.ts";
import { readPeers } from "./tcp_peers.ts";

/** Starts a server. Rejects with the system's error when the address cannot be bound. */
export function serveWatched(options: ServeOptions): Promise<HttpServer> {
  const { handler } = options;
  const bound = Promise.withResolvers<Deno.NetAddr>();
  const watch = new CallerWatch(async () => readPeers(await bound.promise));
  const server = Deno.serve(denoOptions(options), async (request, info) => {
    const caller = watch.addWhenAsked(info);
    let isOver = true;
    try {
      const answer = await handler(asSent(request, caller));
      isOver = isWhole(answer) || answer.body === null;
      return answer;
    } finally {
      const end = () => caller[Symbol.dispose]();
      if (isOver) end();
      else info.completed.then(end, end);
    }
  });
  bound.resolve(server.addr);
  return Promise.resolve({
    addr: server.addr,
    finished: server.finished,
    shutdown: async () => {
      await server.shutdown();
      await watch.close();
    },
  });
}

/**
 * Gives a request the signal of its caller, and its path as sent when Deno made the URL with a Host
 * that has a path of its own.
 */
function asSent(request: Request, caller: WatchedCaller): Request {
  const host = request.headers.get("host");
  if (host === null) {
    // HTTP/2 has another header; there a caller can drop a request and keep its connection, and Deno
    // notices
    request.signal.addEventListener("abort", () => caller.abort(), { once: true });
  }
  Object.defineProperty(request, "signal", { get: () => caller.signal });
  const origin = `http://${host}`;
  if (host === null || PLAIN_HOST.test(host) || !request.url.startsWith(origin)) return request;
  return withUrl(request, `http://localhost${request.url.slice(origin.length)}`);
}
