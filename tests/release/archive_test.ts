/** The archive of a release depends on names, modes and contents only. */
import { assertEquals, assertNotEquals } from "@std/assert";
import { pathToFileURL } from "node:url";
import { type ArchiveEntry, writeArchive } from "../../release/archive.ts";
import { temporaryFolder } from "../client/deno_command.ts";

const TIME = new Date("2026-11-28T10:00:00Z");

function text(content: string): ArchiveEntry {
  return { kind: "bytes", bytes: new TextEncoder().encode(content) };
}

/** Longer than the 100 bytes that the oldest format has for a name. */
const LONG = `belljar/${"n".repeat(90)}/${"e".repeat(140)}.engine`;

Deno.test("writeArchive() writes the same bytes for entries in another order and of another age", async () => {
  await using folder = await temporaryFolder();
  const file = `${folder.path}/source`;
  const digests: string[] = [];
  for (const order of [1, -1]) {
    await Deno.writeTextFile(file, "from a file");
    await Deno.utime(file, order + 5, order + 5);
    const entries: [string, ArchiveEntry][] = [
      ["belljar/start", text("#!/bin/sh\n")],
      ["belljar/b/file", { kind: "file", source: pathToFileURL(file) }],
      ["belljar/a/link", { kind: "link", target: "../b/file" }],
    ];
    const output = pathToFileURL(`${folder.path}/${order}.tar.gz`);
    await writeArchive(output, new Map(order === 1 ? entries : entries.reverse()), TIME);
    const bytes = await Deno.readFile(output);
    digests.push(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex());
  }
  assertEquals(digests[0], digests[1]);
  const output = pathToFileURL(`${folder.path}/other.tar.gz`);
  await writeArchive(output, new Map([["belljar/start", text("#!/bin/sh\n")]]), TIME);
  const other = await crypto.subtle.digest("SHA-256", await Deno.readFile(output));
  assertNotEquals(new Uint8Array(other).toHex(), digests[0]);
});

Deno.test({
  name: "writeArchive() writes what tar unpacks: folders, programs, links and long names",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using folder = await temporaryFolder();
    const output = pathToFileURL(`${folder.path}/belljar.tar.gz`);
    await writeArchive(
      output,
      new Map([
        ["belljar/start", text("#!/bin/sh\n")],
        ["belljar/inner/plain", text("plain")],
        ["belljar/link", { kind: "link", target: "inner/plain" }],
        [LONG, text("long")],
      ]),
      TIME,
    );
    const { success } = await new Deno.Command("tar", {
      args: ["--extract", "--gzip", "--file", output.pathname, "--directory", folder.path],
    }).output();
    assertEquals(success, true);
    const stat = (path: string) => Deno.lstatSync(`${folder.path}/${path}`);
    assertEquals((stat("belljar/start").mode ?? 0) & 0o777, 0o755);
    assertEquals((stat("belljar/inner/plain").mode ?? 0) & 0o777, 0o644);
    assertEquals(stat("belljar/inner").isDirectory, true);
    assertEquals(stat("belljar/inner/plain").mtime, TIME);
    assertEquals(await Deno.readTextFile(`${folder.path}/belljar/link`), "plain");
    assertEquals(await Deno.readTextFile(`${folder.path}/${LONG}`), "long");
  },
});
