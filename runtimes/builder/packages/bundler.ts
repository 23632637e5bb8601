/**
 * Bundles an npm package with its dependencies for the JavaScript guest: one file for each entry, and
 * a second one where Node would give `import` another file than `require`.
 *
 * A bundle of an ES module is CommonJS too, because the guest loads that without a parser of the
 * host. Its name ends with `.esm.cjs`: its exports are the module's namespace.
 *
 * The bundler is a process of its own, which ends with this one.
 *
 * @module
 */
import * as esbuild from "esbuild";
import { CommandRefused } from "../command/refusal.ts";
import { ABSENT_MODULES, NETWORK_MODULES } from "../../languages/javascript/host/module_names.ts";
import { type GuestModules, guestModules, isModuleFile } from "./guest_modules.ts";

/** The order of a bundle. */
export interface BundleOrder {
  /** A folder with a `node_modules` that has the package. */
  readonly root: string;
  readonly name: string;
  readonly version: string;
  /** Subpaths to bundle besides the package itself. */
  readonly entries: readonly string[];
  /** More subpaths, left out if there is nothing to import. */
  readonly optional: ReadonlySet<string>;
  /** Packages that programs share with this one: they stay outside of the bundle. */
  readonly peers: ReadonlySet<string>;
}

/** A file of a bundled package. */
export interface BundledFile {
  /** Path in the folder of packages. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

type Kind = "import-statement" | "require-call";
type Platform = "node" | "browser";

interface Bundle {
  readonly text: Uint8Array;
  readonly isModule: boolean;
  /** Whether it awaits at its top level, which no CommonJS can. */
  readonly awaits: boolean;
  readonly absent: ReadonlySet<string>;
}

interface Target {
  require?: string;
  import?: string;
}

/** Maximum bytes of one bundle. */
const MAX_BUNDLE = 16 * 1024 * 1024;
const URL_NAME = "__belljar_url";
/** Modules for which packages have other code in browsers. */
const OF_SERVERS: ReadonlySet<string> = new Set([
  ...NETWORK_MODULES,
  ...["async_hooks", "child_process", "worker_threads"],
]);

/** The differences between a build for Node and one for browsers. */
const PLATFORMS = {
  node: { platform: "node", mainFields: ["main", "module"], conditions: [] },
  browser: { platform: "browser", mainFields: ["browser", "module", "main"], conditions: [] },
} as const;

const COMMON = {
  bundle: true,
  write: false,
  target: "es2023",
  metafile: true,
  logLevel: "silent",
  charset: "ascii",
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  define: {
    "process.env.NODE_ENV": '"production"',
    "import.meta.url": URL_NAME,
    "import.meta.dirname": "__dirname",
    "import.meta.filename": "__filename",
  },
} as const;

/** A bundled package. */
export interface BundledPackage {
  readonly files: readonly BundledFile[];
  /** The subpaths that can be imported. */
  readonly entries: readonly string[];
}

/** Bundles a package. Throws a CommandRefused. */
export async function bundlePackage(order: BundleOrder): Promise<BundledPackage> {
  const { name, version, optional } = order;
  const entries = [...order.entries, ...optional].sort();
  const files: BundledFile[] = [];
  const made: string[] = [];
  const exported: Record<string, Target | string> = { "./package.json": "./package.json" };
  const scripts = await scriptsOf(order);
  for (const entry of ["", ...entries]) {
    const specifier = specifierOf(name, entry);
    const { target, bundles } = await bundleEntry({ ...order, scripts }, specifier, baseOf(entry));
    const isOptional = optional.has(entry) || (entry === "" && entries.length > 0);
    if (bundles.length === 0 && isOptional) continue;
    if (entry !== "") made.push(entry);
    if (bundles.length === 0) {
      throw new CommandRefused(`${specifier} ${version} has nothing that programs can import`);
    }
    exported[entry === "" ? "." : `./${entry}`] = target;
    const other = otherName(entry);
    if (other !== undefined && !entries.includes(other)) exported[`./${other}`] = target;
    files.push(...bundles);
  }
  if (files.length === 0) {
    throw new CommandRefused(`${name} ${version} has nothing that programs can import`);
  }
  const manifest = `${JSON.stringify({ name, version, exports: exported })}\n`;
  files.push({ file: `${name}/package.json`, bytes: new TextEncoder().encode(manifest) });
  for (const { file, bytes } of files) {
    if (bytes.length <= MAX_BUNDLE) continue;
    throw new CommandRefused(`${file} of ${version} has more than ${MAX_BUNDLE} bytes`);
  }
  return { files, entries: made };
}

/** A slash at the end means the package, where a module of Node has its name. */
function specifierOf(name: string, entry: string): string {
  if (entry !== "") return `${name}/${entry}`;
  return ABSENT_MODULES.has(name) ? `${name}/` : name;
}

/**
 * The same entry with or without `.js`: in packages without `exports`, `require` allows both, and
 * `import` only the former.
 */
function otherName(entry: string): string | undefined {
  if (entry.endsWith(".js")) return entry.slice(0, -".js".length);
  return entry === "" || /\.[cm]?[jt]s$/.test(entry) ? undefined : `${entry}.js`;
}

/** How the files of an entry begin. */
function baseOf(entry: string): string {
  return entry === "" ? "index" : entry.replaceAll("/", "__");
}

