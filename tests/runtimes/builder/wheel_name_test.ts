import { assert, assertEquals } from "@std/assert";
import {
  engineTags,
  engineTagsOf,
  fitRank,
  fittingWords,
  isNative,
  normalName,
  parseWheelName,
  wheelRefusal,
} from "../../../runtimes/builder/wheel_name.ts";

const ENGINE = engineTagsOf({ info: { python: "3.14.2", abi_version: "2026_0", arch: "wasm32" } });
const PLATFORM = "pyemscripten_2026_0_wasm32";

function rankOf(tags: string): number | undefined {
  const wheel = parseWheelName(`pack-1.0-${tags}.whl`);
  assert(wheel !== undefined, tags);
  return fitRank(wheel, ENGINE);
}

Deno.test("wheel names: the parts are read, and the name is normalised", () => {
  assertEquals(parseWheelName("Foo.Bar_baz-1.0+local.1-2b-py2.py3-none-any.whl"), {
    file: "Foo.Bar_baz-1.0+local.1-2b-py2.py3-none-any.whl",
    name: "foo-bar-baz",
    version: "1.0+local.1",
    build: "2b",
    tags: "py2.py3-none-any",
  });
  assertEquals(parseWheelName(`a-1!2.0rc1-cp314-cp314-${PLATFORM}.whl`)?.version, "1!2.0rc1");
  assertEquals(normalName("A--b__C..d"), "a-b-c-d");
});

Deno.test("wheel names: an invalid name is refused, paths included", () => {
  const names = [
    "",
    ".whl",
    "a-1.0.whl",
    "a-1.0-py3-none.whl",
    "a-1.0-py3-none-any.zip",
    "../a-1.0-py3-none-any.whl",
    "a/b-1.0-py3-none-any.whl",
    "a\\b-1.0-py3-none-any.whl",
    "..-1.0-py3-none-any.whl",
    "a-..-py3-none-any.whl",
    "a-1.0-py3-none-any.whl\n",
    "a-1.0-py3-none-any.whl/x",
    "a-1.0-build-py3-none-any.whl",
    `${"a".repeat(300)}-1.0-py3-none-any.whl`,
  ];
  assertEquals(names.filter((name) => parseWheelName(name) !== undefined), []);
});

Deno.test("wheel names: tags of the engine and pure ones fit, the best first", () => {
  const fitting = [
    `cp314-cp314-${PLATFORM}`,
    `cp314-abi3-${PLATFORM}`,
    `cp313-abi3-${PLATFORM}`,
    `cp39-abi3-${PLATFORM}`,
    `cp32-abi3-${PLATFORM}`,
    `py3-none-${PLATFORM}`,
    "cp314-none-any",
    "py314-none-any",
    "py3-none-any",
    "py38-none-any",
  ];
  const ranks = fitting.map(rankOf);
  assert(!ranks.includes(undefined), JSON.stringify(ranks));
  assertEquals(ranks, ranks.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
  assertEquals(rankOf("py2.py3-none-any"), rankOf("py3-none-any"));
  assertEquals(
    rankOf(`cp39.cp310-abi3-linux_x86_64.${PLATFORM}`),
    rankOf(`cp310-abi3-${PLATFORM}`),
  );
});

Deno.test("wheel names: other versions, ABIs and platforms do not fit", () => {
  const others = [
    "cp314-cp314-manylinux_2_17_x86_64.manylinux2014_x86_64",
    "cp314-cp314-pyodide_2025_0_wasm32",
    "cp314-cp314-pyemscripten_2025_0_wasm32",
    "cp314-cp314-pyemscripten_2026_1_wasm32",
    `cp314-cp314t-${PLATFORM}`,
    `cp313-cp313-${PLATFORM}`,
    `cp315-abi3-${PLATFORM}`,
    "py2-none-any",
    "py315-none-any",
    "cp313-none-any",
    "pp311-pypy311_pp73-any",
    Array.from({ length: 300 }, (_, index) => `py${index}`).join(".").slice(0, 200) + "-none-win32",
  ];
  assertEquals(others.filter((tags) => rankOf(tags) !== undefined), []);
});

Deno.test("wheel names: a refusal names the file, its tag, and the tags that fit", () => {
  const fits = `py3-none-any, cp314-cp314-${PLATFORM} or cp3N-abi3-${PLATFORM} with N up to 14`;
  assertEquals(fittingWords(ENGINE), fits);
  const linux = "fast-1.0-cp314-cp314-manylinux_2_17_x86_64.whl";
  assertEquals(
    wheelRefusal(linux, ENGINE),
    `${linux} is for cp314-cp314-manylinux_2_17_x86_64; this engine takes ${fits}`,
  );
  assertEquals(
    wheelRefusal("fast.whl", ENGINE),
    "fast.whl is not named like a wheel: NAME-VERSION-PYTHON-ABI-PLATFORM.whl",
  );
  assertEquals(wheelRefusal("fast-1.0-py3-none-any.whl", ENGINE), undefined);
});

Deno.test("wheel names: wheels for one platform count as native", () => {
  const native = (file: string) => {
    const wheel = parseWheelName(file);
    return wheel !== undefined && isNative(wheel);
  };
  assertEquals(native(`a-1-cp39-abi3-${PLATFORM}.whl`), true);
  assertEquals(native("a-1-py2.py3-none-any.whl"), false);
});

Deno.test("wheel names: the installed engine names its own tags", async () => {
  const { python, platform } = await engineTags();
  assert(/^3\.\d+\.\d+$/.test(python), python);
  assert(/^pyemscripten_\d{4}_\d+_wasm32$/.test(platform), platform);
});
