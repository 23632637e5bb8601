/**
 * Writes what this machine's bash and its commands answer into the corpus: GNU bash, coreutils, mawk
 * and jq. It needs a folder `/workspace`, which it empties.
 *
 * `deno run --allow-all tests/corpus/shell/native.ts`
 *
 * @module
 */
import { readCorpus, writeCorpus } from "./corpus.ts";

const WORKSPACE = "/workspace";
const ENVIRONMENT = {
  HOME: WORKSPACE,
  USER: "user",
  PATH: "/usr/local/bin:/usr/bin:/bin",
  TMPDIR: "/tmp",
  LANG: "C.UTF-8",
  LC_ALL: "C.UTF-8",
  TZ: "UTC",
};

async function fill(files: Readonly<Record<string, string>>): Promise<void> {
  for await (const { name } of Deno.readDir(WORKSPACE)) {
    await Deno.remove(`${WORKSPACE}/${name}`, { recursive: true });
  }
  for (const [path, text] of Object.entries(files)) {
    const folder = `${WORKSPACE}/${path}`.replace(/\/[^/]*$/, "");
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(`${WORKSPACE}/${path}`, text);
  }
}

if (import.meta.main) {
  const { files, cases } = await readCorpus();
  const answered = [];
  for (const { kind, command } of cases) {
    await fill(files);
    const { stdout, code } = await new Deno.Command("bash", {
      args: ["-c", command],
      cwd: WORKSPACE,
      clearEnv: true,
      env: ENVIRONMENT,
      stdin: "null",
      stderr: "null",
    }).output();
    answered.push({ kind, command, stdout: new TextDecoder().decode(stdout), exitCode: code });
  }
  await writeCorpus({ files, cases: answered });
}
