// test: slow
/** The sources of a release (release/sources.ts). */
import { assertEquals } from "@std/assert";
import { pathToFileURL } from "node:url";
import { releaseSources } from "../../release/sources.ts";
import { temporaryFolder } from "../client/deno_command.ts";

const FILES = ["main.ts", "docs/page.md", "tests/main_test.ts", "bench/main.ts", ".github/ci.yml"];

async function makeTree(folder: string): Promise<URL> {
  for (const path of FILES) {
    await Deno.mkdir(`${folder}/${path.slice(0, path.lastIndexOf("/") + 1)}`, { recursive: true });
    await Deno.writeTextFile(`${folder}/${path}`, path);
  }
  return pathToFileURL(`${folder}/`);
}

async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("git", {
    args: ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args],
    cwd: folder,
    env: { GIT_COMMITTER_DATE: "2026-11-28T10:00:00Z", GIT_AUTHOR_DATE: "2026-11-28T10:00:00Z" },
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}

Deno.test("releaseSources() gives the tracked files of a commit, without tests and benchmarks", async () => {
  await using folder = await temporaryFolder();
  const root = await makeTree(folder.path);
  await git(folder.path, "init", "--quiet");
  await git(folder.path, "add", ".");
  await git(folder.path, "commit", "--quiet", "--message", "Files");
  await Deno.writeTextFile(`${folder.path}/data.sqlite3`, "not tracked");
  const commit = await git(folder.path, "rev-parse", "HEAD");
  assertEquals(await releaseSources(root), {
    paths: ["docs/page.md", "main.ts"],
    commit,
    time: new Date("2026-11-28T10:00:00Z"),
  });
});

Deno.test("releaseSources() names no commit when tracked files differ from it", async () => {
  await using folder = await temporaryFolder();
  const root = await makeTree(folder.path);
  await git(folder.path, "init", "--quiet");
  await git(folder.path, "add", ".");
  await git(folder.path, "commit", "--quiet", "--message", "Files");
  await Deno.remove(`${folder.path}/docs/page.md`);
  const { paths, commit } = await releaseSources(root);
  assertEquals([paths, commit], [["main.ts"], undefined]);
});

Deno.test("releaseSources() gives the files of a folder without a repository", async () => {
  await using folder = await temporaryFolder();
  const root = await makeTree(folder.path);
  await Deno.mkdir(`${folder.path}/node_modules/hono`, { recursive: true });
  await Deno.writeTextFile(`${folder.path}/node_modules/hono/mod.js`, "");
  const { paths, commit } = await releaseSources(root);
  assertEquals([paths, commit], [["docs/page.md", "main.ts"], undefined]);
});
