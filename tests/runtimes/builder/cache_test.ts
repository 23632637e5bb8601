/** Which files of a cache directory are used, built again, or refused. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { BuildCache, PRIVATE_FOLDER } from "../../../runtimes/builder/cache.ts";
import { RuntimesRefused } from "../../../shared/binding.ts";
import { builtFiles } from "../../support/built.ts";

const LANGUAGE = "javascript";
const NOBODY = 65_534;
const HAS_OWNERS = Deno.uid() !== null;

interface Folder extends AsyncDisposable {
  readonly path: string;
  /** The isolate program. */
  readonly program: string;
  readonly engine: string;
}

/** A cache directory with one language's built files. */
async function cacheFolder(): Promise<Folder> {
  const { program, engineFile } = await builtFiles(LANGUAGE);
  const path = await Deno.makeTempDir();
  const copy = async (from: string) => {
    const to = `${path}/${from.slice(from.lastIndexOf("/") + 1)}`;
    await Deno.copyFile(from, to);
    await Deno.chmod(to, 0o644).catch(() => undefined); // not on Windows
    return to;
  };
  return {
    path,
    program: await copy(program),
    engine: await copy(engineFile),
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

async function load({ path }: Folder) {
  return await (await BuildCache.open(path)).load(LANGUAGE);
}

/** The refusal, which must name the path. */
async function refusalOf(folder: Folder, path: string): Promise<string> {
  const { message } = await assertRejects(() => load(folder), RuntimesRefused);
  assertStringIncludes(message, "CACHE_DIR: ");
  assertStringIncludes(message, path);
  return message;
}

async function flipBit(path: string): Promise<void> {
  const bytes = await Deno.readFile(path);
  const at = Math.floor(Math.random() * bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8));
  await Deno.writeFile(path, bytes);
}

Deno.test("cache: intact files of the own user are loaded", async () => {
  await using folder = await cacheFolder();
  const built = await load(folder);
  assertEquals(built?.program, await Deno.realPath(folder.program));
});

Deno.test("cache: damaged files are not loaded, and are built again", async (t) => {
  await using folder = await cacheFolder();
  const whole = await Deno.readFile(folder.program);
  const damages: Readonly<Record<string, () => Promise<void>>> = {
    "a bit of the program": () => flipBit(folder.program),
    "the program's end": () => Deno.truncate(folder.program, whole.length - 1),
    "all of the program": () => Deno.truncate(folder.program, 0),
    "an addition": () => Deno.writeTextFile(folder.program, "\n/* planted */\n", { append: true }),
  };
  for (const [name, damage] of Object.entries(damages)) {
    await t.step(name, async () => {
      await Deno.writeFile(folder.program, whole);
      await damage();
      assertEquals(await load(folder), undefined);
    });
  }
  await t.step("the engine", async () => {
    await Deno.writeFile(folder.program, whole);
    await flipBit(folder.engine);
    assertEquals(await load(folder), undefined);
  });
  await t.step("a build names the damaged file and replaces it", async () => {
    await Deno.copyFile((await builtFiles(LANGUAGE)).engineFile, folder.engine);
    await flipBit(folder.program);
    const steps: string[] = [];
    await (await BuildCache.open(folder.path)).build([LANGUAGE], (step) => steps.push(step));
    assertEquals(steps, [`${folder.program} is damaged`, "Building the isolate program ..."]);
    assert(await load(folder) !== undefined);
  });
});

Deno.test("cache: a folder or a file that others may write is refused by its name", {
  ignore: !HAS_OWNERS, // the system has no modes
}, async (t) => {
  await using folder = await cacheFolder();
  for (const mode of [0o777, 0o775, 0o702, 0o1777]) {
    await t.step(`a folder of mode ${mode.toString(8)}`, async () => {
      await Deno.chmod(folder.path, mode);
      assertStringIncludes(await refusalOf(folder, folder.path), "can be written by other users");
    });
  }
  await Deno.chmod(folder.path, 0o700);
  for (const path of [folder.program, folder.engine]) {
    await t.step(`a file of mode 666: ${path.slice(-6)}`, async () => {
      await Deno.chmod(path, 0o666);
      assertStringIncludes(await refusalOf(folder, path), "can be written by other users");
      await Deno.chmod(path, 0o444);
      assert(await load(folder) !== undefined);
    });
  }
  await t.step("a link in the place of a file", async () => {
    const elsewhere = await Deno.makeTempFile();
    await Deno.copyFile(folder.program, elsewhere);
    await Deno.remove(folder.program);
    await Deno.symlink(elsewhere, folder.program);
    assertStringIncludes(await refusalOf(folder, folder.program), "is a link");
    await Deno.remove(elsewhere);
  });
});

Deno.test("cache: files of another user are refused by name", {
  ignore: Deno.uid() !== 0, // only root can set this up
}, async (t) => {
  await using folder = await cacheFolder();
  await t.step("a file with the right contents", async () => {
    await Deno.chown(folder.program, NOBODY, null);
    assertStringIncludes(await refusalOf(folder, folder.program), "belongs to another user");
    await Deno.chown(folder.program, 0, null);
  });
  await t.step("a folder", async () => {
    await Deno.chown(folder.path, NOBODY, null);
    assertStringIncludes(await refusalOf(folder, folder.path), "belongs to another user");
  });
});

Deno.test("cache: links on the way to the folder are followed once, if nobody else made them", {
  ignore: Deno.uid() !== 0, // only root can give a link away
}, async (t) => {
  await using folder = await cacheFolder();
  const parent = await Deno.makeTempDir();
  const link = `${parent}/link`;
  const through = { ...folder, path: link };
  const owned = (uid: number) =>
    new Deno.Command("chown", { args: ["-h", String(uid), link] }).output();
  await Deno.symlink(folder.path, link);
  await t.step("an own link, and one that leads to it", async () => {
    assert(await load(through) !== undefined);
    await Deno.symlink("link", `${parent}/second`);
    assert(await load({ ...folder, path: `${parent}/second/.` }) !== undefined);
  });
  await t.step("a link that is changed after the check is not followed again", async () => {
    const cache = await BuildCache.open(link);
    await Deno.remove(link);
    await Deno.symlink("/nowhere", link);
    assert(await cache.load(LANGUAGE) !== undefined);
    await Deno.remove(link);
    await Deno.symlink(folder.path, link);
  });
  await t.step("a link in a folder that all can write, unless it is a sticky one", async () => {
    await Deno.chmod(parent, 0o1777);
    assert(await load(through) !== undefined);
    await Deno.chmod(parent, 0o777);
    assertStringIncludes(await refusalOf(through, link), "that all users can write");
    await Deno.chmod(parent, 0o755);
  });
  for (const path of [link, `${link}/deeper/folder`, `${parent}/second`]) {
    await t.step(`a link of another user: ${path.slice(parent.length)}`, async () => {
      await owned(NOBODY);
      assertStringIncludes(await refusalOf({ ...folder, path }, link), "is a link that belongs");
      await owned(0);
    });
  }
  await t.step("a circle of links", async () => {
    await Deno.symlink("circle", `${parent}/circle`);
    await refusalOf({ ...folder, path: `${parent}/circle` }, `${parent}/circle`);
  });
  await Deno.remove(parent, { recursive: true });
});

Deno.test("cache: a new folder is not writable by other users", {
  ignore: !HAS_OWNERS, // the system has no modes
}, async () => {
  const parent = await Deno.makeTempDir();
  await BuildCache.open(`${parent}/built`);
  await BuildCache.open(`${parent}/a/service`, undefined, PRIVATE_FOLDER);
  const modeOf = (path: string) => (Deno.statSync(`${parent}/${path}`).mode ?? 0) & 0o777;
  assertEquals([modeOf("built") & 0o022, modeOf("a/service")], [0, 0o700]);
  await Deno.remove(parent, { recursive: true });
});
