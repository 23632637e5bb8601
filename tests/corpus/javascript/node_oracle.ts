/**
 * Programs of the corpus in real Node; TypeScript through its own compiler.
 *
 * @module
 */
import { type Outcome, withoutFrames } from "./outcome.ts";
import { ENVIRONMENT, type Program } from "./programs.ts";

/** Versions of Node whose behaviour is recorded. */
const NODE_VERSION = /^v20\./;
/**
 * Node's message about an error that nobody caught: where, the source line, the error, its version.
 * In front of the place is an empty line, unless it is in Node itself.
 */
const UNCAUGHT =
  /\n?(?<=\n|^)(?:file:\/\/|\/|node:)[^\n]*:\d+\n[^\n]*\n[ \t]*\^+\n\n?([^]*?)\n\nNode\.js v[^\n]*\n$/;
const TRACE_HINT = "(Use `node --trace-uncaught ...` to show where the exception was thrown)";
const WARNING_HINT = /\(Use `node --trace-[^\n]*\n/g;
const PROCESS_NUMBER = /\(node:\d+\)/g;
/** How TypeScript is compiled: package, then arguments. */
const TYPESCRIPT = "typescript@5.9.3";
const COMPILER_OPTIONS = [
  ...["--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"],
  ...["--noCheck", "--noResolve"],
];

async function run(
  command: string,
  options: Deno.CommandOptions,
): Promise<{ readonly stdout: string; readonly stderr: string; readonly code: number }> {
  const { stdout, stderr, code } = await new Deno.Command(command, {
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    ...options,
  }).output();
  const decoder = new TextDecoder();
  return { stdout: decoder.decode(stdout), stderr: decoder.decode(stderr), code };
}

/** Whether the Node to compare with is there. */
export async function findNode(): Promise<boolean> {
  try {
    return NODE_VERSION.test((await run("node", { args: ["--version"] })).stdout);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Writes `main.js` or `main.mjs` into `directory`; gives its name. */
async function writeProgram(directory: string, { name, code, typescript }: Program) {
  const file = name.endsWith(".js") ? "main.js" : "main.mjs";
  if (!typescript) {
    await Deno.writeTextFile(`${directory}/${file}`, code);
    return file;
  }
  const [source, output] = [`${directory}/main.ts`, `${directory}/main.js`];
  await Deno.writeTextFile(source, code);
  const args = ["-y", "-p", TYPESCRIPT, "tsc", ...COMPILER_OPTIONS, "main.ts"];
  const compiled = await run("npx", { args, cwd: directory });
  if (compiled.code !== 0) throw new Error(`${name}: ${compiled.stdout}${compiled.stderr}`);
  await Deno.remove(source);
  await Deno.rename(output, `${directory}/${file}`);
  return file;
}

function errorText(text: string): string {
  return text.endsWith(TRACE_HINT) ? text.slice(0, -TRACE_HINT.length).trimEnd() : text;
}

function readOutcome({ stdout, stderr, code }: Awaited<ReturnType<typeof run>>): Outcome {
  const uncaught = UNCAUGHT.exec(stderr);
  const written = uncaught === null ? stderr : stderr.slice(0, uncaught.index);
  const errors = written.replaceAll(PROCESS_NUMBER, "(node:1)").replaceAll(WARNING_HINT, "");
  return {
    stdout: withoutFrames(stdout),
    stderr: withoutFrames(errors),
    ...(uncaught === null ? {} : { error: withoutFrames(errorText(uncaught[1] ?? "")) }),
    status: code,
  };
}

/** Runs a program in Node, in a directory of its own. */
export async function runInNode(program: Program): Promise<Outcome> {
  const directory = await Deno.makeTempDir({ prefix: "belljar-corpus-" });
  try {
    const file = await writeProgram(directory, program);
    const env = { ...Object.fromEntries(ENVIRONMENT), PATH: "/usr/bin:/bin", TZ: "UTC" };
    return readOutcome(await run("node", { args: [file], cwd: directory, clearEnv: true, env }));
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}
