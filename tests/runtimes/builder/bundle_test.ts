import { assert, assertEquals } from "@std/assert";
import { packagesFolder } from "../../../runtimes/builder/bundle.ts";
import { builtIsolate } from "../../support/built.ts";

/** The end of the folder in which this machine keeps packages; bundlers name it from the project's. */
const FOLDER = new URL("../../", import.meta.resolve("acorn/package.json")).pathname
  .split("/").slice(-3, -1).join("/");

/** Where a text first occurs in bytes, as text with what is around it. */
function found(bytes: Uint8Array, text: string): string | undefined {
  const all = new TextDecoder("latin1").decode(bytes);
  const at = all.indexOf(text);
  return at < 0 ? undefined : all.slice(at - 20, at + text.length + 40);
}

Deno.test("bundle: the isolate program and JavaScript's image name no folder of the machine", async () => {
  const { program, artifact } = await builtIsolate("javascript");
  const image = new TextDecoder("latin1").decode(artifact.image);
  assert(image.includes("readable-stream/4"), "the image names its packages");
  assertEquals(found(artifact.image, FOLDER), undefined);
  assertEquals(found(await Deno.readFile(program), FOLDER), undefined);
});

Deno.test("packages folder: found in Deno's cache, not in a node_modules folder", () => {
  const folderOf = (path: string) =>
    packagesFolder(new URL("file:///home/ada/belljar/"), new URL(`file:///home/ada/${path}`));
  const file = "acorn/package.json";
  const cached = ".cache/deno/npm/registry.example/acorn/8.19.0/package.json";
  assertEquals(folderOf(cached), "../.cache/deno/npm/registry.example");
  assertEquals(folderOf(`belljar/node_modules/${file}`), undefined);
  assertEquals(folderOf(`belljar/node_modules/.deno/acorn@8.19.0/node_modules/${file}`), undefined);
});
