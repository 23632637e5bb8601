/**
 * How a bundle treats modules that are not its own: modules of Node that the guest has stay outside,
 * those that it lacks become stand-ins that refuse to work, peers stay packages of their own.
 *
 * @module
 */
import { builtinModules } from "node:module";
import type { OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from "esbuild";
import { ABSENT_MODULES, PRESENT_MODULES } from "../../languages/javascript/host/module_names.ts";
import { packageOf } from "../package_names.ts";

/** The options of {@link guestModules}. */
export interface GuestModules {
  readonly name: string;
  readonly peers: ReadonlySet<string>;
  readonly platform: "node" | "browser";
  /** Files of the package that have a bundle of their own → its path from this one. */
  readonly siblings: ReadonlyMap<string, string>;
  /** Receives the modules of Node that the bundle uses and the guest lacks. */
  readonly absent: Set<string>;
}

const SCHEME = "node:";
const ABSENT = "belljar-absent";
/** Marks a resolution that this plugin asks for itself. */
const ASKED = "belljar-asked";
const PRESENT: ReadonlySet<string> = new Set(PRESENT_MODULES);
const OF_NODE: ReadonlySet<string> = new Set([
  ...builtinModules.map((name) => name.replace(SCHEME, "")),
  ...ABSENT_MODULES.keys(),
]);

/** The plugin. */
export function guestModules(options: GuestModules): Plugin {
  return {
    name: "belljar-guest",
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, (args) => {
        if (args.kind === "entry-point" || args.pluginData === ASKED) return undefined;
        const name = args.path.replace(SCHEME, "");
        const isOfNode = args.path.startsWith(SCHEME) || OF_NODE.has(name);
        return isOfNode ? ofNode(build, args, name, options) : ofPackage(build, args, options);
      });
      if (options.siblings.size > 0) {
        build.onResolve({ filter: /^\.{1,2}(?:\/|$)/ }, async (args) => {
          if (args.pluginData === ASKED) return undefined;
          const found = await asked(build, args);
          return siblingOf(found, options) ?? (found.errors.length === 0 ? found : undefined);
        });
      }
      build.onResolve({ filter: /\.node$/ }, ({ path }) => ({ path, namespace: ABSENT }));
      build.onLoad({ filter: /.*/, namespace: ABSENT }, ({ path }) => ({
        loader: "js",
        contents: standIn(path),
      }));
    },
  };
}

async function ofNode(
  build: PluginBuild,
  args: OnResolveArgs,
  name: string,
  { platform, absent }: GuestModules,
): Promise<OnResolveResult> {
  if (PRESENT.has(name)) return { path: args.path, external: true };
  if (platform === "browser") {
    const found = await asked(build, args);
    if (found.errors.length === 0 && !found.external) return found;
  }
  absent.add(name);
  return { path: name, namespace: ABSENT };
}

/**
 * A package that is not there stays outside, and fails when the program comes to it: many packages
 * try optional ones.
 */
async function ofPackage(
  build: PluginBuild,
  args: OnResolveArgs,
  options: GuestModules,
): Promise<OnResolveResult> {
  const { name, peers } = options;
  const found = await asked(build, args);
  if (found.errors.length > 0) return { path: args.path, external: true };
  const sibling = siblingOf(found, options);
  if (sibling !== undefined) return sibling;
  const other = packageOf(args.path);
  const isPeer = other !== undefined && other !== name && peers.has(other);
  const isShared = isPeer && found.namespace === "file" && !await isModuleFile(found.path);
  return isShared ? { path: args.path, external: true } : found;
}

function siblingOf(
  { namespace, path }: OnResolveResult,
  { siblings }: GuestModules,
): OnResolveResult | undefined {
  const bundle = namespace === "file" && path !== undefined ? siblings.get(path) : undefined;
  return bundle === undefined ? undefined : { path: bundle, external: true };
}

async function asked(build: PluginBuild, args: OnResolveArgs) {
  const { path, resolveDir, kind, importer } = args;
  return await build.resolve(path, { resolveDir, kind, importer, pluginData: ASKED });
}

/** Whether Node takes a file as an ES module. */
export async function isModuleFile(path: string): Promise<boolean> {
  if (!path.endsWith(".js")) return path.endsWith(".mjs");
  for (let folder = parentOf(path); folder.includes("node_modules"); folder = parentOf(folder)) {
    const text = await Deno.readTextFile(`${folder}/package.json`).catch(() => undefined);
    if (text === undefined) continue;
    const { type, name } = Object(JSON.parse(text));
    if (type !== undefined || name !== undefined) return type === "module";
  }
  return false;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/**
 * A module that can be loaded and gives itself for each of its members, and fails when one is
 * called. Most packages only mention such modules.
 */
function standIn(name: string): string {
  const reason = ABSENT_MODULES.get(name) ?? "it is not available here";
  const message = JSON.stringify(`Cannot find module 'node:${name}': ${reason}`);
  return `
    const refuse = () => { throw Object.assign(new Error(${message}), { code: "MODULE_NOT_FOUND" }); };
    module.exports = new Proxy(function () {}, {
      get: (target, key) =>
        key === "prototype" ? target.prototype
        : key === "__esModule" || key === "then" || typeof key === "symbol" ? undefined
        : module.exports,
      apply: refuse,
      construct: refuse,
    });`;
}
