/**
 * `wheels add` against an index and a mirror of the test's own: which versions it takes.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { FakeIndex, NATIVE, PLATFORM } from "./fake_index.ts";

Deno.test("wheels add: the newest version that fits is taken, with its dependencies", async () => {
  await using index = await FakeIndex.start([
    { is: "alpha 1.0" },
    { is: "alpha 1.10", requires: ["beta>=1", "gamma (<3)"] },
    { is: "alpha 1.9" },
    { is: "beta 2.0", tags: "py2.py3-none-any" },
    { is: "gamma 3.0" },
    { is: "gamma 2.5", tags: NATIVE },
  ]);
  const { code, said } = await index.run("add alpha");
  assertEquals([code, await index.locked()], [0, ["alpha 1.10", "beta 2.0", "gamma 2.5"]], said);
  assertEquals(await index.there(), [
    "alpha-1.10-py3-none-any.whl",
    "beta-2.0-py2.py3-none-any.whl",
    `gamma-2.5-${NATIVE}.whl`,
    "wheels.lock.json",
  ]);
  assertStringIncludes(said, "+ gamma 2.5 (native, 1 KiB)\n");
});

Deno.test("wheels add: names are normalised, in requests and in dependencies", async () => {
  await using index = await FakeIndex.start([
    { is: "Foo.Bar_baz 1.0", requires: ["Other__Thing"] },
    { is: "other_thing 2" },
  ]);
  const { code, said } = await index.run("add FOO-bar.Baz");
  assertEquals([code, await index.locked()], [0, ["foo-bar-baz 1.0", "other-thing 2"]], said);
  assert(index.requests.includes("/simple/foo-bar-baz/"), index.requests.join());
});

Deno.test("wheels add: markers apply to the engine, and extras add their dependencies", async () => {
  await using index = await FakeIndex.start([
    {
      is: "alpha 1",
      requires: [
        'never; sys_platform == "win32"',
        'never; python_version < "3.10" or (os_name == "nt" and platform_machine != "wasm32")',
        'always; sys_platform == "emscripten" and python_version >= "3.9"',
        'for-extra>=1; extra == "Some_Thing"',
        'for-other; extra == "other"',
        'only-windows; extra == "other" and os_name == "nt"',
        'not a requirement; extra == "odd"',
      ],
      extras: ["Some_Thing", "other", "odd"],
    },
    { is: "always 1" },
    { is: "for-extra 1", requires: ["alpha[other]"] },
    { is: "for-other 1" },
  ]);
  assertEquals((await index.run("add alpha")).code, 0);
  assertEquals(await index.locked(), ["alpha 1", "always 1"]);
  const { code, said } = await index.run("add alpha[some-thing]");
  assertEquals([code, said.match(/^[+-] .*/gm)], [0, [
    "+ for-extra 1 (pure, 1 KiB)",
    "+ for-other 1 (pure, 1 KiB)",
  ]]);
  const unknown = await index.run("add alpha[sme]");
  assertEquals(unknown, {
    code: 1,
    said: "alpha has no extra sme; it has some-thing, other, odd\n",
    lines: [],
  });
});

Deno.test("wheels add: no pre-release, no yanked one, no other Python, unless named", async () => {
  await using index = await FakeIndex.start([
    { is: "alpha 1.0" },
    { is: "alpha 2.0rc1" },
    { is: "alpha 1.1", yanked: "broken" },
    { is: "alpha 1.2", python: ">=3.99" },
    { is: "alpha 1.3", tags: "cp314-cp314-manylinux_2_17_x86_64" },
    { is: "alpha 1.4", source: true },
    { is: "soon 1.0b1" },
  ]);
  const taken = async (command: string) => {
    const { code, said } = await index.run(command);
    assertEquals(code, 0, said);
    return (await index.locked()).find((name) => name.startsWith("alpha"));
  };
  assertEquals(await taken("add alpha"), "alpha 1.0");
  assertEquals(await taken("add --upgrade --pre alpha"), "alpha 2.0rc1");
  assertEquals(await taken("add --upgrade alpha"), "alpha 1.0");
  assertEquals(await taken("add alpha>=2.0rc0"), "alpha 2.0rc1");
  assertEquals(await taken("add alpha==1.1"), "alpha 1.1");
  assertEquals(
    (await index.run("add soon")).said.split("\n")[0],
    "soon: only pre-releases are " +
      "there, such as 1.0b1: add --pre, or name the version",
  );
});

Deno.test("wheels add: metadata that the index offers saves the wheel of a version not taken", async () => {
  await using index = await FakeIndex.start([
    { is: "alpha 3", metadata: true, requires: ["beta<2"] },
    { is: "alpha 2", metadata: true, requires: ["beta"] },
    { is: "beta 2", metadata: true },
    { is: "beta 1", source: true },
  ]);
  const { code, said } = await index.run("add alpha");
  assertEquals([code, await index.locked()], [0, ["alpha 2", "beta 2"]], said);
  assert(index.requests.includes("/files/alpha-3-py3-none-any.whl.metadata"));
  assert(!index.requests.includes("/files/alpha-3-py3-none-any.whl"), index.requests.join());
});

