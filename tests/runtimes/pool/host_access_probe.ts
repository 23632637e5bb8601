/**
 * Runs as an isolate does and tries every access to the host from inside. Writes the outcome of each to standard
 * output, as one line of JSON. The line that it receives names what to try.
 *
 * Some accesses are tried with objects that a program could hold from before the seal: the process's
 * permissions and flags close them. The others are tried after the seal, by name.
 */
import { revokePermissions, sealGlobals } from "../../../runtimes/isolate/seal.ts";

const deno = { ...Deno };
const request = globalThis.fetch;
const gpu = navigator.gpu;

interface Order {
  /** The port of the test's listener. */
  readonly port: number;
  /** All of Deno's built-in modules, without `node:`. */
  readonly builtInModules: readonly string[];
}

async function readOrder(): Promise<Order> {
  const buffer = new Uint8Array(65_536);
  const count = await Deno.stdin.read(buffer);
  return JSON.parse(new TextDecoder().decode(buffer.subarray(0, count ?? 0)));
}

/** A module whose name the bundler cannot see. */
function hidden(name: string, attributes?: ImportCallOptions): Promise<unknown> {
  return import([name].join(""), attributes);
}

/** The current value of a name; throws when it does not exist. */
function named(path: string): unknown {
  let found: unknown = globalThis;
  for (const name of path.split(".")) {
    found = Reflect.get(Object(found), name);
    if (found === undefined) throw new ReferenceError(path);
  }
  return found;
}

const { port, builtInModules } = await readOrder();

/** Closed from outside the program. */
const accesses: Record<string, () => unknown> = {
  "environment: read one": () => deno.env.get("PATH"),
  "environment: read all": () => deno.env.toObject(),
  "environment: write": () => deno.env.set("X", "1"),
  "file: read": () => deno.readFileSync("/etc/passwd"),
  "file: read own program": () => deno.readFileSync(new URL(import.meta.url)),
  "file: write": () => deno.writeFileSync("/tmp/belljar-access", new Uint8Array()),
  "file: temporary": () => deno.makeTempDirSync(),
  "file: list": () => [...deno.readDirSync("/")],
  "connect: the test's listener": () => deno.connect({ hostname: "127.0.0.1", port }),
  "connect: by fetch": () => request(`http://127.0.0.1:${port}/`),
  "connect: abroad": () => deno.connect({ hostname: "192.0.2.1", port: 80 }),
  "connect: name lookup": () => deno.resolveDns("example.com", "A"),
  "connect: datagram": () => deno.listenDatagram({ transport: "udp", port: 0 }),
  "listen: everywhere": () => deno.listen({ hostname: "0.0.0.0", port: 0 }),
  "listen: a fixed port": () => deno.listen({ hostname: "127.0.0.1", port: 48_123 }),
  "subprocess": () => new deno.Command("true").outputSync(),
  "kill: the parent": () => deno.kill(deno.ppid, "SIGCONT"),
  "import: a file": () => hidden("file:///etc/passwd"),
  "import: a file as text": () => hidden("file:///etc/passwd", { with: { type: "text" } }),
  "import: npm": () => hidden("npm:is-number@7.0.0"),
  "import: jsr": () => hidden("jsr:@std/path@1"),
  "import: the web": () => hidden("https://deno.land/std/version.ts"),
  "import: Deno's own code": () => hidden("ext:core/ops"),
  "foreign functions": () => deno.dlopen("libc.so.6", {}),
  "system: host name": () => deno.hostname(),
  "permissions: ask for more": async () => {
    const { state } = await deno.permissions.request({ name: "read" });
    if (state !== "granted") throw new Error(state);
  },
  "kv": () => deno.openKv(),
  "code from text: eval": () => Reflect.apply(Reflect.get(globalThis, "eval"), undefined, ["1"]),
  "code from text: Function": () => Function("return 1")(),
  "WebGPU: a driver": async () => {
    if (await gpu.requestAdapter() === null) throw new Error("none");
  },
};

/** Closed once the isolate's own listener exists. */
const revoked: Record<string, () => unknown> = {
  "listen: once more": () => deno.listen({ hostname: "127.0.0.1", port: 0 }),
  "serve: once more": () => {
    deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => undefined }, () => new Response());
  },
  "permissions: ask for the same again": async () => {
    const descriptor = { name: "net", host: "127.0.0.1:0" } as const;
    const { state } = await deno.permissions.request(descriptor);
    if (state !== "granted") throw new Error(state);
  },
};

/** Names that must be gone after the seal. */
const names = `localStorage sessionStorage caches Worker fetch WebSocket WebSocketStream EventSource
  BroadcastChannel MessageChannel XMLHttpRequest indexedDB eval process global setImmediate
  navigator navigator.gpu Navigator GPU GPUAdapter GPUDevice OffscreenCanvas createImageBitmap Lock
  LockManager location prompt alert confirm close console reportError self window name Deno.openKv
  Deno.Command Deno.Process Deno.run Deno.spawn Deno.spawnAndWait Deno.spawnAndWaitSync Deno.listen
  Deno.listenTls Deno.listenDatagram Deno.serve Deno.serveHttp Deno.connect Deno.connectTls
  Deno.startTls Deno.upgradeWebSocket Deno.createHttpClient Deno.dlopen Deno.UnsafePointer Deno.kill
  Deno.exit Deno.addSignalListener Deno.permissions Deno.env Deno.cron Deno.test Deno.bench Deno.lint
  Deno.jupyter Deno.telemetry Deno.internal Deno.stdin Deno.stdout Deno.open Deno.readFile
  Deno.writeFile Deno.mainModule Deno.args Deno.execPath Deno.cwd Deno.chdir Deno.inspect Deno.memoryUsage
  Deno.resolveDns Deno.watchFs Deno.hostname Deno.pid Deno.ppid Deno.QuicEndpoint Deno.unsafeProto`;

async function outcomes(tries: Record<string, () => unknown>): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for (const [access, attempt] of Object.entries(tries)) {
    try {
      await attempt();
      found.push([access, "open"]);
    } catch (error) {
      found.push([access, error instanceof Error ? `closed: ${error.name}` : "closed"]);
    }
  }
  return found;
}

/** Ways to write the same name. */
const spellings = (name: string) => [
  `node:${name}`,
  `NODE:${name}`,
  `node:${name}?again`,
  `node:${name}#again`,
  `node:/${name}`,
];
const imports = builtInModules.flatMap(spellings).map((name) =>
  [name, () => hidden(name)] as const
);
const throughText = builtInModules.map((name) => {
  const source = `export * from ${JSON.stringify(`node:${name}`)}`;
  return [`node:${name} in a data module`, () => hidden(`data:text/javascript,${source}`)] as const;
});

const listening = await outcomes({
  "listen: loopback, any port": () => deno.listen({ hostname: "127.0.0.1", port: 0 }).close(),
});
const permissions = await outcomes(accesses);
const modules = await outcomes(Object.fromEntries([...imports, ...throughText]));
sealGlobals();
revokePermissions((descriptor) => deno.permissions.revokeSync(descriptor));
const afterwards = await outcomes(revoked);
const globals = await outcomes(
  Object.fromEntries(names.split(/\s+/).map((name) => [`the name ${name}`, () => named(name)])),
);
const kept = Reflect.ownKeys(globalThis).map(String);
const left = Reflect.ownKeys(Deno).map(String);
deno.stdout.writeSync(
  new TextEncoder().encode(
    `${
      JSON.stringify({ listening, permissions, modules, afterwards, globals, kept, deno: left })
    }\n`,
  ),
);
deno.exit(0);
