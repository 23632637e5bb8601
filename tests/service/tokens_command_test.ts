/** The tokens of a class: `deno task tokens class`. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { runTokens } from "../../service/tokens_command.ts";
import { tokensFileSchema } from "../../service/tokens_file.ts";
import { parseConfig } from "../../shared/config_file.ts";
import { limitsByLanguage } from "../../shared/limits.ts";

const LIMITS = limitsByLanguage();

interface Outcome {
  readonly code: number;
  readonly lines: readonly string[];
  readonly told: string;
}

/** Does work with a folder, and a function that runs the command with a file of tenants in it. */
async function withFolder(
  work: (folder: string, run: (...args: readonly string[]) => Promise<Outcome>) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "belljar-tokens-" });
  const run = async (...args: readonly string[]) => {
    const [lines, told]: [string[], string[]] = [[], []];
    const code = await runTokens({ args, tokensFile: `${folder}/tokens.jsonc`, limits: LIMITS }, {
      print: (line) => lines.push(line),
      tell: (line) => told.push(line),
    });
    return { code, lines, told: told.join("\n") };
  };
  try {
    await work(folder, run);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("tokens class: names of a file become tenants with tokens, and what is there stays", () =>
  withFolder(async (folder, run) => {
    const path = `${folder}/tokens.jsonc`;
    const before = `{
  // the school's own
  "tenants": {
    "ann": { "tokens": ["ann-0123456789abcdef"], "limits": { "wallMs": 5000 } }, // a teacher
  },
  "admin": ["adm-0123456789abcdef"],
}
`;
    await Deno.writeTextFile(path, before, { mode: 0o640 });
    await Deno.writeTextFile(`${folder}/7b.txt`, "Zoë Miller\r\n\n  Ben\tO'Neil \nx_y.z\n");
    const { code, lines, told } = await run("class", "7b", `${folder}/7b.txt`);
    assertEquals([code, told], [0, `3 tenants are added to ${path}`]);
    const rows = lines.map((line) => line.split("\t"));
    assertEquals(rows.map(([person, tenant]) => [person, tenant]), [
      ["Zoë Miller", "7b-zoe-miller"],
      ["Ben O'Neil", "7b-ben-o-neil"],
      ["x_y.z", "7b-x_y.z"],
    ]);
    for (const [, , token] of rows) assertMatch(token ?? "", /^([2-9a-z]{5}-){3}[2-9a-z]{5}$/);
    assertEquals(new Set(rows.map(([, , token]) => token)).size, 3);
    const text = await Deno.readTextFile(path);
    for (const part of ["// the school's own", "// a teacher", "ann-0123456789abcdef"]) {
      assertStringIncludes(text, part);
    }
    const content = parseConfig(path, text, tokensFileSchema(LIMITS, []));
    assert("value" in content);
    const tokens = content.value.credentials.map(({ tenant, token }) => [tenant, token]);
    for (const [, tenant, token] of rows) {
      assert(tokens.some(([name, own]) => name === tenant && own === token));
    }
    assertEquals(content.value.rules.get("ann"), { quotas: undefined, limits: { wallMs: 5000 } });
    assertEquals(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o640);
    assertEquals([...Deno.readDirSync(folder)].length, 2);
  }));

Deno.test("tokens class: a count makes numbers, and a new file that only its owner reads", () =>
  withFolder(async (folder, run) => {
    const { code, lines } = await run("class", "lab", "12");
    assertEquals(code, 0);
    assertEquals(lines.map((line) => line.split("\t")[1]).slice(8), [
      "lab-09",
      "lab-10",
      "lab-11",
      "lab-12",
    ]);
    const { mode } = await Deno.stat(`${folder}/tokens.jsonc`);
    assertEquals((mode ?? 0) & 0o777, 0o600);
    assertEquals((await run("class", "hall", "500")).lines.length, 500);
  }));

Deno.test("tokens class: a refusal says why and changes nothing", () =>
  withFolder(async (folder, run) => {
    const path = `${folder}/tokens.jsonc`;
    const list = async (text: string) => {
      await Deno.writeTextFile(`${folder}/list`, text);
      return `${folder}/list`;
    };
    await run("class", "a", "2");
    const before = await Deno.readTextFile(path);
    const refusals: readonly (readonly [args: readonly string[], told: string])[] = [
      [["class", "a", "3"], "has these tenants already, nothing is changed: a-01, a-02"],
      [["class", "b", await list("\n \n")], "there is nobody in it"],
      [["class", "b", `${folder}/missing`], "is not there"],
      [["class", "b", folder], "cannot be read"],
      [["class", "b", "0"], "there is nobody in it"],
      [["class", "b", "501"], "at most 500 people"],
      [["class", "b c", "1"], '"b c-01" is no name of a tenant'],
      [["class", "b".repeat(61), "1"], "is no name of a tenant"],
    ];
    for (const [args, told] of refusals) {
      const outcome = await run(...args);
      assertEquals([outcome.code, outcome.lines], [1, []], args.join());
      assertStringIncludes(outcome.told, told);
    }
    for (const [text, told] of [["Ann\nann\n", "is there twice"], ["!!!", "is no name"]] as const) {
      const outcome = await run("class", "b", await list(text));
      assertEquals(outcome.code, 1);
      assertStringIncludes(outcome.told, told);
    }
    for (const args of [[], ["class"], ["class", "b"], ["class", "b", "1", "2"], ["list"]]) {
      const outcome = await run(...args);
      assertEquals([outcome.code, outcome.lines], [2, []]);
      assertStringIncludes(outcome.told, "Usage: deno task tokens class");
    }
    assertEquals(await Deno.readTextFile(path), before);
    await Deno.writeTextFile(path, '{ "tenants": { "a": { "tokens": 1 } } }');
    const faulty = await run("class", "b", "1");
    assertEquals(faulty.code, 1);
    assertStringIncludes(faulty.told, "/tenants/a/tokens");
    const unnamed = await runTokens({
      args: ["class", "b", "1"],
      tokensFile: undefined,
      limits: LIMITS,
    }, {
      print: () => undefined,
      tell: (line) => assertStringIncludes(line, "TOKENS_FILE"),
    });
    assertEquals(unnamed, 1);
  }));

Deno.test("tokens class: the command line adds to the file that TOKENS_FILE names", () =>
  withFolder(async (folder) => {
    const path = `${folder}/tokens.jsonc`;
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--allow-all", "main.ts", "tokens", "class", "lab", "2"],
      cwd: new URL("../../", import.meta.url),
      env: { TOKENS_FILE: path },
    }).output();
    assertEquals(code, 0);
    assertEquals(new TextDecoder().decode(stdout).trim().split("\n").length, 2);
    assertStringIncludes(await Deno.readTextFile(path), "lab-02");
  }));
