/** The built page: what is sent, and under which names. */
import { assert, assertEquals, assertLess, assertMatch } from "@std/assert";
import { gunzipSync } from "node:zlib";
import { buildPage } from "../../../runtimes/builder/page.ts";
import { readPageFiles } from "../../../runtimes/builder/page_files.ts";

/** Bytes of all files, compressed. The page promises 300 KB. */
const MOST = 290 * 1000;

Deno.test("page: the bundle is small and complete, and refers only to itself", async () => {
  const built = readPageFiles(new Uint8Array(await buildPage()));
  const files = built.filter(({ path }) => path !== "client.mjs");
  assertEquals(built.length, files.length + 1);
  const names = files.map(({ path }) => path);
  assertEquals(names.length, new Set(names).size);
  assertLess(files.reduce((sum, { gzip }) => sum + gzip.length, 0), MOST);
  for (const { path, bytes, gzip } of files) {
    assertEquals(new Uint8Array(gunzipSync(gzip)), bytes, path);
    if (path !== "") assertMatch(path, /^page\/[a-z]+-[0-9a-f]{16}\.(?:js|css|html|svg)$/);
  }
  const html = new TextDecoder().decode(files.find(({ path }) => path === "")?.bytes);
  for (const path of names) assert(html.includes(path), path);
  assert(!html.includes("{{"));
  assert(!/https?:|<style|\son\w+=|<script(?![^>]*\bsrc=)/.test(html), html);
});
