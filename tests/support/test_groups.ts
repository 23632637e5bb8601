/**
 * Test files in groups: a module that imports the files of a group, so that what they share is
 * loaded once for all of them. A file is put into a group by what it imports; there is no list.
 *
 * @module
 */
const ROOT = new URL("../../", import.meta.url);

/** Tests that import one of these start a process of the service, or all of its engines. */
const PROCESS =
  /^(?:main\.ts|service\/local_env\.ts|tests\/support\/(?:program|service|process)\.ts|tests\/client\/deno_command\.ts|tests\/store\/(?:processes|lease_again)_test\.ts|runtimes\/pool\/isolate_process\.ts)$/;
/** Tests that import one of these need built engines, or build some. */
const ENGINE =
  /^(?:tests\/support\/built\.ts|runtimes\/(?:builder\/(?:cache|main)|languages\/\w+\/build\/builder)\.ts)$/;
/**
 * The mark in the first line of a test file. `slow`: its tests take seconds each, so they are not among the
 * unit tests. `long`: they try one promise with many programs or many ends of a process (hostile and
 * random programs, corpora, kills, outages, clients of others, builds with packages, browsers), and are a
 * task of their own. A file without a mark is neither.
 */
const MARK = /^\/\/ test: (\w+)\n/;
export type Mark = "slow" | "long";

/** The mark of a test file; undefined for one without. Throws for a mark that does not exist. */
export function markIn(text: string): Mark | undefined {
  const [, mark] = MARK.exec(text) ?? [];
  if (mark === undefined || mark === "slow" || mark === "long") return mark;
  throw new TypeError(`There is no mark ${mark}`);
}

function markOf(path: string): Mark | undefined {
  return markIn(textOf(path));
}

/** Files of a folder whose tests share a service that is started once for all of them. */
const SHARES_SERVICE = /\bshareService\(\)/;

/** The needs of the tests of a file: nothing, built engines, or a process. */
type Needs = "nothing" | "engines" | "process";

/** Test files that are loaded as one module. */
export type Group = readonly string[];

/** Paths of all test files, from the project's folder. */
function testFiles(folder = "tests/"): readonly string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].flatMap(({ name, isDirectory }) => {
    const path = `${folder}${name}`;
    if (isDirectory) return testFiles(`${path}/`);
    return name.endsWith("_test.ts") ? [path] : [];
  }).sort();
}

/** The text of a module. There is none if only a program in a test imports it. */
function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(new URL(path, ROOT));
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return "";
    throw thrown;
  }
}

const importsByPath = new Map<string, readonly string[]>();

/** Paths of our own modules that a module imports, or that it starts by their path. */
function importsOf(path: string): readonly string[] {
  const known = importsByPath.get(path);
  if (known !== undefined) return known;
  const text = textOf(path);
  const named = text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|new URL\()["'](\.[^"']+\.ts)["']/g);
  const imports = [...named].map(([, specifier = ""]) =>
    new URL(specifier, new URL(path, ROOT)).pathname.slice(ROOT.pathname.length)
  );
  importsByPath.set(path, imports);
  return imports;
}

function reaches(path: string, wanted: RegExp, seen = new Set<string>()): boolean {
  if (wanted.test(path)) return true;
  if (seen.has(path)) return false;
  seen.add(path);
  return importsOf(path).some((other) => reaches(other, wanted, seen));
}

function needsOf(path: string): Needs {
  if (reaches(path, PROCESS)) return "process";
  return reaches(path, ENGINE) ? "engines" : "nothing";
}

/**
 * Whether tests start a service, which has all engines. `paths` are files and folders, from the
 * project's folder. Tests that need one engine build it themselves.
 */
export function startServices(paths: readonly string[]): boolean {
  const wanted = paths.map((path) =>
    new URL(path, ROOT).pathname.slice(ROOT.pathname.length).replace(/\/$/, "")
  );
  const files = testFiles().filter((file) => wanted.some((path) => file.startsWith(`${path}/`)));
  const named = wanted.filter((path) => path.endsWith(".ts"));
  return [...files, ...named].some((path) => needsOf(path) === "process");
}

/**
 * The file name of the module of a group: the path of its first file, and how many more there are.
 * All modules are in one folder, because `deno test` starts those of deeper folders first.
 */
function moduleName(files: Group): string {
  const first = (files[0] ?? "").replace(/_test\.ts$/, "").replaceAll("/", ".");
  return `${first}${files.length > 1 ? `_and_${files.length - 1}_more` : ""}_test.ts`;
}

/** Groups of at most so many files, of files that are neighbours in the order given. */
function chunks(files: readonly string[], most: number): readonly Group[] {
  const groups = Math.ceil(files.length / most);
  return Array.from({ length: groups }, (_, group) =>
    files.slice(
      Math.floor(group * files.length / groups),
      Math.floor((group + 1) * files.length / groups),
    ));
}

/** Files that take less than a second each, in some groups more than there are cores. */
export function unitGroups(): readonly Group[] {
  const files = testFiles().filter((path) =>
    needsOf(path) === "nothing" && markOf(path) === undefined
  );
  const groups = 2 * navigator.hardwareConcurrency;
  return Array.from(
    { length: groups },
    (_, group) => files.filter((_, index) => index % groups === group),
  );
}

/** The tests that `deno task test` runs, and those that `deno task test:long` runs. */
export type Part = "suite" | "long";

/**
 * The files of a part. The longest come first: those that share a service, those with processes of
 * their own, those with engines by folder, and then all others.
 */
export function groupsOf(part: Part): readonly Group[] {
  const files = testFiles().filter((path) => (markOf(path) === "long") === (part === "long"));
  const sharing = files.filter((path) =>
    SHARES_SERVICE.test(Deno.readTextFileSync(new URL(path, ROOT)))
  );
  const rest = files.filter((path) => !sharing.includes(path));
  const needing = (needs: Needs) => rest.filter((path) => needsOf(path) === needs);
  const others = needing("nothing");
  return [
    sharing,
    ...chunks(needing("process"), 1),
    ...chunks(needing("engines"), 4),
    ...chunks(others.filter((path) => markOf(path) !== undefined), 4),
    ...chunks(others.filter((path) => markOf(path) === undefined), 40),
  ].filter((group) => group.length > 0);
}

/** How groups are run. */
export interface GroupRun {
  /** Further arguments of `deno test`. */
  readonly args: readonly string[];
  /** Groups that run at the same time. */
  readonly jobs: number;
}

/** Runs groups in their order; gives the exit code of `deno test`. */
export async function runGroups(
  groups: readonly Group[],
  { args, jobs }: GroupRun,
): Promise<number> {
  const folder = Deno.makeTempDirSync();
  try {
    const modules = groups.map((files) => {
      const path = `${folder}/${moduleName(files)}`;
      const imports = files.map((file) => `import ${JSON.stringify(new URL(file, ROOT).href)};\n`);
      Deno.writeTextFileSync(path, imports.join(""));
      return path;
    });
    const config = `--config=${new URL("deno.json", ROOT).pathname}`;
    const command = new Deno.Command(Deno.execPath(), {
      args: ["test", "--allow-all", "--parallel", "--no-check", config, ...args, ...modules],
      env: { DENO_JOBS: String(jobs) },
      cwd: ROOT,
    });
    return (await command.spawn().status).code;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
