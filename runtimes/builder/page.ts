/**
 * The build of the page: its program as one bundle, and its files under names with their hashes.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { encodeMessage } from "../../shared/message.ts";
import { bundle } from "./bundle.ts";

const SOURCES = new URL("../../page/", import.meta.url);
/** Digits of a hash in a name. */
const HASH_DIGITS = 16;

const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

/** Sheets of styles, in the order in which they apply. */
const STYLES = [
  "base",
  "controls",
  "header",
  "pane",
  "run",
  "sandbox",
  "files",
  "sandboxes",
  "operations",
  "exercise",
  "dialogs",
  "adaptation",
];

/** Files that the page refers to by `{{name}}`, and how each is made. */
const PARTS = [
  { name: "app.js", type: SCRIPT, make: program },
  { name: "style.css", type: "text/css; charset=utf-8", make: styles },
  { name: "frame.html", type: HTML, make: source("frame.html") },
  { name: "icon.svg", type: "image/svg+xml", make: source("icon.svg") },
] as const;

/** The client as one module, which the service serves beside the page. */
const CLIENT = "client.mjs";

/** Builds the page and the client; returns their files as bytes for `readPageFiles`. */
export async function buildPage(): Promise<Uint8Array> {
  const files: { path: string; type: string; text: string }[] = [];
  let html = await source("index.html")();
  for (const { name, type, make } of PARTS) {
    const text = await make();
    const path = `page/${hashedName(name, text)}`;
    html = html.replaceAll(`{{${name}}}`, path);
    files.push({ path, type, text });
  }
  files.push({ path: "", type: HTML, text: html });
  files.push({ path: CLIENT, type: SCRIPT, text: await client() });
  const head = files.map(({ path, type }) => ({ path, type }));
  const bytes = files.map(({ text }) => new TextEncoder().encode(text));
  return encodeMessage(head, bytes.flatMap((file) => [file, gzipSync(file, { level: 9 })]));
}

async function program(): Promise<string> {
  return await bundle(new URL("main.ts", SOURCES), "browser", { minify: true });
}

async function client(): Promise<string> {
  return await bundle(new URL("../client/mod.ts", SOURCES), "browser");
}

async function styles(): Promise<string> {
  const sheets = await Promise.all(STYLES.map((name) => source(`styles/${name}.css`)()));
  return sheets.join("\n");
}

function source(name: string): () => Promise<string> {
  return async () => await Deno.readTextFile(new URL(name, SOURCES));
}

function hashedName(name: string, text: string): string {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, HASH_DIGITS);
  const dot = name.lastIndexOf(".");
  return `${name.slice(0, dot)}-${hash}${name.slice(dot)}`;
}
