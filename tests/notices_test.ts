import { assert, assertEquals, assertGreater } from "@std/assert";
import clientPackage from "../client/deno.json" with { type: "json" };
import config from "../deno.json" with { type: "json" };

async function read(name: string): Promise<string> {
  return await Deno.readTextFile(new URL(`../${name}`, import.meta.url));
}

Deno.test("notices: every package of ours is pinned, and named with its version", async () => {
  const notices = await read("THIRD_PARTY_NOTICES.md");
  for (const [name, specifier] of Object.entries(config.imports)) {
    if (!specifier.startsWith("npm:")) continue;
    const version = /^npm:.+@(\d[^@]*)$/.exec(specifier)?.[1];
    assert(version !== undefined, `${name} is not pinned`);
    assert(notices.includes(`| ${name} | ${version} |`), `${name} ${version} is not named`);
  }
});

Deno.test("notices: every package that comes with them is named with its version", async () => {
  const notices = await read("THIRD_PARTY_NOTICES.md");
  const lock: { readonly npm: Readonly<Record<string, unknown>> } = JSON.parse(
    await read("deno.lock"),
  );
  const locked = Object.keys(lock.npm).map((key) => /^(@?[^@]+)@([^_]+)/.exec(key)?.slice(1) ?? []);
  assertGreater(locked.length, Object.keys(config.imports).length);
  const missing = locked.filter(([name, version]) => !notices.includes(`| ${name} | ${version} |`));
  assertEquals(missing, []);
});

Deno.test("notices: the client's package has the licence of the project, and no packages", async () => {
  assertEquals(await read("client/LICENSE"), await read("LICENSE"));
  assertEquals(clientPackage.license, config.license);
  assert(!("imports" in clientPackage));
});
