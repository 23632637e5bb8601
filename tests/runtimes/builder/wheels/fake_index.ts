/**
 * A package index and a mirror of the engine's distribution, on a free port. Wheels are made here.
 */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { engineTags } from "../../../../runtimes/builder/wheel_name.ts";
import { runWheels } from "../../../../runtimes/builder/wheels/command.ts";

/** The platform tag of the installed engine, and its tag for native wheels. */
export const { platform: PLATFORM, python: PYTHON } = await engineTags();
const [MAJOR, MINOR] = PYTHON.split(".");
export const NATIVE = `cp${MAJOR}${MINOR}-cp${MAJOR}${MINOR}-${PLATFORM}`;

/** How the server treats a wheel: the first request for it, or each one. */
export type Fault = "wrong bytes" | "503 once" | "503" | "404" | "silent" | "403";

/** One file of a package. */
export interface FakeFile {
  /** `name version`, the name as it is written in file names. */
  readonly is: string;
  readonly tags?: string;
  readonly requires?: readonly string[];
  readonly extras?: readonly string[];
  readonly python?: string;
  readonly yanked?: boolean | string;
  /** Whether the index gives the metadata as a file. */
  readonly metadata?: boolean;
  /** Only the source distribution is there. */
  readonly source?: boolean;
  readonly fault?: Fault;
  /** Where the server redirects a request for the wheel. */
  readonly redirect?: string;
  /** Address of the wheel as the index writes it. */
  readonly url?: string;
  /** File name as the index writes it. */
  readonly filename?: string;
}

/** A zip archive whose files are stored. */
export function zipOf(
  files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const [parts, central]: [Uint8Array<ArrayBuffer>[], Uint8Array<ArrayBuffer>[]] = [[], []];
  let at = 0;
  for (const [path, content] of Object.entries(files)) {
    const name = encoder.encode(path);
    const body = typeof content === "string" ? encoder.encode(content) : content;
    const fields = new DataView(new ArrayBuffer(26));
    fields.setUint16(0, 20, true);
    fields.setUint32(10, crc32(body), true);
    fields.setUint32(14, body.length, true);
    fields.setUint32(18, body.length, true);
    fields.setUint16(22, name.length, true);
    const shared = new Uint8Array(fields.buffer);
    const entry = new Uint8Array(46);
    entry.set([0x50, 0x4b, 1, 2, 20, 0]);
    entry.set(shared, 6);
    new DataView(entry.buffer).setUint32(42, at, true);
    central.push(entry, name);
    const local = [new Uint8Array([0x50, 0x4b, 3, 4]), shared, name, body];
    parts.push(...local);
    at += local.reduce((sum, part) => sum + part.length, 0);
  }
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, central.length / 2, true);
  end.setUint16(10, central.length / 2, true);
  end.setUint32(12, central.reduce((sum, part) => sum + part.length, 0), true);
  end.setUint32(16, at, true);
  const all = [...parts, ...central, new Uint8Array(end.buffer)];
  const bytes = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of all) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

function metadataOf({ is, requires = [], extras = [] }: FakeFile): string {
  const [name, version] = is.split(" ");
  return [
    "Metadata-Version: 2.1",
    `Name: ${name}`,
    `Version: ${version}`,
    ...requires.map((text) => `Requires-Dist: ${text}`),
    ...extras.map((text) => `Provides-Extra: ${text}`),
    "",
    "Requires-Dist: only-in-the-description",
    "",
  ].join("\n");
}

/** The bytes of a wheel: a module that holds its version, and metadata. */
export function wheelOf(file: FakeFile): Uint8Array<ArrayBuffer> {
  const [name = "", version = ""] = file.is.split(" ");
  const info = `${name}-${version}.dist-info`;
  return zipOf({
    [`${name.toLowerCase().replaceAll(/[-.]/g, "_")}.py`]: `VERSION = "${version}"\n`,
    [`${info}/METADATA`]: metadataOf(file),
    [`${info}/WHEEL`]: `Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: ${tagsOf(file)}\n`,
  });
}

export function wheelNameOf(file: FakeFile): string {
  return `${file.is.replaceAll("-", "_").replace(" ", "-")}-${tagsOf(file)}.whl`;
}

