/**
 * The commands of docs/operating.md as tests run them: in the page's order, with ports and folders of
 * the test.
 *
 * @module
 */
import { isAlive, processTree } from "./process.ts";
import { answers, until } from "./wait.ts";

const ROOT = new URL("../../", import.meta.url);
const PAGE = new URL("docs/operating.md", ROOT);

/** Texts of the page, and the texts of the test in their place. */
export type Replacements = Readonly<Record<string, string>>;
/** Environment variables. */
export type Variables = Readonly<Record<string, string>>;

/** A service that a block of the page started. */
export interface PageService extends AsyncDisposable {
  /** Ends it with all of its processes, at once or in order. */
  end(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
}

/** The shell blocks of a section, in order. */
export async function commandsOf(section: string, replacements: Replacements): Promise<string[]> {
  const text = await Deno.readTextFile(PAGE);
  const begin = text.indexOf(`\n## ${section}\n`);
  if (begin < 0) throw new Error(`docs/operating.md has no section ${section}`);
  const end = text.indexOf("\n## ", begin + 1);
  const blocks = [...text.slice(begin, end).matchAll(/^```sh\n([\s\S]*?)^```$/gm)];
  return blocks.map(([, block = ""]) =>
    Object.entries(replacements).reduce((told, [from, to]) => told.replaceAll(from, to), block)
  );
}

/** Runs a block to its end and returns its standard output. Rejects when a command of it fails. */
export async function runBlock(block: string, env: Variables): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("bash", {
    args: ["-euo", "pipefail", "-c", block],
    cwd: ROOT,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  const text = decoder.decode(stdout);
  if (!success) throw new Error(`${block}\n${text}\n${decoder.decode(stderr)}`);
  return text;
}

/** The variables that a block exports, and those given. */
export async function exportsOf(block: string, env: Variables): Promise<Variables> {
  const text = await runBlock(`${block}\nenv --null`, env);
  return Object.fromEntries(
    text.split("\0").filter((line) => line !== "").map((line) => {
      const at = line.indexOf("=");
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );
}

/** Starts the service of a block, in a group of processes of its own, and waits until it is ready. */
export async function serveBlock(block: string, env: Variables, url: string): Promise<PageService> {
  const child = new Deno.Command("bash", {
    args: ["-euo", "pipefail", "-c", block],
    cwd: ROOT,
    env: { LANGUAGES: "javascript", NO_COLOR: "1", ...env },
    detached: true,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  let hasEnded = false;
  const status = child.status.then(() => void (hasEnded = true));
  const end = async (signal: "SIGKILL" | "SIGTERM") => {
    const tree = hasEnded ? [] : await processTree(child.pid);
    const service = await serviceIn(tree);
    // a service that gets a second signal does not leave its store in order, and a task passes its own on
    if (signal === "SIGTERM" && service !== undefined) Deno.kill(service, signal);
    else if (!hasEnded) Deno.kill(-child.pid, signal);
    await status;
    await until(async () => !(await Promise.all(tree.map(isAlive))).includes(true));
  };
  try {
    await until(async () => hasEnded || await answers(`${url}/readyz`));
    if (hasEnded) throw new Error(`The service ended: ${block}`);
  } catch (thrown) {
    await end("SIGKILL");
    throw thrown;
  }
  return { end, [Symbol.asyncDispose]: () => end("SIGKILL") };
}

/** The process of the service among those of a block. */
async function serviceIn(pids: readonly number[]): Promise<number | undefined> {
  for (const pid of pids) {
    const command = await Deno.readTextFile(`/proc/${pid}/cmdline`).catch(() => "");
    if (command.split("\0").includes("main.ts")) return pid;
  }
  return undefined;
}
