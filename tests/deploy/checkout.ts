/**
 * The project as a hosting platform starts it: a checkout that cannot be written to, with its
 * engines built, packages in a folder of their own, no home, and no more of the environment than
 * is given.
 */
import { type Program, startProgram } from "../support/program.ts";

/** A checkout, and what its programs may write to. */
export interface Checkout extends AsyncDisposable {
  readonly data: string;
  /** Starts an instance, as the platform would. */
  start(env: { readonly [name: string]: string }): Promise<Program>;
  /** Does what `deno task build` does; gives all that it wrote. */
  build(env: { readonly [name: string]: string }): Promise<string>;
}

const PROJECT = new URL("../../", import.meta.url).pathname;
const LEFT_OUT = [".git", ".belljar", "tests", "bench", "node_modules"];
const NOBODY = 65_534;

async function run(command: string, ...args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args: [...args] }).output();
  if (!success) throw new Error(`${command} failed: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

/** Where packages are kept on this machine. */
async function packages(): Promise<string> {
  const told: unknown = JSON.parse(await run(Deno.execPath(), "info", "--json"));
  const path = typeof told === "object" && told !== null
    ? Reflect.get(told, "npmCache")
    : undefined;
  if (typeof path !== "string") throw new Error("Deno does not tell where it keeps packages");
  return path;
}

/** Links where that is possible: what is copied is large, and never written to. */
async function copyTree(from: string, to: string): Promise<void> {
  await run("cp", "-al", from, to).catch(() => run("cp", "-a", from, to));
}

/** Makes a checkout. Engines that are not built in the project are not built in it. */
export async function prepareCheckout(): Promise<Checkout> {
  const folder = await Deno.makeTempDir();
  const [tree, denoDir, data] = [`${folder}/tree`, `${folder}/deno`, `${folder}/data`];
  for (const path of [tree, `${tree}/.belljar`, denoDir, data]) await Deno.mkdir(path);
  for await (const { name } of Deno.readDir(PROJECT)) {
    if (!LEFT_OUT.includes(name)) await run("cp", "-a", `${PROJECT}${name}`, tree);
  }
  await copyTree(`${PROJECT}.belljar/cache`, `${tree}/.belljar/cache`);
  await copyTree(await packages(), `${denoDir}/npm`);
  await run("find", tree, denoDir, "-type", "d", "-exec", "chmod", "a-w,a+rx", "{}", "+");
  await Deno.chmod(folder, 0o755);
  await Deno.chmod(data, 0o777);
  const uid = Deno.uid() === 0 ? { uid: NOBODY } : {};
  const base = { PATH: "/usr/bin:/bin", HOME: "/nonexistent", DENO_DIR: denoDir };
  const flags = ["--allow-all", "--cached-only"];
  return {
    data,
    start: (env) =>
      startProgram({
        ...uid,
        project: tree,
        clearEnv: true,
        flags,
        env: { ...base, ...env },
      }),
    build: async (env) => {
      const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        ...(Deno.uid() === 0 ? { uid: NOBODY, gid: NOBODY } : {}),
        args: ["run", "--quiet", ...flags, "main.ts", "build"],
        cwd: tree,
        clearEnv: true,
        env: { ...base, ...env },
      }).output();
      const written = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
      if (!success) throw new Error(`The build failed: ${written}`);
      return written;
    },
    [Symbol.asyncDispose]: async () => {
      await run("find", tree, denoDir, "-type", "d", "-exec", "chmod", "u+w", "{}", "+");
      await Deno.remove(folder, { recursive: true });
    },
  };
}
