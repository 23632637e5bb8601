/**
 * The rules of the source tree that no compiler checks: who may import whom, no cycles, the
 * length of files, and a few forms that are not to be used.
 */
import { assert, assertEquals } from "@std/assert";
import config from "../deno.json" with { type: "json" };
import { isLanguage } from "../shared/languages.ts";
import {
  bareCode,
  ROOT,
  type SourceFile,
  sourceFiles,
  specifiersOf,
} from "./support/source_files.ts";

const MAX_LINES = 400;

/** Folders of the program, and the folders each may import from besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  root: ["service", "runtimes", "runtimes/builder"],
  release: ["runtimes", "runtimes/builder", "shared"],
  service: [
    "gateway",
    "sandbox",
    "runs",
    "runtimes",
    "runtimes/contexts",
    "runtimes/builder",
    "outgoing",
    "store",
    "telemetry",
    "tools",
    "shared",
  ],
  gateway: [
    "adapters/mcp",
    "adapters/e2b",
    "adapters/jupyter",
    "sandbox",
    "runs",
    "telemetry",
    "shared",
  ],
  "adapters/mcp": ["shared"],
  "adapters/e2b": ["shared"],
  "adapters/jupyter": ["shared"],
  sandbox: ["runs", "store", "telemetry", "shared"],
  runs: ["store", "telemetry", "shared"],
  runtimes: [
    "runtimes/builder",
    "runtimes/contexts",
    "runtimes/pool",
    "runtimes/isolate",
    "runtimes/engine",
    "store",
    "shared",
  ],
  "runtimes/contexts": [
    "runtimes",
    "runtimes/builder",
    "runtimes/pool",
    "runtimes/isolate",
    "runtimes/engine",
    "wasm/metering",
    "store",
    "shared",
  ],
  "runtimes/pool": ["runtimes/isolate", "runtimes/engine", "wasm/metering", "telemetry", "shared"],
  "runtimes/builder": [
    "runtimes/languages",
    "runtimes/languages/*/build",
    "runtimes/isolate",
    "runtimes/engine",
    "wasm/linking",
    "store",
    "shared",
  ],
  "runtimes/isolate": ["runtimes/languages", "runtimes/engine", "runtimes/files", "shared"],
  "runtimes/languages/*/build": [
    "runtimes/builder",
    "runtimes/languages",
    "runtimes/engine",
    "runtimes/files",
    "wasm/linking",
    "wasm/metering",
    "shared",
  ],
  "runtimes/languages": ["runtimes/engine", "runtimes/files", "wasm/metering", "shared"],
  "runtimes/languages/*/guest": ["runtimes/languages", "runtimes/engine"],
  "runtimes/engine": ["runtimes/files", "wasm/metering", "shared"],
  "runtimes/files": ["runtimes/engine", "shared"],
  "wasm/linking": [],
  "wasm/metering": [],
  outgoing: ["shared"],
  tools: ["outgoing", "shared"],
  store: ["telemetry", "shared"],
  telemetry: ["shared"],
  shared: [],
  page: ["client"],
  client: [],
  "client/protocol": [],
};

/** Folders that import the protocol of the client: all but those that others can use alone. */
const WITHOUT_PROTOCOL = ["wasm/metering", "wasm/linking", "telemetry", "client/protocol"];

/** Folders inside a folder that are under rules of their own; `*` is a language. */
const INNER_FOLDERS = Object.keys(MAY_IMPORT)
  .filter((folder) => folder.includes("/"))
  .sort((a, b) => b.length - a.length)
  .map((folder) => ({ folder, pattern: new RegExp(`^${folder.replace("*", "[^/]+")}/`) }));

/** The manifest of the client's package is data: the version is read from it. */
const CLIENT_MANIFEST = "client/deno.json";

/** Of the program itself, without tests and benchmarks. */
function isProduct({ path }: SourceFile): boolean {
  return folderOf(path) in MAY_IMPORT;
}

function folderOf(path: string): string {
  const inner = INNER_FOLDERS.find(({ pattern }) => pattern.test(path));
  if (inner !== undefined) return inner.folder;
  return path.includes("/") ? path.slice(0, path.indexOf("/")) : "root";
}

/** Paths of our own files that a file imports. */
function importsOf(file: SourceFile): string[] {
  const relative = specifiersOf(file).filter((specifier) => specifier.startsWith("."));
  return relative.map((specifier) => {
    const url = new URL(specifier, new URL(file.path, ROOT));
    return url.pathname.slice(ROOT.pathname.length);
  });
}