/** The CommonJS files of the entries, if there are several: each is in one bundle only. */
async function scriptsOf(order: BundleOrder): Promise<ReadonlyMap<string, string>> {
  const scripts = new Map<string, string>();
  const entries = [...order.entries, ...order.optional];
  for (const entry of entries.length === 0 ? [] : ["", ...entries]) {
    const file = await resolveEntry(order, specifierOf(order.name, entry), "require-call", "node");
    if (file === undefined || await isModuleFile(file)) continue;
    scripts.set(file, `./${baseOf(entry)}.cjs`);
  }
  return scripts;
}

/** An order with the CommonJS files that have a bundle of their own → its path. */
interface EntryOrder extends BundleOrder {
  readonly scripts: ReadonlyMap<string, string>;
}

async function bundleEntry(
  order: EntryOrder,
  specifier: string,
  base: string,
): Promise<{ readonly target: Target; readonly bundles: readonly BundledFile[] }> {
  const find = (kind: Kind) => resolveEntry(order, specifier, kind, "node");
  const [forRequire, forImport] = [await find("require-call"), await find("import-statement")];
  const target: Target = {};
  const bundles: BundledFile[] = [];
  const add = (text: Uint8Array, ending: string) => {
    bundles.push({ file: `${order.name}/${base}${ending}`, bytes: text });
    return `./${base}${ending}`;
  };
  if (forRequire !== undefined) {
    const { text, isModule, awaits } = await leastAbsent(
      order,
      specifier,
      "require-call",
      forRequire,
    );
    target.require = add(text, awaits ? ".mjs" : isModule ? ".esm.cjs" : ".cjs");
    target.import = target.require;
  }
  if (forImport !== undefined && forImport !== forRequire) {
    const bundle = await leastAbsent(order, specifier, "import-statement", forImport);
    const { text, isModule, awaits } = bundle;
    target.import = add(text, awaits ? ".mjs" : isModule ? ".import.esm.cjs" : ".import.cjs");
    target.require ??= target.import;
  }
  return { target, bundles };
}

/** The file that a specifier means; undefined if it means none. */
async function resolveEntry(
  { root }: BundleOrder,
  specifier: string,
  kind: Kind,
  platform: Platform,
): Promise<string | undefined> {
  let path: string | undefined;
  await esbuild.build({
    ...COMMON,
    ...optionsOf(platform),
    absWorkingDir: root,
    stdin: { contents: "", resolveDir: root },
    plugins: [{
      name: "belljar-resolve",
      setup(build) {
        build.onStart(async () => {
          const found = await build.resolve(specifier, { kind, resolveDir: root });
          const isFile = found.errors.length === 0 && !found.external && found.namespace === "file";
          if (isFile && !found.path.endsWith(".d.ts")) path = found.path;
        });
      },
    }],
  });
  return path;
}

function optionsOf(platform: Platform) {
  const { mainFields, conditions, ...others } = PLATFORMS[platform];
  return { ...others, mainFields: [...mainFields], conditions: [...conditions] };
}

/**
 * The bundle for Node, or the one for browsers if that lacks fewer modules: then clients of a network,
 * and what else is made for servers, can be loaded at least.
 */
async function leastAbsent(
  order: EntryOrder,
  specifier: string,
  kind: Kind,
  file: string,
): Promise<Bundle> {
  const bundle = await build(order, file, "node", specifier);
  if (![...bundle.absent].some((name) => OF_SERVERS.has(name))) return bundle;
  const other = await resolveEntry(order, specifier, kind, "browser");
  if (other === undefined) return bundle;
  try {
    const forBrowser = await build(order, other, "browser", specifier);
    return forBrowser.absent.size < bundle.absent.size ? forBrowser : bundle;
  } catch (thrown) {
    if (thrown instanceof CommandRefused) return bundle;
    throw thrown;
  }
}

async function build(
  order: EntryOrder,
  file: string,
  platform: Platform,
  specifier: string,
): Promise<Bundle> {
  try {
    return await buildAs(order, file, platform, "cjs");
  } catch (thrown) {
    const text = failureText(thrown);
    if (/Top-level await/.test(text)) return await buildAs(order, file, platform, "esm");
    throw new CommandRefused(`${specifier} ${order.version} cannot be bundled: ${text}`);
  }
}

async function buildAs(
  order: EntryOrder,
  file: string,
  platform: Platform,
  format: "cjs" | "esm",
): Promise<Bundle> {
  const siblings = new Map(order.scripts);
  siblings.delete(file);
  const modules: GuestModules = { ...order, platform, siblings, absent: new Set() };
  const isScript = format === "cjs";
  const { metafile, outputFiles: [output] } = await esbuild.build({
    ...COMMON,
    ...optionsOf(platform),
    define: isScript ? COMMON.define : {},
    banner: isScript ? { js: `var ${URL_NAME}="file://"+__filename;` } : {},
    absWorkingDir: order.root,
    entryPoints: [file],
    format,
    plugins: [guestModules(modules)],
  });
  const name = file.slice(order.root.length + 1);
  const input = new Map(Object.entries(metafile.inputs)).get(name);
  return {
    text: output?.contents ?? new Uint8Array(),
    isModule: isScript ? input?.format === "esm" : true,
    awaits: !isScript,
    absent: modules.absent,
  };
}

/** The first error, without the folder of the machine. */
function failureText(thrown: unknown): string {
  const { errors }: { errors?: readonly { text?: unknown }[] } = Object(thrown);
  const [first] = errors ?? [];
  if (typeof first?.text !== "string") throw thrown;
  return first.text.split("\n")[0] ?? "";
}
