/** The compressed parts of an engine that a build leaves for the store. */
import { assert, assertEquals } from "@std/assert";
import { BuildCache, type BuiltIsolate } from "../../../runtimes/builder/cache.ts";
import type { BuildInputs } from "../../../runtimes/builder/build_inputs.ts";
import { unpackPart } from "../../../runtimes/builder/packed_part.ts";
import { builtFiles } from "../../support/built.ts";

const LANGUAGE = "javascript";
const WITH_CONTEXTS: BuildInputs = { pythonWheels: [], contextLanguages: [LANGUAGE] };

interface Built extends AsyncDisposable {
  readonly folder: string;
  readonly built: BuiltIsolate;
  /** Names of the compressed parts. */
  readonly kept: readonly string[];
}

/** Builds with these inputs in a folder that has the project's built files. */
async function buildWith(inputs?: BuildInputs): Promise<Built> {
  const { program, engineFile } = await builtFiles(LANGUAGE);
  const folder = await Deno.makeTempDir();
  for (const path of [program, engineFile]) {
    const copy = `${folder}/${path.slice(path.lastIndexOf("/") + 1)}`;
    await Deno.copyFile(path, copy);
    await Deno.chmod(copy, 0o644).catch(() => undefined); // not on Windows
  }
  const cache = await BuildCache.open(folder, inputs);
  await cache.build([LANGUAGE], () => undefined);
  const built = await cache.load(LANGUAGE);
  assert(built !== undefined);
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  const kept = names.filter((name) => name.endsWith(".kept")).sort();
  const remove = () => Deno.remove(folder, { recursive: true });
  return { folder, built, kept, [Symbol.asyncDispose]: remove };
}

/** The part that was compressed, if it was. */
async function unpacked({ readPacked }: BuiltIsolate, part: "module" | "baseline", name: string) {
  const packed = await readPacked?.(part, name);
  return packed && await unpackPart(packed);
}

Deno.test("packed parts: module and baseline come back as they are in the engine", async () => {
  await using made = await buildWith(WITH_CONTEXTS);
  const { built } = made;
  assertEquals(made.kept.length, 2);
  assertEquals(await unpacked(built, "module", built.engineDigest), await built.readModule());
  assertEquals(await unpacked(built, "baseline", built.baseline), await built.readBaseline());
});

Deno.test("packed parts: readPacked() returns undefined for another name and for languages without contexts", async () => {
  await using made = await buildWith(WITH_CONTEXTS);
  const { built } = made;
  assertEquals(await unpacked(built, "module", built.baseline), undefined);
  assertEquals(await unpacked(built, "baseline", built.engineDigest), undefined);
  await using without = await buildWith();
  assertEquals(without.kept, []);
  assertEquals(await unpacked(without.built, "baseline", without.built.baseline), undefined);
});

Deno.test("packed parts: damaged parts and parts that others may write are not used; damaged ones are built again", async () => {
  await using made = await buildWith(WITH_CONTEXTS);
  const { built, folder, kept: [name] } = made;
  const path = `${folder}/${name}`;
  const whole = await Deno.readFile(path);
  const damaged = whole.slice();
  damaged[damaged.length >> 1] = (damaged[damaged.length >> 1] ?? 0) ^ 1;
  await Deno.writeFile(path, damaged);
  assertEquals(await unpacked(built, "baseline", built.baseline), undefined);
  await Deno.writeFile(path, whole);
  await Deno.chmod(path, 0o666);
  assertEquals(await unpacked(built, "baseline", built.baseline), undefined);
  await Deno.chmod(path, 0o644);
  await Deno.writeFile(path, damaged);
  const steps: string[] = [];
  await (await BuildCache.open(folder, WITH_CONTEXTS)).build(
    [LANGUAGE],
    (step) => steps.push(step),
  );
  assertEquals(steps, [
    `${path} is damaged`,
    `Building the compressed baseline of ${LANGUAGE} ...`,
  ]);
  assertEquals(await Deno.readFile(path), whole);
});

Deno.test("packed parts: a build of other languages does not need the engine to be readable", async () => {
  await using made = await buildWith(WITH_CONTEXTS);
  await Deno.truncate(made.built.engineFile, 0);
  await (await BuildCache.open(made.folder, WITH_CONTEXTS)).build([], () => undefined);
});
