import { assert, assertEquals, assertGreater } from "@std/assert";
import clientPackage from "../client/deno.json" with { type: "json" };
import config from "../deno.json" with { type: "json" };

async function read(name: string): Promise<string> {
  return await Deno.readTextFile(new URL(`../${name}`, import.meta.url));
}

/** Paths of all files below a folder. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(new URL(`../${folder}/`, import.meta.url)));
  const found = entries.map(({ name, isDirectory }) =>
    isDirectory ? filesBelow(`${folder}/${name}`) : [`${folder}/${name}`]
  );
  return (await Promise.all(found)).flat();
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

Deno.test("notices: every dependency of them is named with its version", async () => {
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

Deno.test("notices: every crate of the shell is listed, and has its terms", async () => {
  const module = "runtimes/languages/shell/module";
  const lock = await read(`${module}/Cargo.lock`);
  const locked = [...lock.matchAll(/^name = "(.+)"\nversion = "(.+)"\nsource = /gm)];
  assertGreater(locked.length, 100);
  const terms = new Set((await read(`${module}/CRATE_LICENCES.md`)).split("\n"));
  const list = await read(`${module}/CRATES.md`);
  for (const [, name = "", version = ""] of locked) {
    assert(terms.has(`${name} ${version}`), `CRATE_LICENCES.md has no ${name} ${version}`);
  }
  const listed = [...list.matchAll(/^\| (\S+) +\| (\d\S*) +\|/gm)];
  assertGreater(listed.length, 100);
  for (const [, name = "", version = ""] of listed) {
    assert(
      terms.has(`${name} ${version}`),
      `CRATES.md has ${name} ${version}, which is not locked`,
    );
  }
});

/** Files that others wrote, and their SHA-256: a copy is unchanged, or it is none. */
const COPIES: Readonly<Record<string, string>> = {
  "third_party/ruby/minitest/mock.rb":
    "4b338057a3933c5adefbc6e4566a104d6b816333d3d0db187f46ce40d4b9f670",
};

Deno.test("notices: files copied from others are named, and unchanged", async () => {
  const notices = await read("THIRD_PARTY_NOTICES.md");
  for (const [path, digest] of Object.entries(COPIES)) {
    assert(notices.includes(`\`${path}\``), `${path} is not named`);
    const bytes = await Deno.readFile(new URL(`../${path}`, import.meta.url));
    const found = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
    assertEquals([path, found], [path, digest]);
  }
});

Deno.test("notices: a library file written by hand says in its head why", async () => {
  const folders = ["runtimes/languages/perl/guest/lib", "runtimes/languages/ruby/guest/lib"];
  const files = (await Promise.all(folders.map(filesBelow))).flat();
  assertGreater(files.length, Object.keys(COPIES).length);
  for (const path of files.filter((path) => !(path in COPIES))) {
    const [head] = (await read(path)).split(/^(?:package|class|require|module) /m);
    const words = head?.replaceAll(/\n#/g, "");
    assert(words?.includes("By hand: "), `${path} does not say why it is written by hand`);
  }
});
