/**
 * An npm registry on a free port, with a folder of packages. Tarballs are made here.
 */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { runPackages } from "../../../../runtimes/builder/packages/command.ts";

/** An entry of a tarball. */
export interface FakeEntry {
  readonly path: string;
  readonly content?: string | Uint8Array;
  /** A type of tar: 0 a file, 1 and 2 links, 3 a device, 5 a folder. @default {"0"} */
  readonly type?: string;
}

/** One version of a package. */
export interface FakePackage {
  /** `name version`. */
  readonly is: string;
  /** Files by their paths in the package, besides the manifest. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Fields of the manifest, and of the registry's description. */
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** Entries of the tarball as they are, in place of `files`. */
  readonly entries?: readonly FakeEntry[];
  /** The tarball itself, in place of both. */
  readonly tarball?: Uint8Array<ArrayBuffer>;
  /** The server gives other bytes than it announces. */
  readonly isForged?: boolean;
}

/**
 * For tests that bundle: the bundler's process begins with the first of them, and ends with the
 * process of the tests.
 */
export const BUNDLES = { sanitizeOps: false, sanitizeResources: false } as const;

const BLOCK = 512;
const encoder = new TextEncoder();

function tarHeader({ path, type = "0" }: FakeEntry, size: number): Uint8Array {
  const header = new Uint8Array(BLOCK);
  const write = (text: string, at: number) => header.set(encoder.encode(text), at);
  write(path, 0);
  write("0000644\0" + "0000000\0" + "0000000\0", 100);
  write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  write("00000000000\0" + "        " + type, 136);
  if (type === "1" || type === "2") write("/etc/passwd", 157);
  write("ustar\0" + "00", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** A compressed tarball. */
export function tarballOf(entries: readonly FakeEntry[]): Uint8Array<ArrayBuffer> {
  const parts = entries.flatMap((entry) => {
    const { content = "" } = entry;
    const bytes = typeof content === "string" ? encoder.encode(content) : content;
    const padding = new Uint8Array((BLOCK - bytes.length % BLOCK) % BLOCK);
    return [tarHeader(entry, bytes.length), bytes, padding];
  });
  const all = [...parts, new Uint8Array(2 * BLOCK)];
  const whole = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of all) {
    whole.set(part, at);
    at += part.length;
  }
  return new Uint8Array(gzipSync(whole));
}

function nameOf({ is }: FakePackage): readonly [name: string, version: string] {
  const [name = "", version = ""] = is.split(" ");
  return [name, version];
}

function bytesOf(one: FakePackage): Uint8Array<ArrayBuffer> {
  if (one.tarball !== undefined) return one.tarball;
  const [name, version] = nameOf(one);
  const manifest = JSON.stringify({ name, version, ...one.manifest });
  const files = Object.entries({ "package.json": manifest, ...one.files });
  return tarballOf(
    one.entries ?? files.map(([path, content]) => ({ path: `package/${path}`, content })),
  );
}

/** The registry and the folder; everything ends with it. */
export class FakeRegistry implements AsyncDisposable {
  readonly folder: string;
  readonly url: string;
  /** Paths of all requests, in order. */
  readonly requests: string[] = [];
  readonly authorizations: (string | null)[] = [];
  readonly #root: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #packages: readonly FakePackage[];

  private constructor(root: string, packages: readonly FakePackage[]) {
    this.#root = root;
    this.folder = `${root}/packages`;
    this.#packages = packages;
    this.#server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => undefined },
      (request) => this.#answer(request),
    );
    this.url = `http://127.0.0.1:${this.#server.addr.port}`;
  }

  static async start(packages: readonly FakePackage[]): Promise<FakeRegistry> {
    return new FakeRegistry(await Deno.realPath(await Deno.makeTempDir()), packages);
  }

  /** Runs the command; gives its exit code, its list, and everything else that it wrote. */
  async run(command: string, env: Record<string, string> = {}) {
    let said = "";
    const lines: string[] = [];
    const code = await runPackages({
      args: command.split(" ").filter((word) => word !== ""),
      folder: this.folder,
      registryUrl: this.url,
      env,
      patience: { stallMs: 2_000, retryMs: 1 },
    }, {
      print: (line) => lines.push(line),
      progress: { isTerminal: false, write: (text) => said += text },
    });
    return { code, lines, said };
  }

  /** All files of the folder, sorted. */
  async there(): Promise<readonly string[]> {
    const visit = async (path: string): Promise<string[]> => {
      const found: string[] = [];
      for await (const { name, isDirectory } of Deno.readDir(`${this.folder}/${path}`)) {
        if (isDirectory) found.push(...await visit(`${path}${name}/`));
        else if (!name.startsWith(".")) found.push(`${path}${name}`);
      }
      return found;
    };
    try {
      return (await visit("")).sort();
    } catch (thrown) {
      if (thrown instanceof Deno.errors.NotFound) return [];
      throw thrown;
    }
  }

  #answer(request: Request): Response {
    const { pathname } = new URL(request.url);
    this.requests.push(pathname);
    this.authorizations.push(request.headers.get("authorization"));
    const file = /^\/files\/(\d+)\.tgz$/.exec(pathname)?.[1];
    if (file !== undefined) {
      const one = this.#packages[Number(file)];
      if (one === undefined) return new Response(null, { status: 404 });
      return new Response(one.isForged ? bytesOf({ ...one, files: { "x.js": "" } }) : bytesOf(one));
    }
    const name = decodeURIComponent(pathname.slice(1));
    const versions = this.#packages.flatMap((one, index) => {
      if (nameOf(one)[0] !== name) return [];
      const [, version] = nameOf(one);
      const hash = createHash("sha512").update(bytesOf(one)).digest("base64");
      const dist = { tarball: `${this.url}/files/${index}.tgz`, integrity: `sha512-${hash}` };
      return [[version, { name, version, dist, ...one.manifest }] as const];
    });
    if (versions.length === 0) return new Response(null, { status: 404 });
    const stable = versions.filter(([version]) => !version.includes("-")).at(-1)?.[0];
    return Response.json({
      name,
      "dist-tags": { latest: stable },
      versions: Object.fromEntries(versions),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
    await Deno.remove(this.#root, { recursive: true });
  }
}
