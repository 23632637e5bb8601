/**
 * The sources of a release: the files that git tracks, or, where there is no repository, the files
 * of the folder. Tests and benchmarks are left out.
 *
 * @module
 */
/** Sources of a release. */
export interface ReleaseSources {
  /** Paths below the root, sorted. */
  readonly paths: readonly string[];
  /** The commit whose sources these are; absent when unknown, or when files differ from it. */
  readonly commit?: string;
  /** Time of the commit, or {@link NO_TIME}. */
  readonly time: Date;
}

/** Time of files whose commit is unknown: the earliest that all archive formats can hold. */
const NO_TIME = new Date("1980-01-01T00:00:00Z");
/** Not in a release. Names with a dot at the start are left out too. */
const LEFT_OUT = ["tests", "bench", "dist", "node_modules"];

/** Finds the sources below a root, a `file:` URL with a slash at the end. */
export async function releaseSources(root: URL): Promise<ReleaseSources> {
  const tracked = await git(root, "ls-files", "-z", "--", ".");
  if (tracked === undefined || tracked === "") return { paths: filesBelow(root), time: NO_TIME };
  const paths = tracked.split("\0").filter((path) => path !== "" && isReleased(path)).sort();
  const commit = await git(root, "rev-parse", "--verify", "--quiet", "HEAD");
  const seconds = await git(root, "log", "-1", "--format=%ct");
  const changes = await git(root, "status", "--porcelain", "--untracked-files=no", "--", ".");
  if (commit === undefined || seconds === undefined || changes !== "") {
    return { paths: paths.filter((path) => isFile(new URL(path, root))), time: NO_TIME };
  }
  return { paths, commit: commit.trim(), time: new Date(Number(seconds) * 1000) };
}

/** The output of git; undefined when it is not installed, or fails. */
async function git(root: URL, ...args: readonly string[]): Promise<string | undefined> {
  try {
    const { success, stdout } = await new Deno.Command("git", {
      args: [...args],
      cwd: root,
      stdin: "null",
      stderr: "null",
    }).output();
    return success ? new TextDecoder().decode(stdout) : undefined;
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return undefined;
    throw thrown;
  }
}

/** Whether a path is part of a release. */
function isReleased(path: string): boolean {
  const [first = ""] = path.split("/");
  return !first.startsWith(".") && !LEFT_OUT.includes(first);
}

function filesBelow(root: URL): string[] {
  const walk = (folder: string): string[] =>
    [...Deno.readDirSync(new URL(folder, root))].flatMap(({ name, isDirectory, isFile }) => {
      const path = `${folder}${name}`;
      if (name.startsWith(".") || !isReleased(path)) return [];
      if (isDirectory) return walk(`${path}/`);
      return isFile ? [path] : [];
    });
  return walk("").sort();
}

function isFile(url: URL): boolean {
  try {
    return Deno.lstatSync(url).isFile;
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return false; // deleted, and not committed
    throw thrown;
  }
}
