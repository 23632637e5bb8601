/**
 * `wheels` when servers, files and command lines are not as they should be. Nothing is left behind.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type FakeFile, FakeIndex, NATIVE, wheelNameOf } from "./fake_index.ts";

/** Adds `alpha` and `beta`, of which `beta` has the fault; gives what is said. */
async function addWith(beta: Partial<FakeFile>): Promise<{ said: string; requests: number }> {
  await using index = await FakeIndex.start([
    { is: "alpha 1", requires: ["beta"] },
    { is: "beta 1", ...beta },
  ]);
  const { code, said } = await index.run("add alpha");
  assertEquals([code, await index.there()], [1, []], said);
  const requests = index.requests.filter((path) => path.startsWith("/files/beta")).length;
  return { said, requests };
}

Deno.test("wheels faults: wrong bytes are refused at once, and nothing is installed", async () => {
  const { said, requests } = await addWith({ fault: "wrong bytes" });
  assertStringIncludes(said, "beta-1-py3-none-any.whl is not the file that was announced: its ");
  assertEquals(requests, 1);
});

Deno.test("wheels faults: a server that fails or is silent is tried three times", async () => {
  const words = {
    "503": "the server answers 503",
    silent: "the server is silent for 0.2 s",
  };
  for (const fault of ["503", "silent"] as const) {
    const { said, requests } = await addWith({ fault });
    assertStringIncludes(said, words[fault]);
    assertStringIncludes(said, "(3 tries). Check the network");
    assertStringIncludes(said, "PIP_INDEX_URL can name a mirror");
    assertEquals(requests, 3);
  }
});

Deno.test("wheels faults: a temporary failure has no effect", async () => {
  await using index = await FakeIndex.start([{ is: "alpha 1", fault: "503 once" }]);
  assertEquals((await index.run("add alpha")).code, 0);
  assertEquals(await index.locked(), ["alpha 1"]);
});

Deno.test("wheels faults: a missing wheel and a forbidden one are reported", async () => {
  assertStringIncludes((await addWith({ fault: "404" })).said, "beta-1-py3-none-any.whl is gone");
  assertStringIncludes((await addWith({ fault: "403" })).said, "answers 403: check the name and");
  await using index = await FakeIndex.start([], [{ is: "numpy 2", tags: NATIVE, fault: "404" }]);
  const { code, said } = await index.run("add numpy");
  assertEquals([code, await index.there()], [1, []]);
  assertStringIncludes(said, "is not there (404): WHEELS_DISTRIBUTION_URL must name a copy");
});

Deno.test("wheels faults: redirects are bounded, and may lead to http and https only", async () => {
  await using other = await FakeIndex.start([{ is: "beta 1" }]);
  const file = wheelNameOf({ is: "beta 1" });
  await using index = await FakeIndex.start([
    { is: "beta 1", redirect: `${other.url}/files/${file}` },
  ]);
  assertEquals((await index.run("add beta")).code, 0);
  assertEquals(await index.locked(), ["beta 1"]);
  assertStringIncludes((await addWith({ redirect: file })).said, "redirects more than 5 times");
  for (const redirect of ["file:///etc/passwd", "data:,x", "ftp://127.0.0.1/x"]) {
    assertStringIncludes((await addWith({ redirect })).said, "which is refused: only https");
  }
  assertStringIncludes((await addWith({ url: "file:///etc/passwd" })).said, "which is refused");
});

Deno.test("wheels faults: an index cannot name a path outside of the folder", async () => {
  const filenames = [
    "../beta-1-py3-none-any.whl",
    "..\\beta-1-py3-none-any.whl",
    "/tmp/beta-1-py3-none-any.whl",
    "beta-1/../../x-py3-none-any.whl",
    "gamma-1-py3-none-any.whl",
  ];
  for (const filename of filenames) {
    const { said } = await addWith({ filename });
    assertStringIncludes(said, "beta: the index has no version of it");
  }
});

Deno.test("wheels faults: credentials go to their own origin only, and are not shown", async () => {
  await using files = await FakeIndex.start([{ is: "beta 1" }]);
  await using index = await FakeIndex.start([
    { is: "beta 1", url: `${files.url}/files/${wheelNameOf({ is: "beta 1" })}` },
    { is: "gamma 1", fault: "403" },
  ]);
  const indexUrl = `${index.url.replace("//", "//user:s%20cret@")}/simple`;
  assertEquals((await index.run("add beta", { indexUrl })).code, 0);
  assertEquals(index.authorizations, [`Basic ${btoa("user:s cret")}`]);
  assertEquals(files.authorizations, [null]);
  const { said } = await index.run("add gamma", { indexUrl });
  assert(!/user|cret/.test(said), said);
  const lock = await Deno.readTextFile(`${index.folder}/wheels.lock.json`);
  assert(!/user|cret/.test(lock), lock);
});

