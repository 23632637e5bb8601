/**
 * The operator's folders of Perl modules and of gems, as a build and a start check them.
 */
import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { readBuildInputs, withoutBytes } from "../../../runtimes/builder/build_inputs.ts";
import { sourceKeys } from "../../../runtimes/builder/source_keys.ts";
import { RuntimesRefused } from "../../../shared/binding.ts";

/** A temporary folder with these files. */
async function folderWith(files: Readonly<Record<string, string>>) {
  const path = await Deno.makeTempDir();
  for (const [file, text] of Object.entries(files)) {
    const place = `${path}/${file}`;
    await Deno.mkdir(place.slice(0, place.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(place, text);
  }
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

async function refusal(
  variable: "perlPackages" | "rubyPackages",
  files: Readonly<Record<string, string>>,
): Promise<string> {
  await using folder = await folderWith(files);
  const read = () => readBuildInputs({ [variable]: folder.path });
  return (await assertRejects(read, RuntimesRefused)).message;
}

Deno.test("perl folder: the modules of lib are listed with their versions, and those below them are not", async () => {
  await using folder = await folderWith({
    "lib/Moo.pm": "package Moo;\nour $VERSION = '2.005';\n",
    "lib/Moo/Role.pm": "package Moo::Role;\n",
    "lib/Text/CSV.pm": "package Text::CSV v1.2.3 {\n}",
    "lib/None.pm": "package None;",
    "lib/data/table.json": "{}",
    "notes.txt": "no module",
  });
  const inputs = await readBuildInputs({ perlPackages: folder.path });
  const perl = inputs.packages?.perl;
  assertEquals(perl?.installed, [
    { name: "Moo", version: "2.005" },
    { name: "None", version: "0" },
    { name: "Text::CSV", version: "v1.2.3" },
  ]);
  assertEquals(perl?.files.length, 6); // five files, and the list
  const lean = withoutBytes(inputs).packages?.perl;
  assertEquals([lean?.installed, lean?.files], [perl?.installed, []]);
  const [none, some] = [sourceKeys(await readBuildInputs({})), sourceKeys(inputs)];
  assertNotEquals(none.engines.get("perl"), some.engines.get("perl"));
  assertEquals(none.engines.get("ruby"), some.engines.get("ruby"));
});

Deno.test("perl folder: native code, and a folder without modules, are refused by name", async () => {
  assertEquals(
    await refusal("perlPackages", { "lib/A.pm": "", "lib/auto/A/A.so": "" }),
    "PERL_PACKAGES: lib/auto/A/A.so belongs to native code, which cannot run here: " +
      "only modules in Perl can be added",
  );
  assertEquals(
    await refusal("perlPackages", { "A.pm": "" }),
    "PERL_PACKAGES must name a folder that has modules in its folder lib",
  );
  const read = () => readBuildInputs({ perlPackages: "/nowhere/at/all" });
  assertEquals(
    (await assertRejects(read, RuntimesRefused)).message,
    "PERL_PACKAGES must name a folder that exists and can be read",
  );
});

Deno.test("ruby folder: gems are listed with their versions; their tests and code for Java are left out", async () => {
  await using folder = await folderWith({
    "rack-3.1.8/lib/rack.rb": "",
    "rack-3.1.8/test/rack_test.rb": "",
    "my-gem-0.2.0.pre1/lib/my/gem.rb": "",
    "my-gem-0.2.0.pre1/data/table.txt": "",
    "my-gem-0.2.0.pre1/lib/my/gem.jar": "",
    "my-gem-0.2.0.pre1/ext/my/Gem.java": "",
    "README.md": "",
  });
  const { packages } = await readBuildInputs({ rubyPackages: folder.path });
  assertEquals(packages?.ruby?.installed, [
    { name: "my-gem", version: "0.2.0.pre1" },
    { name: "rack", version: "3.1.8" },
  ]);
  assertEquals(packages?.ruby?.files.map(([path]) => path), [
    "/lib/gems/my-gem-0.2.0.pre1/data/table.txt",
    "/lib/gems/my-gem-0.2.0.pre1/lib/my/gem.rb",
    "/lib/gems/rack-3.1.8/lib/rack.rb",
  ]);
});

Deno.test("ruby folder: native code, and folders that are no gem, are refused by name", async () => {
  const native = "belongs to native code, which cannot run here: only gems in Ruby can be added";
  const cases: readonly (readonly [files: Record<string, string>, reason: string])[] = [
    [{ "a-1/lib/a.rb": "", "a-1/lib/a.so": "" }, `a-1/lib/a.so ${native}`],
    [{ "a-1/lib/a.rb": "", "a-1/ext/a/extconf.rb": "" }, `a-1/ext/a/extconf.rb ${native}`],
    [{ "a-1/a.rb": "" }, "a-1 has no folder lib"],
    [{ "a-1/lib/a.rb": "", "a-2/lib/a.rb": "" }, "a is there twice: 1 and 2"],
    ...["a", "a-1-x86_64-linux", "-1", "a b-1"].map((name) =>
      [
        { [`${name}/lib/a.rb`]: "" },
        `${name} is not the folder of a gem for all platforms, such as rack-3.1.8`,
      ] as const
    ),
  ];
  for (const [files, reason] of cases) {
    assertEquals(await refusal("rubyPackages", files), `RUBY_PACKAGES: ${reason}`);
  }
});