Deno.test("wheels add: packages may need each other", async () => {
  await using index = await FakeIndex.start([
    { is: "alpha 1", requires: ["beta"] },
    { is: "beta 1", requires: ["gamma"] },
    { is: "gamma 1", requires: ["alpha", "gamma"] },
  ]);
  assertEquals((await index.run("add alpha")).code, 0);
  assertEquals(await index.locked(), ["alpha 1", "beta 1", "gamma 1"]);
  assertStringIncludes((await index.run("remove beta")).said, "beta stays: alpha 1 needs it");
  assertEquals((await index.run("remove alpha")).code, 0);
  assertEquals(await index.there(), ["wheels.lock.json"]);
});

Deno.test("wheels add: an earlier version is taken when the newest cannot go with the others", async () => {
  await using index = await FakeIndex.start([
    { is: "alpha 2", requires: ["shared>=2"] },
    { is: "alpha 1", requires: ["shared>=1"] },
    { is: "beta 1", requires: ["shared<2"] },
    { is: "shared 2" },
    { is: "shared 1.5" },
  ]);
  assertEquals((await index.run("add alpha beta")).code, 0);
  assertEquals(await index.locked(), ["alpha 1", "beta 1", "shared 1.5"]);
});

Deno.test("wheels add: a conflict names both sides, and changes nothing", async () => {
  await using index = await FakeIndex.start([
    { is: "alpha 1", requires: ["shared>=2"] },
    { is: "beta 1", requires: ["shared<2"] },
    { is: "shared 2" },
    { is: "shared 1.5" },
  ]);
  assertEquals((await index.run("add beta")).code, 0);
  const before = await index.there();
  const { code, said } = await index.run("add alpha");
  assertEquals(code, 1);
  assertStringIncludes(said, "shared: no version is ");
  assertStringIncludes(said, "  beta 1 needs shared<2\n  alpha 1 needs shared>=2\n");
  assertEquals(await index.there(), before);
  assertEquals(await index.locked(), ["beta 1", "shared 1.5"]);
});

Deno.test("wheels add: a package that no source has is refused with the reason", async () => {
  await using index = await FakeIndex.start([
    { is: "native 1.0", tags: "cp314-cp314-manylinux_2_17_x86_64" },
    { is: "native 1.0", tags: "cp314-cp314-pyemscripten_2025_0_wasm32" },
    { is: "source 1.0", source: true },
    { is: "later 1.0", python: ">=3.99" },
    { is: "gone 1.0", yanked: true },
    { is: "needy 1.0", requires: ["nowhere>1"] },
    { is: "odd 1.0", requires: ["a b c"] },
  ], [{ is: "numpy 2.0", tags: NATIVE }]);
  const reason = async (name: string) => {
    const { code, said } = await index.run(`add ${name}`);
    assertEquals([code, await index.there()], [1, []], said);
    return said;
  };
  assertStringIncludes(
    await reason("native"),
    "native: the index has 1.0, but its wheels are for cp314-cp314-pyemscripten_2025_0_wasm32, " +
      `manylinux_2_17_x86_64; the engine takes py3-none-any, ${NATIVE} or cp3N-abi3-${PLATFORM}`,
  );
  assertStringIncludes(await reason("source"), "only its sources are there");
  assertStringIncludes(await reason("later"), "it needs Python >=3.99, and the engine is 3.");
  assertStringIncludes(await reason("gone"), "1.0 was yanked by its authors: name it with ==");
  assertStringIncludes(await reason("source>=2"), "no version is >=2; the newest are 1.0");
  assertStringIncludes(
    await reason("needy"),
    "There is no package nowhere on http://127.0.0.1",
  );
  assertStringIncludes(await reason("needy"), "  needy 1.0 needs nowhere>1\n");
  assertStringIncludes(await reason("nunpy"), ": is it numpy?\n");
  assertStringIncludes(
    await reason("odd"),
    "odd-1.0-py3-none-any.whl cannot be used: its " +
      'requirement "a b c" cannot be read',
  );
});

Deno.test("wheels add: a package that the index lacks comes from the engine's distribution", async () => {
  await using index = await FakeIndex.start([
    { is: "table 1", requires: ["numpy>=2"] },
    { is: "numpy 3", source: true },
    { is: "numpy 1", tags: "py3-none-any" },
    { is: "both 1.0", tags: NATIVE },
    { is: "newer 2.0" },
  ], [
    { is: "numpy 2.4.6", tags: NATIVE, depends: ["Blas_Thing"] },
    { is: "blas-thing 1", tags: `cp39-abi3-${PLATFORM}` },
    { is: "both 1.0", tags: `py3-none-${PLATFORM}` },
    { is: "newer 1.0", tags: NATIVE },
    { is: "lib 1", filename: "lib-1.zip" },
  ]);
  assertEquals((await index.run("add newer both")).code, 0);
  assertEquals(await index.locked(), ["both 1.0", "newer 2.0"]);
  assert(index.requests.includes(`/files/both-1.0-${NATIVE}.whl`), "the index, for one version");
  assertEquals((await index.run("add --prefer engine --upgrade newer")).code, 0);
  assertEquals((await index.run("add --only index numpy")).code, 0);
  assertEquals(await index.locked(), ["both 1.0", "newer 1.0", "numpy 1"]);
  assertEquals((await index.run("add --only engine --upgrade numpy")).code, 0);
  assertEquals(await index.locked(), [
    "blas-thing 1",
    "both 1.0",
    "newer 1.0",
    "numpy 2.4.6",
  ]);
  assertEquals((await index.run("add table")).code, 0);
  assertStringIncludes(
    (await index.run("add lib")).said,
    "lib: the engine's distribution has lib-1.zip, which is no wheel that fits",
  );
});

