/**
 * The Python client as a wheel, made from its sources without a network
 * (packaging.python.org/specifications/binary-distribution-format).
 *
 * @module
 */
import { createHash } from "node:crypto";
import { storedZip, type ZipFile } from "./stored_zip.ts";

const SOURCES = new URL("../../clients/python/", import.meta.url);
const PACKAGE = "belljar";
const SOURCE_FILE = /\.py$|^py\.typed$/;

/** The name of the wheel of a version. pip refuses a wheel of another name. */
export function wheelName(version: string): string {
  return `${PACKAGE}-${version}-py3-none-any.whl`;
}

/** Makes the wheel of a version. The same sources give the same bytes. */
export async function makeWheel(version: string): Promise<Uint8Array<ArrayBuffer>> {
  const names = (await Array.fromAsync(Deno.readDir(new URL(`${PACKAGE}/`, SOURCES))))
    .flatMap(({ name, isFile }) => isFile && SOURCE_FILE.test(name) ? [name] : []);
  const sources = names.toSorted().map((name) => file(`${PACKAGE}/${name}`));
  const info = `${PACKAGE}-${version}.dist-info`;
  const [readme, project, license] = await Promise.all([
    text("README.md"),
    text("pyproject.toml"),
    text("LICENSE"),
  ]);
  const files = [
    ...await Promise.all(sources),
    textFile(`${info}/METADATA`, metadata(version, project, readme)),
    textFile(`${info}/WHEEL`, WHEEL),
    textFile(`${info}/licenses/LICENSE`, license),
  ];
  return storedZip([...files, textFile(`${info}/RECORD`, record(files, `${info}/RECORD`))]);
}

const WHEEL = "Wheel-Version: 1.0\nGenerator: belljar\nRoot-Is-Purelib: true\nTag: py3-none-any\n";

function metadata(version: string, project: string, readme: string): string {
  const quoted = (key: string) => valueOf(project, key, /^"(.*)"$/);
  const required = valueOf(project, "dependencies", /^\["([^"]*)"\]$/);
  const lines = [
    "Metadata-Version: 2.4",
    `Name: ${PACKAGE}`,
    `Version: ${version}`,
    `Summary: ${quoted("description")}`,
    `License-Expression: ${quoted("license")}`,
    "License-File: LICENSE",
    `Requires-Python: ${quoted("requires-python")}`,
    `Requires-Dist: ${required}`,
    "Description-Content-Type: text/markdown",
  ];
  return `${lines.join("\n")}\n\n${readme}`;
}

/** A value of the project's own `pyproject.toml`, which has each key in a line of its own. */
function valueOf(project: string, key: string, form: RegExp): string {
  const line = project.split("\n").find((each) => each.startsWith(`${key} = `)) ?? "";
  const [, value] = form.exec(line.slice(key.length + 3)) ?? [];
  if (value === undefined) throw new TypeError(`pyproject.toml has no ${key}`);
  return value;
}

/** The list of all files with their hashes, but for its own. */
function record(files: readonly ZipFile[], own: string): string {
  const lines = files.map(({ path, bytes }) => {
    const hash = createHash("sha256").update(bytes).digest("base64url");
    return `${path},sha256=${hash},${bytes.length}`;
  });
  return [...lines, `${own},,`].join("\n") + "\n";
}

function textFile(path: string, content: string): ZipFile {
  return { path, bytes: new TextEncoder().encode(content) };
}

async function file(path: string): Promise<ZipFile> {
  return { path, bytes: await Deno.readFile(new URL(path, SOURCES)) };
}

async function text(path: string): Promise<string> {
  return await Deno.readTextFile(new URL(path, SOURCES));
}