Deno.test("wheels faults: no network, no index, no index in JSON", async () => {
  await using index = await FakeIndex.start([{ is: "alpha 1" }]);
  const gone = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const closed = `http://127.0.0.1:${gone.addr.port}/simple`;
  gone.close();
  const { code, said } = await index.run("add alpha", { indexUrl: closed });
  assertEquals(code, 1);
  assertStringIncludes(said, `${closed}/alpha/ cannot be read: `);
  const html = await index.run("add alpha", { indexUrl: `${index.url}/html` });
  assertStringIncludes(
    html.said,
    "/html/alpha/ is not a page of a package index in JSON (PEP 691)",
  );
  for (const indexUrl of ["pypi", "ftp://pypi.org/simple", "file:///tmp/index"]) {
    const { said } = await index.run("add alpha", { indexUrl });
    assertStringIncludes(said, "PIP_INDEX_URL must be a URL such as https://pypi.org/simple");
  }
});

Deno.test("wheels faults: an unusable folder is named with its variable", async () => {
  await using index = await FakeIndex.start([{ is: "alpha 1" }]);
  await Deno.writeTextFile(index.folder, "a file");
  const { code, said } = await index.run("add alpha");
  assertEquals([code, said], [1, `${index.folder} is not a folder: set PYTHON_WHEELS to one\n`]);
});

Deno.test("wheels faults: a full disk is reported, and no file is left", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using index = await FakeIndex.start([{ is: "alpha 1" }]);
  // Each write to this device fails as on a full disk.
  await Deno.mkdir(index.folder);
  const create = Deno.open;
  Deno.open = (path, options) =>
    create(String(path).endsWith(".part") ? "/dev/full" : path, {
      ...options,
      ...(String(path).endsWith(".part") ? { create: false, truncate: false } : {}),
    });
  try {
    const { code, said } = await index.run("add alpha");
    assertEquals(code, 1);
    assertStringIncludes(said, "has no space left: free some, or set PYTHON_WHEELS to a folder");
  } finally {
    Deno.open = create;
  }
  assertEquals(await index.there(), []);
});

Deno.test("wheels faults: the next command removes the files of a killed one", async () => {
  await using index = await FakeIndex.start([{ is: "alpha 1" }]);
  await Deno.mkdir(index.folder);
  const left = `.wheels-${crypto.randomUUID()}.part`;
  await Deno.writeTextFile(`${index.folder}/${left}`, "half a wheel");
  await Deno.writeTextFile(`${index.folder}/notes.part`, "the operator's own");
  assertEquals((await index.run("add alpha")).code, 0);
  assertEquals(await index.there(), [
    "alpha-1-py3-none-any.whl",
    "notes.part",
    "wheels.lock.json",
  ]);
});

Deno.test("wheels faults: two commands at once are done one after the other", async () => {
  await using index = await FakeIndex.start([{ is: "alpha 1" }, { is: "beta 1" }]);
  const results = await Promise.all(["add alpha", "add beta"].map((command) => index.run(command)));
  assertEquals(results.map(({ code }) => code), [0, 0]);
  assertEquals(await index.locked(), ["alpha 1", "beta 1"]);
});

Deno.test("wheels faults: a damaged lock is refused, and kept", async () => {
  await using index = await FakeIndex.start([{ is: "alpha 1" }]);
  assertEquals((await index.run("add alpha")).code, 0);
  const path = `${index.folder}/wheels.lock.json`;
  const text = await Deno.readTextFile(path);
  const damaged = [
    "",
    "{}",
    text.slice(0, 100),
    text.replace("alpha-1-py3", "../alpha-1-py3"),
    text.replace('"version": 1,', '"version": 2,'),
  ];
  for (const lock of damaged) {
    await Deno.writeTextFile(path, lock);
    for (const command of ["add alpha", "list", "remove alpha"]) {
      const { code, said } = await index.run(command);
      assertEquals(code, 1, command);
      assertStringIncludes(said, "wheels.lock.json is damaged: restore it");
    }
    assertEquals(await Deno.readTextFile(path), lock);
  }
});

Deno.test("wheels faults: an invalid command line is refused with the reason and the usage", async () => {
  await using index = await FakeIndex.start([]);
  const said: Readonly<Record<string, string>> = {
    "": "Say what to do",
    "frob": 'There is no command "frob"',
    "add ./alpha.whl": '"./alpha.whl" is not a name with a version',
    "add alpha@https://x/alpha.whl": '"alpha@https://x/alpha.whl" is an address',
    "add alpha>>1": '"alpha>>1" is not a name with a version',
    "add alpha;python_version>'3'": "must have no marker",
    "add alpha Alpha==1": "alpha is there twice",
    "add --only cdn alpha": "--only must be index or engine",
    "add --frob alpha": "--frob",
    "remove": "Name the packages to remove",
    "list all": "list takes no arguments",
  };
  for (const [command, words] of Object.entries(said)) {
    const result = await index.run(command);
    assertEquals(result.code, 2, command);
    assertStringIncludes(result.said.split("\n")[0] ?? "", words);
    assertStringIncludes(result.said, "Usage: deno task wheels add");
  }
  assertEquals(index.requests, []);
});