Deno.test("wheels add: dependencies of a package of the distribution come from there, within its bounds", async () => {
  const index = [
    { is: "pure 3.0" },
    { is: "pure 1.0" },
    { is: "dropped 1" },
    { is: "more 1" },
  ];
  const pandas = {
    is: "pandas 3",
    tags: NATIVE,
    depends: ["pure"],
    requires: ["pure<3", "dropped", 'more; extra == "x"'],
    extras: ["x"],
  };
  await using together = await FakeIndex.start(index, [pandas, { is: "pure 2.0" }]);
  assertEquals((await together.run("add pandas[x]")).code, 0);
  assertEquals(await together.locked(), ["more 1", "pandas 3", "pure 2.0"]);
  await using alone = await FakeIndex.start(index, [pandas, { is: "pure 3.5" }]);
  assertEquals((await alone.run("add pandas")).code, 0);
  assertEquals(await alone.locked(), ["pandas 3", "pure 1.0"]);
});

Deno.test("wheels add: a repetition changes nothing and uses no network", async () => {
  await using index = await FakeIndex.start([
    { is: "alpha 1", requires: ["beta[more]"] },
    { is: "beta 1", requires: ['gamma; extra == "more"'], extras: ["more"] },
    { is: "gamma 1" },
    { is: "delta 1", requires: ["gamma"] },
  ]);
  assertEquals((await index.run("add alpha")).code, 0);
  index.requests.length = 0;
  for (const command of ["add alpha", "add", "add alpha==1 beta"]) {
    const { code, said } = await index.run(command, { indexUrl: "http://127.0.0.1:1/" });
    assertEquals([code, said.match(/^[+-] .*/gm)], [0, null], said);
  }
  assertEquals((await index.run("add alpha")).code, 0);
  assertEquals((await index.run("remove beta")).code, 1);
  assertEquals(index.requests, []);
  assertEquals((await index.run("add delta")).code, 0);
  assertEquals(index.requests, ["/simple/delta/", "/files/delta-1-py3-none-any.whl"]);
});

Deno.test("wheels add: a wheel that is missing or changed is fetched again", async () => {
  await using index = await FakeIndex.start([{ is: "alpha 1", requires: ["beta"] }, {
    is: "beta 1",
  }]);
  assertEquals((await index.run("add alpha")).code, 0);
  const [alpha, beta] = await index.there();
  const bytes = await Deno.readFile(`${index.folder}/${beta}`);
  await Deno.remove(`${index.folder}/${alpha}`);
  await Deno.writeTextFile(`${index.folder}/${beta}`, "changed");
  assertEquals((await index.run("list")).lines.map((line) => line.split("  ").at(-1)), [
    "MISSING: add fetches it",
    "CHANGED: add fetches it again",
  ]);
  const { code, said } = await index.run("add");
  assertEquals(code, 0, said);
  assertStringIncludes(said, `${beta} has changed since it was fetched, and is fetched again\n`);
  assertEquals(await Deno.readFile(`${index.folder}/${beta}`), bytes);
  assertEquals(await index.there(), [alpha ?? "", beta ?? "", "wheels.lock.json"]);
});

Deno.test("wheels add: an upgrade removes the wheel of the earlier version", async () => {
  const index = [{ is: "alpha 1" }, { is: "beta 1" }];
  await using before = await FakeIndex.start(index);
  assertEquals((await before.run("add alpha beta")).code, 0);
  await using after = await FakeIndex.start([...index, { is: "alpha 2" }, { is: "beta 2" }]);
  const indexUrl = `${after.url}/simple`;
  assertEquals((await before.run("add alpha", { indexUrl })).code, 0);
  assertEquals(await before.locked(), ["alpha 1", "beta 1"]);
  const { said } = await before.run("add --upgrade alpha", { indexUrl });
  assertStringIncludes(said, "+ alpha 2 (pure, 1 KiB, was 1)\n");
  assertEquals(await before.there(), [
    "alpha-2-py3-none-any.whl",
    "beta-1-py3-none-any.whl",
    "wheels.lock.json",
  ]);
  assertEquals((await before.run("add --upgrade", { indexUrl })).code, 0);
  assertEquals(await before.locked(), ["alpha 2", "beta 2"]);
});
