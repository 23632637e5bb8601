/**
 * The least that any service here does: Deno's own server, a subprocess that is asked over
 * loopback, and Deno KV, without a line of the product's. `bounds.ts` measures it beside the
 * service.
 *
 * `bare_server.ts [store] [port of the subprocess]`. `POST /N` answers N bytes; `/ask/N` asks the
 * subprocess first; `/step/N` does what a step in a context cannot do without: read, take the
 * lease, ask, commit the body.
 *
 * @module
 */
import { IsolateConnection } from "../runtimes/pool/isolate_connection.ts";

const MOST_BYTES = 64 * 1024 * 1024;

async function main(): Promise<void> {
  const [path = ":memory:", port = "0"] = Deno.args;
  const store = await Deno.openKv(path);
  const child = port === "0"
    ? undefined
    : await IsolateConnection.open({ port: Number(port), token: "none" });
  const ask = async (body: Uint8Array<ArrayBuffer>, bytes: string) => {
    if (child === undefined) throw new Error("there is no subprocess");
    return (await child.post(`/${bytes}`, [body], MOST_BYTES)).body;
  };
  const onListen = ({ port }: Deno.NetAddr) => {
    Deno.stdout.writeSync(new TextEncoder().encode(`http://127.0.0.1:${port}\n`));
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, async (request) => {
    const [, first = "", second = ""] = new URL(request.url).pathname.split("/");
    const body = new Uint8Array(await request.arrayBuffer());
    if (first === "ask") return new Response(await ask(body, second));
    if (first === "step") {
      await Promise.all([
        store.getMany([["sandbox"], ["context"], ["files"]]),
        store.atomic().set(["lease"], performance.now()).commit(),
      ]);
      const answer = await ask(body, second);
      await store.atomic().set(["state"], body).delete(["lease"]).commit();
      return new Response(answer);
    }
    return new Response(new Uint8Array(Number(first)));
  });
  Deno.addSignalListener("SIGTERM", () => void server.shutdown().then(() => Deno.exit()));
  await server.finished;
}

await main();
