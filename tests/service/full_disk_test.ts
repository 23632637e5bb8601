// test: long
/** A service whose store is on a disk that fills up: a small file system in memory. Needs root. */
import { assert, assertEquals } from "@std/assert";
import { run, temporaryFolder } from "../client/deno_command.ts";
import { callJson, startProgram } from "../support/program.ts";
import { until } from "../support/wait.ts";

const SIZE = "4m";
/** Of one file; a few of them fill the disk. Random bytes, because files are compressed. */
const FILE_BYTES = 200_000;
const FILES = 40;

async function mount(folder: string): Promise<boolean> {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return false;
  return (await run("mount", "-t", "tmpfs", "-o", `size=${SIZE}`, "tmpfs", folder)).code === 0;
}

async function canMount(): Promise<boolean> {
  await using folder = await temporaryFolder();
  const isMounted = await mount(folder.path);
  if (isMounted) await run("umount", folder.path);
  return isMounted;
}

function content(): string {
  const bytes = new Uint8Array(FILE_BYTES);
  for (let at = 0; at < FILE_BYTES; at += 50_000) {
    crypto.getRandomValues(bytes.subarray(at, at + 50_000));
  }
  return bytes.toBase64();
}

Deno.test({
  name:
    "full disk: the answer and the log name it, files stay, runs without a context go on, and space ends it",
  ignore: !await canMount(),
  fn: async () => {
    await using folder = await temporaryFolder();
    assert(await mount(folder.path));
    try {
      await using service = await startProgram({
        env: { LANGUAGES: "javascript", KV_PATH: `${folder.path}/data.sqlite3` },
      });
      const files = `${service.url}/languages/javascript/sandboxes/box/files`;
      const write = (path: string, content: string) =>
        callJson(files, { op: "write", path, content });
      const written: string[] = [];
      let refused: Awaited<ReturnType<typeof write>> | undefined;
      for (let n = 0; n < FILES && refused === undefined; n++) {
        const answer = await write(`f${n}`, content());
        if (answer.status === 200) written.push(`f${n}`);
        else refused = answer;
      }
      assertEquals(refused?.status, 503, JSON.stringify(refused));
      assertEquals(refused?.body["message"], "The store cannot write: its disk is full");
      assert(written.length > 0);
      const lines = service.output().split("\n");
      const line = lines.find((one) => one.includes('"store.fails"')) ?? "{}";
      assertEquals(JSON.parse(line).problem, "the disk is full");
      for (const path of written) {
        assertEquals((await callJson(files, { op: "read", path })).status, 200, path);
      }
      const { body } = await callJson(`${service.url}/execute/javascript`, { code: "6 * 7" });
      assertEquals(body["results"], [{ text: "42" }]);
      const grown = ["-o", "remount,size=64m", folder.path];
      assertEquals((await run("mount", ...grown)).code, 0);
      await until(async () => (await write("later", "x")).status === 200);
    } finally {
      await run("umount", "--lazy", folder.path);
    }
  },
});
