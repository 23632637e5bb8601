/** Files of the operator: each fault is told by its place, and changes are seen. */
import { assertEquals } from "@std/assert";
import { z } from "zod";
import {
  fileSignature,
  parseConfig,
  readConfigFile,
  watchConfigFile,
} from "../../shared/config_file.ts";
import { until } from "../support/wait.ts";

const SCHEMA = z.strictObject({
  list: z.array(z.strictObject({ n: z.int("must be a whole number") })).default([]),
  names: z.record(z.string(), z.string("must be a string")).default({}),
}, "must be an object");

function faults(text: string): readonly string[] {
  const content = parseConfig("f.json", text, SCHEMA);
  return "faults" in content ? content.faults : [];
}

Deno.test("parseConfig() takes comments, trailing commas and a byte order mark", () => {
  const text = '\uFEFF{ // one\n "list": [{"n": 1,},], /* two */ "names": {"a/b": "x",}, }';
  assertEquals(parseConfig("f.json", text, SCHEMA), {
    value: { list: [{ n: 1 }], names: { "a/b": "x" } },
  });
});

Deno.test("parseConfig() tells all faults at once, each by its JSON pointer", () => {
  const text = '{"list": [{"n": 1}, {"n": "x", "m": 1}], "names": {"a/b~c": 5}, "other": 1}';
  assertEquals(faults(text).toSorted(), [
    "f.json: /list/1/m: is unknown",
    "f.json: /list/1/n: must be a whole number",
    "f.json: /names/a~1b~0c: must be a string",
    "f.json: /other: is unknown",
  ]);
});

Deno.test("parseConfig() tells faults of syntax by line and column", () => {
  assertEquals(faults('{\n  "list": [1 2]\n}'), ["f.json:2:14: CommaExpected"]);
  assertEquals(faults("").map((fault) => fault.slice(0, 11)), ["f.json:1:1:"]);
});

Deno.test("parseConfig() refuses a name that is there twice, and names that no object can have", () => {
  assertEquals(faults('{"names": {"a": "1", "a": "2"}}'), ["f.json: /names/a: is there twice"]);
  assertEquals(faults('{"names": {"__proto__": "1"}}'), [
    "f.json: /names/__proto__: cannot be a name",
  ]);
});

Deno.test("parseConfig() survives deep nesting and values that are no object", () => {
  for (const text of ["[".repeat(200_000), '{"list":'.repeat(100_000), "[]", "7", "null"]) {
    assertEquals(faults(text).length > 0, true, text.slice(0, 10));
  }
});

Deno.test("readConfigFile() refuses what is absent, a folder and a file that is too long", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/f.json`;
    assertEquals(await readConfigFile(path, SCHEMA), { faults: [`${path}: is not there`] });
    assertEquals("faults" in await readConfigFile(folder, SCHEMA), true);
    await Deno.writeTextFile(path, `{}${" ".repeat(1024 * 1024)}`);
    assertEquals(await readConfigFile(path, SCHEMA), {
      faults: [`${path}: is larger than 1048576 bytes`],
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("watchConfigFile() sees writes, renames and the removal of a file", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/f.json`;
  await Deno.writeTextFile(path, '{"names": {"a": "1"}}');
  const seen: string[] = [];
  const watcher = watchConfigFile(path, SCHEMA, {
    known: await fileSignature(path),
    loaded: ({ names }) => void seen.push(JSON.stringify(names)),
    refused: (faults) => void seen.push(`${faults.length} faults`),
  });
  try {
    await Deno.writeTextFile(path, '{"names": {"a": "12"}}');
    await until(() => seen.length === 1);
    await Deno.writeTextFile(`${folder}/g`, '{"names": {"a": "34"}}');
    await Deno.rename(`${folder}/g`, path);
    await until(() => seen.length === 2);
    await Deno.writeTextFile(path, "{");
    await until(() => seen.length === 3);
    await Deno.remove(path);
    await until(() => seen.length === 4);
    assertEquals(seen, ['{"a":"12"}', '{"a":"34"}', "1 faults", "1 faults"]);
  } finally {
    watcher.close();
    await Deno.remove(folder, { recursive: true });
  }
});
