/**
 * A listener in a separate process, which is started with few file descriptors. Prints its port,
 * then a line for each failure. `/slow` is answered a second later than other paths; a line tells
 * that it has arrived.
 *
 * @module
 */
import { type Serve, serveDeno, serveWithDisconnects } from "../../gateway/http_server.ts";
import { Listener } from "../../gateway/listener.ts";

const SLOW_MS = 1_000;
const SERVERS: Readonly<Record<string, Serve>> = { deno: serveDeno };

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

const listener = Listener.open({
  serve: SERVERS[Deno.args[0] ?? ""] ?? serveWithDisconnects,
  hostname: "127.0.0.1",
  port: 0,
  handler: async ({ url }) => {
    if (url.endsWith("/slow")) {
      print("slow");
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    }
    return new Response(url.slice(url.lastIndexOf("/")));
  },
  onFailure: (thrown) => print(`failed: ${thrown}`),
});
if (listener.address.transport === "tcp") print(`port ${listener.address.port}`);
Deno.addSignalListener("SIGTERM", async () => {
  await listener.close();
  Deno.exit(0);
});
