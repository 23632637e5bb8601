/**
 * `deno task release [FOLDER]`: writes an archive that starts on a machine with Deno and no network,
 * its bill of materials, and their checksums. The same sources give the same bytes.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import client from "../client/deno.json" with { type: "json" };
import type { Language } from "../client/protocol/types.ts";
import { NO_PACKAGES } from "../shared/binding.ts";
import { LANGUAGES, languagesWithContexts } from "../shared/languages.ts";
import { BuildCache } from "../runtimes/builder/cache.ts";
import { NO_INPUTS } from "../runtimes/builder/build_inputs.ts";
import { RELEASE_DENO } from "../runtimes/builder/source_keys.ts";
import { buildEngines, hasLanguageModule } from "../runtimes/create_runtimes.ts";
import { type ArchiveEntry, writeArchive } from "./archive.ts";
import { installPackages } from "./packages.ts";
import { makeSbom } from "./sbom.ts";
import { releaseSources } from "./sources.ts";

const ROOT = new URL("../", import.meta.url);
const CACHE = new URL(".belljar/cache/", ROOT);

/** Builds the engines that are missing; gives their files. */
async function engineFiles(): Promise<ReadonlyMap<string, ArchiveEntry>> {
  const cacheDir = decodeURIComponent(CACHE.pathname);
  const isThere = (language: Language) =>
    language !== "shell" || hasLanguageModule(language, cacheDir);
  const languages = LANGUAGES.filter(isThere);
  if (languages.length < LANGUAGES.length) {
    print("The module of the shell is not built (deno task shell build): a release without it");
  }
  const contextLanguages = languagesWithContexts([]);
  await buildEngines({ languages, cacheDir, packages: NO_PACKAGES, contextLanguages, page: true });
  const cache = await BuildCache.open(cacheDir, { ...NO_INPUTS, contextLanguages });
  const names = await cache.fileNames(languages);
  return new Map(
    names.map((name) => [`.belljar/cache/${name}`, { kind: "file", source: new URL(name, CACHE) }]),
  );
}

/** Writes the release of the sources into a folder. */
async function writeRelease(folder: URL): Promise<void> {
  const { version } = client;
  const name = `belljar-${version}`;
  const { paths, commit, time } = await releaseSources(ROOT);
  print(commit === undefined ? "Files differ from a commit: a release without one" : commit);
  const engines = await engineFiles();
  const work = await Deno.makeTempDir({ prefix: "belljar-release-" });
  try {
    const packages = await installPackages(ROOT, pathToFileURL(`${work}/`));
    const entries = new Map<string, ArchiveEntry>([
      ...paths.map((path) => [path, fileEntry(path)] as const),
      ["start", fileEntry("release/start")],
      [RELEASE_DENO, textEntry(`${Deno.version.deno}\n`)],
      ...(commit === undefined ? [] : [["COMMIT", textEntry(`${commit}\n`)] as const]),
      ...engines,
      ...packages,
    ]);
    const placed = new Map([...entries].map(([path, entry]) => [`${name}/${path}`, entry]));
    await Deno.mkdir(folder, { recursive: true });
    const files = [`${name}.tar.gz`, `${name}.sbom.json`];
    const [archive = "", bill = ""] = files;
    await writeArchive(new URL(archive, folder), placed, time);
    const known = { version, time, ...(commit === undefined ? {} : { commit }) };
    await Deno.writeTextFile(
      new URL(bill, folder),
      makeSbom({
        ...known,
        lock: readText("deno.lock"),
        notices: readText("THIRD_PARTY_NOTICES.md"),
        cargoLock: readText("runtimes/languages/shell/module/Cargo.lock"),
      }),
    );
    const sums = await Promise.all(
      files.map(async (file) => `${await sha256(new URL(file, folder))}  ${file}\n`),
    );
    await Deno.writeTextFile(new URL("SHA256SUMS", folder), sums.join(""));
    for (const file of [...files, "SHA256SUMS"]) print(fileURLToPath(new URL(file, folder)));
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

function fileEntry(path: string): ArchiveEntry {
  return { kind: "file", source: new URL(path, ROOT) };
}

function textEntry(text: string): ArchiveEntry {
  return { kind: "bytes", bytes: new TextEncoder().encode(text) };
}

function readText(path: string): string {
  return Deno.readTextFileSync(new URL(path, ROOT));
}

async function sha256(file: URL): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of (await Deno.open(file)).readable) hash.update(part);
  return hash.digest("hex");
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

if (import.meta.main) {
  const [folder = "dist", ...more] = Deno.args;
  if (more.length > 0 || folder.startsWith("-")) {
    Deno.stderr.writeSync(new TextEncoder().encode("Usage: deno task release [FOLDER]\n"));
    Deno.exit(2);
  }
  await writeRelease(pathToFileURL(`${resolve(folder)}/`));
}
