/** The clients that the service serves, of its own version (`/client.whl`). */
import { assert, assertEquals } from "@std/assert";
import { storedZip } from "../../gateway/client_files/stored_zip.ts";
import { makeWheel, wheelName } from "../../gateway/client_files/wheel.ts";
import { filesIn } from "../../runtimes/builder/zip_archive.ts";

const VERSION = "1.2.3";
const INFO = `belljar-${VERSION}.dist-info`;

Deno.test("storedZip() writes files that come back as they were, under any name", () => {
  const files = [
    { path: "empty", bytes: new Uint8Array() },
    { path: "a/grüße.txt", bytes: new TextEncoder().encode("grüße 🌍") },
    { path: "large", bytes: new Uint8Array(70_000).fill(7) },
  ];
  const archive = storedZip(files);
  assertEquals([...filesIn(archive, "")], files.map(({ path, bytes }) => [path, bytes]));
  assertEquals(storedZip(files), archive);
  assertEquals([...filesIn(storedZip([]), "")], []);
});

Deno.test("makeWheel() has each file with its hash, and is the same each time", async () => {
  const wheel = await makeWheel(VERSION);
  assertEquals(await makeWheel(VERSION), wheel);
  assertEquals(wheelName(VERSION), "belljar-1.2.3-py3-none-any.whl");
  const files = filesIn(wheel, "");
  const record = new TextDecoder().decode(files.get(`${INFO}/RECORD`)).trim().split("\n");
  assertEquals(record.map((line) => line.split(",")[0]), [...files.keys()]);
  for (const line of record.slice(0, -1)) {
    const [path = "", hash, size] = line.split(",");
    const bytes = files.get(path) ?? new Uint8Array();
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));
    const text = digest.toBase64({ alphabet: "base64url", omitPadding: true });
    assertEquals([hash, size], [`sha256=${text}`, String(bytes.length)]);
  }
  for (const path of ["belljar/__init__.py", "belljar/py.typed", `${INFO}/licenses/LICENSE`]) {
    assert(files.has(path), path);
  }
  assert([...files.keys()].every((path) => !path.includes("cache")));
  const metadata = new TextDecoder().decode(files.get(`${INFO}/METADATA`));
  assertEquals(metadata.split("\n\n")[0]?.split("\n").slice(1, 3), [
    "Name: belljar",
    "Version: 1.2.3",
  ]);
  assert(metadata.includes("\nRequires-Python: >=3.10\nRequires-Dist: httpx"));
});
