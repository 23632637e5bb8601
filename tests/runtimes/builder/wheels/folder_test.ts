/**
 * `wheels list` and `wheels remove`, and wheels that the operator put into the folder.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { FakeIndex, NATIVE, wheelNameOf, wheelOf } from "./fake_index.ts";

Deno.test("wheels list: names, versions, kinds, sizes and reasons", async () => {
  await using index = await FakeIndex.start([
    { is: "alpha 1", requires: ["beta", "gamma[more]>=1"] },
    { is: "beta 2", tags: NATIVE, requires: ["gamma"] },
    {
      is: "gamma 3",
      requires: ['delta; extra == "more"', 'alpha; extra == "unused"'],
      extras: ["more", "unused"],
    },
    { is: "delta 4" },
  ]);
  assertEquals((await index.run("list")).lines, [`${index.folder} has no packages`]);
  assertEquals((await index.run("add alpha>=1 gamma")).code, 0);
  assertEquals((await index.run("list")).lines, [
    "alpha  1  pure    1 KiB  asked for as alpha>=1",
    "beta   2  native  1 KiB  for alpha",
    "delta  4  pure    1 KiB  for gamma",
    "gamma  3  pure    1 KiB  asked for",
  ]);
});

Deno.test("wheels remove: removes dependencies that nothing else needs, without the network", async () => {
  await using index = await FakeIndex.start([
    { is: "alpha 1", requires: ["shared", "own-need"] },
    { is: "beta 1", requires: ["shared"] },
    { is: "shared 1" },
    { is: "own-need 1" },
  ]);
  assertEquals((await index.run("add alpha beta")).code, 0);
  index.requests.length = 0;
  const refused = await index.run("remove shared beta");
  assertEquals([refused.code, refused.said], [
    1,
    "shared stays: alpha 1 needs it: remove that as well\n",
  ]);
  assertStringIncludes((await index.run("remove alfa")).said, "is it alpha?");
  const { code, said } = await index.run("remove Alpha");
  assertEquals([code, said.match(/^[+-] .*/gm)], [0, ["- alpha 1", "- own-need 1"]]);
  assertEquals(await index.there(), [
    "beta-1-py3-none-any.whl",
    "shared-1-py3-none-any.whl",
    "wheels.lock.json",
  ]);
  assertEquals((await index.run("remove beta")).code, 0);
  assertEquals(await index.locked(), []);
  assertEquals(index.requests, []);
});

Deno.test("wheels remove: dependencies of an extra stay only while the extra is requested", async () => {
  await using index = await FakeIndex.start([
    { is: "alpha 1", requires: ['beta; extra == "more"'], extras: ["more"] },
    { is: "user 1", requires: ["alpha[more]"] },
    { is: "beta 1" },
  ]);
  assertEquals((await index.run("add alpha user")).code, 0);
  assertEquals((await index.run("remove user")).code, 0);
  assertEquals(await index.locked(), ["alpha 1"]);
});

Deno.test("wheels: the operator's own wheels are used, listed, and never deleted", async () => {
  await using index = await FakeIndex.start([
    { is: "alpha 1", requires: ["own>=1"] },
    { is: "beta 1", requires: ["own>=2"] },
    { is: "own 2" },
    { is: "below 1" },
  ]);
  const own = { is: "own 1.5", tags: NATIVE, requires: ["below"] };
  await Deno.mkdir(index.folder);
  await Deno.writeFile(`${index.folder}/${wheelNameOf(own)}`, wheelOf(own));
  await Deno.writeTextFile(`${index.folder}/notes.txt`, "notes");
  await Deno.writeTextFile(`${index.folder}/old-1-cp39-cp39-win32.whl`, "old");
  const before = await index.there();
  const { code, said } = await index.run("add alpha");
  assertEquals(code, 0, said);
  assertStringIncludes(said, `own 1.5 is your own ${wheelNameOf(own)}\n`);
  assertEquals(await index.locked(), ["alpha 1", "below 1"]);
  assertStringIncludes(
    (await index.run("add beta")).said,
    `own: ${wheelNameOf(own)} lies in the folder, and is 1.5: remove it, or ask for that version`,
  );
  assertStringIncludes((await index.run("remove own")).said, "is your own file, which no command");
  assertEquals((await index.run("list")).lines, [
    "alpha  1  pure  1 KiB  asked for",
    "below  1  pure  1 KiB  for your own wheels",
    "Your own files, which no command deletes:",
    "  notes.txt  1 KiB  not a wheel: the build ignores it",
    "  old-1-cp39-cp39-win32.whl  1 KiB  the build refuses it",
    `  ${wheelNameOf(own)}  1 KiB  own 1.5`,
  ]);
  assertEquals((await index.run("remove alpha")).code, 0);
  assertEquals((await index.there()).filter((name) => name !== "wheels.lock.json"), before);
});