/** A chain of imports that comes back to its first file, if there is one. */
function cycleFrom(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string[] | undefined => {
    const start = trail.indexOf(path);
    if (start !== -1) return [...trail.slice(start), path];
    if (done.has(path)) return undefined;
    for (const next of graph.get(path) ?? []) {
      const cycle = visit(next, [...trail, path]);
      if (cycle !== undefined) return cycle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of graph.keys()) {
    const cycle = visit(path, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

const ALL = sourceFiles();
const FILES = ALL.filter(({ path }) => /\.tsx?$/.test(path));
const PRODUCT = FILES.filter(isProduct);

Deno.test("architecture: the files are found, and so are their imports", () => {
  const paths = PRODUCT.map(({ path }) => path);
  for (
    const path of ["service/program.ts", "shared/limits.ts", "gateway/app.ts", "client/mod.ts"]
  ) {
    assert(paths.includes(path), path);
  }
  for (const folder of Object.keys(MAY_IMPORT)) {
    assert(paths.some((path) => folderOf(path) === folder), folder);
  }
  const app = FILES.find(({ path }) => path === "gateway/app.ts");
  assert(app !== undefined && importsOf(app).includes("client/protocol/types.ts"));
  assert(specifiersOf(app).includes("hono"));
});

/** Folders that a folder may import from. */
function allowedFor(folder: string): readonly string[] {
  const protocol = WITHOUT_PROTOCOL.includes(folder) ? [] : ["client/protocol"];
  return [...MAY_IMPORT[folder] ?? [], ...protocol];
}

/** The number of the line that imports a path. */
function lineOf({ text }: SourceFile, imported: string): number {
  const name = imported.slice(imported.lastIndexOf("/"));
  return text.slice(0, text.indexOf(`${name}"`)).split("\n").length;
}

Deno.test("architecture: each folder imports only from the folders it may", () => {
  const wrong = PRODUCT.flatMap((file) => {
    const own = folderOf(file.path);
    const allowed = allowedFor(own);
    return importsOf(file).filter((path) => path !== CLIENT_MANIFEST).filter((path) => {
      const other = folderOf(path);
      return other !== own && !allowed.includes(other);
    }).map((path) =>
      `${file.path}:${lineOf(file, path)} imports ${path}; ` +
      `${own}/ may import ${allowed.join(", ")} (MAY_IMPORT in tests/architecture_test.ts)`
    );
  });
  assertEquals(wrong, []);
});

const GUEST = "runtimes/languages/javascript/guest/";

Deno.test("architecture: programs that run inside a guest and code outside do not mix", () => {
  const isGuest = (path: string) => path.startsWith(GUEST);
  const hasImports = (path: string) =>
    FILES.some((file) => file.path === path && specifiersOf(file).length > 0);
  const wrong = PRODUCT.flatMap((file) =>
    importsOf(file)
      .filter((path) => isGuest(file.path) ? !isGuest(path) && hasImports(path) : isGuest(path))
      .map((path) => `${file.path} → ${path}`)
  );
  assertEquals(wrong, []);
});

Deno.test("architecture: the engine of a language imports nothing from another", () => {
  const languageOf = (path: string) => {
    const [, folder = ""] = /^runtimes\/languages\/(\w+)\//.exec(path) ?? [];
    return isLanguage(folder) ? folder : undefined;
  };
  const wrong = PRODUCT.flatMap((file) => {
    const own = languageOf(file.path);
    const others = importsOf(file).filter((path) => (languageOf(path) ?? own) !== own);
    return own === undefined ? [] : others.map((path) => `${file.path} → ${path}`);
  });
  assertEquals(wrong, []);
});

/** Packages that are published, and the packages that their files import. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "client/": [],
  "wasm/metering/": [],
  "wasm/linking/": ["@belljar/wasm-metering/binary"],
};

Deno.test("architecture: a published package imports its own files and the packages that it names", () => {
  for (const [folder, packages] of Object.entries(PACKAGES)) {
    const files = PRODUCT.filter(({ path }) => path.startsWith(folder));
    assert(files.some(({ path }) => path === `${folder}mod.ts`), folder);
    const wrong = files.flatMap((file) => {
      const bare = specifiersOf(file).filter((specifier) => !/^(?:\.|node:)/.test(specifier));
      const others = bare.filter((specifier) => !packages.includes(specifier));
      const outside = importsOf(file).filter((path) => !path.startsWith(folder));
      return [...others, ...outside].map((name) => `${file.path} → ${name}`);
    });
    assertEquals(wrong, []);
  }
});

Deno.test("architecture: files do not import each other in a circle", () => {
  assertEquals(cycleFrom(new Map([["a", ["b"]], ["b", ["c"]], ["c", ["b"]]])), ["b", "c", "b"]);
  const graph = new Map(FILES.map((file) => [file.path, importsOf(file)]));
  assertEquals(cycleFrom(graph), undefined);
});

Deno.test(`architecture: no file is longer than ${MAX_LINES} lines`, () => {
  const long = ALL.filter(({ text }) => text.split("\n").length - 1 > MAX_LINES);
  assertEquals(long.map(({ path }) => path), []);
});

Deno.test("architecture: every export is named by another file", () => {
  const words = new Map(
    FILES.map((file) => [file.path, new Set(bareCode(file.text).match(/\w+/g))]),
  );
  const isNamed = (name: string, by: string) =>
    [...words].some(([path, names]) => path !== by && names.has(name));
  const unused = PRODUCT.flatMap(({ path, text }) => {
    const values = /^export (?:async )?(?:abstract )?(?:function\*?|const|class) (\w+)/gm;
    const names = [...text.matchAll(values)].map(([, name = ""]) => name);
    return names.filter((name) => !isNamed(name, path)).map((name) => `${path}: ${name}`);
  });
  assertEquals(unused, []);
});

Deno.test("architecture: no barrels", () => {
  const barrels = FILES.filter(({ path }) => /(?:^|\/)index\.tsx?$/.test(path));
  assertEquals(barrels.map(({ path }) => path), []);
});

Deno.test("architecture: only the entry points read the environment", () => {
  const readers = PRODUCT.filter(({ text }) => /\bDeno\.env\b/.test(bareCode(text)));
  assertEquals(readers.map(({ path }) => path).filter((path) => path !== "main.ts"), []);
});

/** This file has to name what it forbids. */
function isThis({ path }: SourceFile): boolean {
  return path === "tests/architecture_test.ts";
}

const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  "the type any": /(?<![.\w$])any(?![\w$]|\s*[:?(=])/,
  "a cast through unknown": /\bas unknown as\b/,
  "an empty catch": /\bcatch\s*(?:\([^)]*\)\s*)?\{\s*\}/,
  "a default export": /^export default\b/m,
};

for (const [name, pattern] of Object.entries(FORBIDDEN)) {
  Deno.test(`architecture: nowhere ${name}`, () => {
    const found = FILES.filter((file) => !isThis(file) && pattern.test(bareCode(file.text)));
    assertEquals(found.map(({ path }) => path), []);
  });
}

Deno.test("architecture: no lint rule is switched off", () => {
  const found = FILES.filter((file) => !isThis(file) && file.text.includes("deno-lint-ignore"));
  assertEquals(found.map(({ path }) => path), []);
});

Deno.test("architecture: the forbidden forms are recognised", () => {
  const samples: Readonly<Record<string, readonly string[]>> = {
    "the type any": ["let a: any;", "f<any>()", "a as any", "any[] | b"],
    "a cast through unknown": ["a as unknown as B"],
    "an empty catch": ["try {} catch {}", "catch (e) { }"],
    "a default export": ["export default f;"],
  };
  for (const [name, texts] of Object.entries(samples)) {
    for (const text of texts) assert(FORBIDDEN[name]?.test(text), text);
  }
  const fine = 'AbortSignal.any([a]); // any\n"any"; `any ${x}`; many; { any: 1 }';
  assert(!FORBIDDEN["the type any"]?.test(bareCode(fine)));
});

/** Packages that the project stands on by its charter, and that no change may replace. */
const FRAME = [
  "@hono/zod-validator",
  "@std/assert",
  "hono",
  "pyodide",
  "quickjs-emscripten",
  "zod",
];

Deno.test("architecture: the packages of the frame are pinned and imported", () => {
  const imported = new Set(sourceFiles().filter((file) => !isThis(file)).flatMap(specifiersOf));
  for (const name of FRAME) {
    assert(Object.keys(config.imports).includes(name), `${name} is not in deno.json`);
    assert([...imported].some((one) => one === name || one.startsWith(`${name}/`)), name);
  }
});
