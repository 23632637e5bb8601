// test: slow
/**
 * `main.ts wheels` as a process: variables, streams and exit codes.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { FakeIndex } from "./fake_index.ts";

async function main(args: readonly string[], env: Record<string, string>, cwd?: string) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--allow-all",
      new URL("../../../../main.ts", import.meta.url).href,
      "wheels",
      ...args,
    ],
    env,
    ...(cwd === undefined ? {} : { cwd }),
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test("wheels program: the variables name folder and index; a list is standard output", async () => {
  await using index = await FakeIndex.start([{ is: "alpha 1" }]);
  const env = { PYTHON_WHEELS: index.folder, PIP_INDEX_URL: `${index.url}/simple` };
  const added = await main(["add", "alpha"], env);
  assertEquals([added.code, added.stdout], [0, ""], added.stderr);
  assertEquals(await index.there(), ["alpha-1-py3-none-any.whl", "wheels.lock.json"]);
  assertEquals(await main(["list"], env), {
    code: 0,
    stdout: "alpha  1  pure  1 KiB  asked for\n",
    stderr: "",
  });
  const refused = await main(["add", "beta"], { ...env, PORT: "0" });
  assertEquals([refused.code, refused.stdout], [1, ""]);
  assertStringIncludes(refused.stderr, "There is no package beta on http://127.0.0.1:");
});

Deno.test("wheels program: without the variable it names the variable and its value", async () => {
  const folder = await Deno.makeTempDir();
  const { code, stdout, stderr } = await main(["list"], { PYTHON_WHEELS: "" }, folder);
  assertEquals([code, stdout], [0, "./.belljar/wheels has no packages\n"]);
  assertEquals(
    stderr,
    "PYTHON_WHEELS is not set: set it to ./.belljar/wheels for deno task build and for the service\n",
  );
  assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
  assertEquals((await main(["frob"], {}, folder)).code, 2);
  await Deno.remove(folder);
});
