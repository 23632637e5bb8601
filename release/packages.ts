/**
 * The packages of a release: those that the service loads, as a `node_modules` folder. What only the
 * builder loads is not among them, because the engines come built.
 *
 * @module
 */
import { z } from "zod";
import type { ArchiveEntry } from "./archive.ts";

/** The part of `deno info --json` that is used here. */
const graphSchema = z.object({
  modules: z.array(z.object({
    specifier: z.string(),
    dependencies: z.array(z.object({
      specifier: z.string(),
      code: z.object({ specifier: z.string().optional() }).optional(),
      isDynamic: z.boolean().optional(),
    })).optional(),
  })),
});

type Graph = z.infer<typeof graphSchema>;

/** Folder of the modules that a service with built engines does not load. */
const BUILDER = "runtimes/builder/";
const PACKAGE = /^npm:\/?((?:@[^@/]+\/)?[^@/]+)@([^/_]+)/;
/** What `deno install` notes for itself. */
const NOTES = /(?:^|\/)(?:\.bin|\.initialized|\.deno\.lock|\.setup-cache\.bin)$/;

/** Names and versions of the packages that the service imports, from its graph of modules. */
export function importedPackages(graph: Graph, root: URL): ReadonlyMap<string, string> {
  const modules = new Map(graph.modules.map((module) => [module.specifier, module]));
  const [packages, seen] = [new Map<string, string>(), new Set<string>()];
  const waiting = [`${root.href}main.ts`];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const [, name, version] = PACKAGE.exec(next) ?? [];
    if (name !== undefined && version !== undefined) packages.set(name, version);
    for (const { code, isDynamic = false } of modules.get(next)?.dependencies ?? []) {
      const isOfBuilder = isDynamic && next.startsWith(`${root.href}${BUILDER}`);
      if (code?.specifier !== undefined && !isOfBuilder) waiting.push(code.specifier);
    }
  }
  return packages;
}

/** Installs the packages into a folder below `work`; gives the entries of `node_modules/`. */
export async function installPackages(
  root: URL,
  work: URL,
): Promise<ReadonlyMap<string, ArchiveEntry>> {
  const told = await deno(root, "info", "--json", "main.ts");
  const packages = importedPackages(graphSchema.parse(JSON.parse(told)), root);
  if (packages.size === 0) throw new Error("The service imports no package: its graph is not read");
  const imports = [...packages].map(([name, version]) => [name, `npm:${name}@${version}`]);
  const config = { nodeModulesDir: "auto", imports: Object.fromEntries(imports) };
  await Deno.writeTextFile(new URL("deno.json", work), JSON.stringify(config));
  // the lock fixes the versions of what packages bring with them
  await Deno.copyFile(new URL("deno.lock", root), new URL("deno.lock", work));
  await deno(work, "install", "--quiet");
  return entriesBelow(work, "node_modules/");
}

async function deno(cwd: URL, ...args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  if (!success) throw new Error(`deno ${args[0]} failed: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

function entriesBelow(root: URL, folder: string): ReadonlyMap<string, ArchiveEntry> {
  const entries = new Map<string, ArchiveEntry>();
  for (const { name, isDirectory, isSymlink } of Deno.readDirSync(new URL(folder, root))) {
    const path = `${folder}${name}`;
    if (NOTES.test(path)) continue;
    const source = new URL(path, root);
    if (isDirectory) {
      for (const [inner, entry] of entriesBelow(root, `${path}/`)) entries.set(inner, entry);
    } else if (isSymlink) entries.set(path, { kind: "link", target: Deno.readLinkSync(source) });
    else entries.set(path, { kind: "file", source });
  }
  return entries;
}
