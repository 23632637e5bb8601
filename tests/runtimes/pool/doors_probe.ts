/**
 * Runs as an isolate does and tries every door from inside; says on standard output, as one
 * line of JSON, what came of each. The token line names the port of a listener of the test.
 */
import { sealGlobals } from "../../../runtimes/isolate/seal.ts";

const deno = { ...Deno };
const worker = globalThis.Worker;
const request = globalThis.fetch;

async function readPort(): Promise<number> {
  const buffer = new Uint8Array(64);
  const count = await Deno.stdin.read(buffer);
  return Number(new TextDecoder().decode(buffer.subarray(0, count ?? 0)));
}

/** A module whose name the bundler cannot see. */
function hidden(name: string): Promise<unknown> {
  return import([name].join(""));
}

const port = await readPort();

const doors: Record<string, () => unknown> = {
  "environment: read one": () => deno.env.get("PATH"),
  "environment: read all": () => deno.env.toObject(),
  "environment: write": () => deno.env.set("X", "1"),
  "file: read": () => deno.readFileSync("/etc/passwd"),
  "file: read own program": () => deno.readFileSync(new URL(import.meta.url)),
  "file: write": () => deno.writeFileSync("/tmp/belljar-door", new Uint8Array()),
  "file: temporary": () => deno.makeTempDirSync(),
  "file: list": () => [...deno.readDirSync("/")],
  "file: through node": async () => {
    const fs = await hidden("node:fs") as { readFileSync(path: string): unknown };
    return fs.readFileSync("/etc/passwd");
  },
  "connect: the test's listener": () => deno.connect({ hostname: "127.0.0.1", port }),
  "connect: by fetch": () => request(`http://127.0.0.1:${port}/`),
  "connect: through node": async () => {
    type Socket = { on(event: string, listener: (value?: unknown) => void): void };
    const net = await hidden("node:net") as { connect(port: number): Socket };
    await new Promise((resolve, reject) => {
      const socket = net.connect(port);
      socket.on("connect", resolve);
      socket.on("error", reject);
    });
  },
  "connect: abroad": () => deno.connect({ hostname: "192.0.2.1", port: 80 }),
  "connect: name lookup": () => deno.resolveDns("example.com", "A"),
  "connect: datagram": () => deno.listenDatagram({ transport: "udp", port: 0 }),
  "listen: everywhere": () => deno.listen({ hostname: "0.0.0.0", port: 0 }),
  "listen: a fixed port": () => deno.listen({ hostname: "127.0.0.1", port: 48_123 }),
  "subprocess": () => new deno.Command("true").outputSync(),
  "subprocess: through node": async () => {
    const module = await hidden("node:child_process") as {
      execFileSync(file: string): unknown;
    };
    return module.execFileSync("true");
  },
  "kill: the parent": () => deno.kill(deno.ppid, "SIGCONT"),
  "import: a file": () => hidden("file:///etc/passwd"),
  "import: npm": () => hidden("npm:is-number@7.0.0"),
  "import: the web": () => hidden("https://deno.land/std/version.ts"),
  "foreign functions": () => deno.dlopen("libc.so.6", {}),
  "system: host name": () => deno.hostname(),
  "permissions: ask for more": async () => {
    const { state } = await deno.permissions.request({ name: "read" });
    if (state !== "granted") throw new Error(state);
  },
  "kv": () => deno.openKv(),
};

/** Doors that permissions leave open: they must be gone once the globals are sealed. */
const sealed: Record<string, () => unknown> = {
  "localStorage": () => globalThis.localStorage.setItem("a", "b"),
  "sessionStorage": () => globalThis.sessionStorage.setItem("a", "b"),
  "caches": () => globalThis.caches.open("a"),
  "Worker": () => new globalThis.Worker("data:text/javascript,", { type: "module" }),
  "fetch": () => globalThis.fetch("data:text/plain,x"),
  "Deno.openKv": () => Deno.openKv(":memory:"),
  "Deno.Command": () => new Deno.Command("true"),
  "Deno.listen": () => Deno.listen({ hostname: "127.0.0.1", port: 0 }),
};

async function outcomes(tries: Record<string, () => unknown>): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for (const [door, attempt] of Object.entries(tries)) {
    try {
      await attempt();
      found.push([door, "open"]);
    } catch (error) {
      found.push([door, error instanceof Error ? `closed: ${error.name}` : "closed"]);
    }
  }
  return found;
}

const listening = await outcomes({
  "listen: loopback, any port": () => deno.listen({ hostname: "127.0.0.1", port: 0 }).close(),
});
const permissions = await outcomes(doors);
sealGlobals();
const globals = await outcomes(sealed);
Deno.stdout.writeSync(
  new TextEncoder().encode(
    `${JSON.stringify({ listening, permissions, globals, worker: typeof worker })}\n`,
  ),
);
Deno.exit(0);