function tagsOf({ tags = "py3-none-any" }: FakeFile): string {
  return tags;
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function normal(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}

/** A package of the engine's distribution; `depends` are names, as its lock file has them. */
export interface FakeEnginePackage extends FakeFile {
  readonly depends?: readonly string[];
}

/** An index, a mirror, and a folder; everything ends with it. */
export class FakeIndex implements AsyncDisposable {
  readonly folder: string;
  readonly url: string;
  /** Paths of all requests, in order. */
  readonly requests: string[] = [];
  /** Value of `Authorization` of each request, in order. */
  readonly authorizations: (string | null)[] = [];
  readonly #root: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #files = new Map<string, FakeFile>();
  readonly #index: readonly FakeFile[];
  readonly #ended = new AbortController();

  private constructor(
    root: string,
    index: readonly FakeFile[],
    engine: readonly FakeEnginePackage[],
  ) {
    this.#root = root;
    this.folder = `${root}/wheels`;
    this.#index = index;
    for (const file of index) this.#files.set(`/files/${wheelNameOf(file)}`, file);
    for (const file of engine) this.#files.set(`/engine/${wheelNameOf(file)}`, file);
    this.#server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => undefined },
      (request) => this.#answer(request),
    );
    this.url = `http://127.0.0.1:${this.#server.addr.port}`;
  }

  static async start(
    index: readonly FakeFile[],
    engine: readonly FakeEnginePackage[] = [],
  ): Promise<FakeIndex> {
    const root = await Deno.makeTempDir();
    const packages = engine.map((file) => {
      const [name = "", version = ""] = file.is.split(" ");
      return [normal(name), {
        name,
        version,
        file_name: file.filename ?? wheelNameOf(file),
        sha256: sha256(wheelOf(file)),
        depends: file.depends ?? [],
      }];
    });
    const lock = { info: {}, packages: Object.fromEntries(packages) };
    await Deno.writeTextFile(`${root}/engine.json`, JSON.stringify(lock));
    return new FakeIndex(root, index, engine);
  }

  /**
   * Runs the command; gives its exit code and everything that it wrote. `addOptions` precede the arguments
   * of `add`.
   */
  async run(
    command: string,
    env: { indexUrl?: string; distributionUrl?: string } = {},
    addOptions: readonly string[] = ["--engine-lock", `${this.#root}/engine.json`],
  ) {
    const [verb, ...rest] = command.split(" ").filter((word) => word !== "");
    const options = verb === "add" ? addOptions : [];
    let said = "";
    const lines: string[] = [];
    const code = await runWheels({
      args: verb === undefined ? [] : [verb, ...options, ...rest],
      folder: this.folder,
      indexUrl: `${this.url}/simple`,
      distributionUrl: `${this.url}/engine`,
      patience: { stallMs: 200, retryMs: 1 },
      ...env,
    }, {
      print: (line) => lines.push(line),
      progress: { isTerminal: false, write: (text) => said += text },
    });
    return { code, said, lines };
  }

  /** `name version` of all packages in the lock. */
  async locked(): Promise<readonly string[]> {
    const lock = JSON.parse(await Deno.readTextFile(`${this.folder}/wheels.lock.json`));
    return lock.packages.map((it: { name: string; version: string }) => `${it.name} ${it.version}`);
  }

  /** Names of all files in the folder but the guard. */
  async there(): Promise<readonly string[]> {
    const entries = await Array.fromAsync(Deno.readDir(this.folder));
    return entries.map(({ name }) => name).filter((name) => name !== ".wheels.guard").sort();
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const times = this.requests.filter((path) => path === pathname).length;
    this.requests.push(pathname);
    this.authorizations.push(request.headers.get("authorization"));
    const [, project] = /^\/simple\/([^/]+)\/$/.exec(pathname) ?? [];
    if (project !== undefined) return this.#page(project, request);
    if (pathname.startsWith("/html/")) {
      return new Response("<html>", { headers: { "content-type": "text/html" } });
    }
    const file = this.#files.get(pathname.replace(/\.metadata$/, ""));
    if (file === undefined) return new Response("no such file", { status: 404 });
    if (pathname.endsWith(".metadata")) {
      if (file.metadata !== true) return new Response("none", { status: 404 });
      return new Response(metadataOf(file));
    }
    return await this.#wheel(file, times);
  }

  async #wheel(file: FakeFile, times: number): Promise<Response> {
    const bytes = wheelOf(file);
    if (file.redirect !== undefined) {
      return new Response(null, { status: 302, headers: { location: file.redirect } });
    }
    switch (file.fault) {
      case "wrong bytes":
        bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
        return new Response(bytes);
      case "503 once":
        return times === 0 ? new Response("later", { status: 503 }) : new Response(bytes);
      case "503":
      case "404":
      case "403":
        return new Response("no", { status: Number(file.fault) });
      case "silent": {
        const { promise, resolve } = Promise.withResolvers<Response>();
        this.#ended.signal.addEventListener("abort", () => resolve(new Response("late")));
        return await promise;
      }
      default:
        return new Response(bytes);
    }
  }

  #page(project: string, request: Request): Response {
    const own = this.#index.filter(({ is }) => normal(is.split(" ")[0] ?? "") === project);
    if (own.length === 0) return new Response("no such project", { status: 404 });
    if (request.headers.get("accept") !== "application/vnd.pypi.simple.v1+json") {
      return new Response("which form?", { status: 406 });
    }
    const files = own.map((file) => ({
      filename: file.filename ??
        (file.source ? `${file.is.replace(" ", "-")}.tar.gz` : wheelNameOf(file)),
      url: file.url ?? `../../files/${wheelNameOf(file)}`,
      hashes: { sha256: sha256(wheelOf(file)) },
      "requires-python": file.python ?? null,
      yanked: file.yanked ?? false,
      ...(file.metadata ? { "core-metadata": { sha256: digestOf(metadataOf(file)) } } : {}),
    }));
    const page = { meta: { "api-version": "1.1" }, name: project, files: [...files, { odd: 1 }] };
    return Response.json(page);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#server.shutdown();
    await Deno.remove(this.#root, { recursive: true });
  }
}

function digestOf(text: string): string {
  return sha256(new TextEncoder().encode(text));
}
