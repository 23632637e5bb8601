import { assertEquals } from "@std/assert";
import { engineTagsOf } from "../../../../runtimes/builder/wheel_name.ts";
import { markerValues, parseMarker } from "../../../../runtimes/builder/wheels/markers.ts";
import {
  parseRequirement,
  requirementText,
} from "../../../../runtimes/builder/wheels/requirement.ts";

const VALUES = markerValues(
  engineTagsOf({ info: { python: "3.14.2", abi_version: "2026_0", arch: "wasm32" } }),
);

Deno.test("markers: evaluation follows PEP 508", () => {
  const cases: Readonly<Record<string, boolean>> = {
    'python_version >= "3.9"': true,
    'python_version < "3.9"': false,
    '"3.9" <= python_version': true,
    'python_version == "3.*"': true,
    'python_version ~= "3.10"': true,
    'python_full_version < "3.14.0"': false,
    "python_version in '2.7 3.14'": true,
    "sys_platform not in 'win32 darwin'": true,
    'platform_python_implementation == "CPython" and implementation_name != "pypy"': true,
    'os_name == "nt" or os_name == "posix" and platform_machine == "x86_64"': false,
    '(os_name == "nt" or os_name == "posix") and platform_machine == "wasm32"': true,
    "os.name=='posix'": true,
    'extra == "x"': false,
    'python_version>="3.9"and sys_platform=="emscripten"': true,
  };
  const found = Object.keys(cases).map((text) => [text, parseMarker(text)?.(VALUES)] as const);
  assertEquals(Object.fromEntries(found), cases);
});

Deno.test("markers: invalid markers are refused", () => {
  const texts = [
    "",
    "python_version",
    'python_version = "3"',
    'pyhton_version >= "3"',
    'python_version >= "3',
    '(python_version >= "3"',
    'python_version >= "3" and',
    'python_version >= "3" "x"',
    'toString == "x"',
    "(".repeat(10_000),
    'os_name == "a" or '.repeat(1000) + 'os_name == "a"',
  ];
  assertEquals(texts.filter((text) => parseMarker(text) !== undefined), []);
});

Deno.test("requirements: the forms that packages use are read", () => {
  const cases: Readonly<Record<string, string>> = {
    "Foo.Bar": "foo-bar",
    "foo >= 1.0 , <2": "foo>=1.0,<2",
    "foo (>=1.0)": "foo>=1.0",
    "foo[B_b, a,a] ~=1.4.2": "foo[a,b-b]~=1.4.2",
    "foo[]": "foo",
    'foo>=1;python_version>"3"': "foo>=1",
    "foo==1.*": "foo==1.*",
    "foo>=1,": "foo>=1",
  };
  const found = Object.keys(cases).map((text) => {
    const requirement = parseRequirement(text);
    return [text, requirement && requirementText(requirement)];
  });
  assertEquals(Object.fromEntries(found), cases);
});

Deno.test("requirements: invalid requirements are refused", () => {
  const texts = [
    "",
    "-foo",
    "foo bar",
    "foo>=",
    "foo=1",
    "foo[a",
    "foo[a b]",
    "foo; nonsense",
    "foo @ https://example.com/foo.whl",
    "../foo",
    "foo/bar",
    "foo\u0000",
    `foo${">=1,".repeat(2000)}`,
  ];
  assertEquals(texts.filter((text) => parseRequirement(text) !== undefined), []);
});
