// test: long
/**
 * A release is made, unpacked, and started as on a new machine: Deno on PATH, no network, no home, and
 * a machine on which only the folder of the data can be written. Takes a minute.
 */
import { assert, assertEquals } from "@std/assert";
import client from "../../client/deno.json" with { type: "json" };
import { hasLanguageModule } from "../../runtimes/create_runtimes.ts";
import { run, temporaryFolder } from "../client/deno_command.ts";
import type { OfflineReport } from "./offline_report.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const NAME = `belljar-${client.version}`;
const FILES = ["SHA256SUMS", `${NAME}.sbom.json`, `${NAME}.tar.gz`];

/** Makes the file system read-only but for one folder, and the network empty, for one command. */
const SEALED = `set -e
mount --make-rprivate /
mount --bind "$1" "$1"
mount -o remount,bind,ro /
ip link set lo up
if touch "$0" 2>/dev/null; then exit 9; fi
shift
exec "$@"`;

/** Whether this process may make namespaces. */
async function canSeal(): Promise<boolean> {
  const folder = await Deno.makeTempDir();
  try {
    const { code } = await sealed(folder, "true");
    return code === 0;
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return false;
    throw thrown;
  } finally {
    await Deno.remove(folder);
  }
}

/** Runs a command that can write below one folder only, without a network. */
function sealed(writable: string, ...command: readonly string[]) {
  const args = ["--net", "--mount", "sh", "-c", SEALED, `${ROOT}written`, writable, ...command];
  return run("unshare", ...args);
}

async function makeRelease(folder: string): Promise<void> {
  const { code, output } = await run(Deno.execPath(), "task", "--cwd", ROOT, "release", folder);
  assertEquals([code, code === 0 ? "" : output], [0, ""]);
  assertEquals(names(folder), FILES);
}

function names(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

/** Unpacks a release, starts it where only the folder of the data can be written, and works with it. */
async function tryRelease(folder: string, data: string): Promise<OfflineReport> {
  const { code } = await run("tar", "-xzf", `${folder}/${NAME}.tar.gz`, "-C", folder);
  assertEquals(code, 0);
  assertEquals(names(folder), [...FILES, NAME].sort());
  const program = new URL("offline_program.ts", import.meta.url).pathname;
  const report = `${data}/report.json`;
  const deno = [Deno.execPath(), "run", "--allow-all", "--no-check", "--cached-only", program];
  const ended = await sealed(data, ...deno, `${folder}/${NAME}`, data, report);
  assertEquals([ended.code, ended.code === 0 ? "" : ended.output], [0, ""]);
  return JSON.parse(await Deno.readTextFile(report));
}

Deno.test("release: the same sources give the same bytes, which start offline on a machine that is read-only", async (t) => {
  await using one = await temporaryFolder();
  await using data = await temporaryFolder();
  await makeRelease(one.path);

  await t.step("the same sources give the same bytes, and SHA256SUMS holds", async () => {
    await using two = await temporaryFolder();
    await makeRelease(two.path);
    const sums = await Deno.readTextFile(`${one.path}/SHA256SUMS`);
    assertEquals(await Deno.readTextFile(`${two.path}/SHA256SUMS`), sums);
    const files = [`${NAME}.tar.gz`, `${NAME}.sbom.json`];
    const lines = await Promise.all(files.map(async (file) => {
      const bytes = await Deno.readFile(`${one.path}/${file}`);
      const digest = await crypto.subtle.digest("SHA-256", bytes);
      return `${new Uint8Array(digest).toHex()}  ${file}\n`;
    }));
    assertEquals(sums, lines.join(""));
  });

  await t.step({
    name: "./start serves all languages, contexts over a restart, files and clients",
    ignore: Deno.build.os !== "linux" || !await canSeal(),
    fn: async () => {
      const report = await tryRelease(one.path, data.path);
      const shell = hasLanguageModule("shell", `${ROOT}.belljar/cache`) ? { shell: "42" } : {};
      const all = ["javascript", "python", "perl", "ruby", ...Object.keys(shell)];
      assertEquals([report.version, report.served], [client.version, all]);
      assertEquals(report.stateless, { javascript: "42", python: "42", perl: "42", ruby: "42" });
      assertEquals(report.contexts, { javascript: "42", python: "42", perl: "42", ...shell });
      assertEquals(report.file, "kept");
      assertEquals(new Set(Object.values(report.statuses)), new Set([200]));
      assertEquals(report.codes, [0, 0]);
      assert(!report.output.includes("Building"), report.output);
    },
  });
});
