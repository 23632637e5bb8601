// test: long
/** A run that is copied as a call does the same when the copy is run. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type CopiedRun, COPY_FORMS } from "../../page/copy_as.ts";
import { NO_FIELDS } from "../../page/run_request.ts";
import { temporaryFolder } from "../client/deno_command.ts";
import { jsonPost } from "../support/json_post.ts";
import { startService } from "../support/service.ts";
import { clientTest, PYTHON } from "../support/test_clients.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const TOKEN = "token-of-the-copies";

/** Characters that some shell, some string or some line could take for its own. */
const NASTY = "'\"`$HOME $(id) \\ \\n %s {x} ${x} #! \u2028 é \u{1f600} */ ''' \t!";
/** Prints what the program has got, and a text as it stands in the program. */
const PROGRAM = `import os, random, sys, time
print(sys.stdin.read() + "|" + os.environ["A"] + "|" + str(random.random()) + "|" + str(time.time()))
# ${NASTY}
print(${JSON.stringify(NASTY)})
6 * 7
`;
const FIELDS = {
  ...NO_FIELDS,
  stdin: `first ${NASTY}\nsecond`,
  variables: `A=${NASTY}`,
  fuel: "5000000000",
  wallMs: "20000",
  seed: "7",
  clock: "2026-01-01T00:00:00Z",
};

async function output(program: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd: ROOT,
    env: { NO_COLOR: "1", BELLJAR_TOKEN: TOKEN, PYTHONPATH: `${ROOT}clients/python` },
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  assertEquals([code, text.decode(stderr)], [0, ""]);
  return text.decode(stdout);
}

/** Runs a copy; gives the output of its process. */
async function run(form: keyof typeof COPY_FORMS, copy: string): Promise<string> {
  if (form === "curl") return await output("bash", ["-c", copy]);
  await using folder = await temporaryFolder();
  const file = `${folder.path}/copied_run.${form === "Python" ? "py" : "ts"}`;
  await Deno.writeTextFile(file, copy);
  if (form === "Python") return await output(PYTHON, [file]);
  return await output(Deno.execPath(), [
    ...["run", "--quiet", "--check", "--allow-net", "--allow-env", `--config=${ROOT}deno.json`],
    file,
  ]);
}

clientTest(
  "page copy: each form of a copy does what the run did",
  "Python packages",
  async (test) => {
    await using service = await startService({ TOKENS: TOKEN });
    const headers = { authorization: `Bearer ${TOKEN}` };
    const url = `${service.url}/`;
    const body = {
      code: PROGRAM,
      stdin: FIELDS.stdin,
      envVars: { A: NASTY },
      seed: 7,
      clock: Date.UTC(2026, 0, 1),
    };
    const wanted = await (await fetch(`${url}execute/python`, jsonPost(body, headers))).json();
    const lines: readonly string[] = wanted.logs.stdout;
    assertEquals([wanted.error, lines.at(-1)], [undefined, NASTY]);
    const sandbox = `${url}languages/python/sandboxes/copied`;
    const created = await fetch(`${sandbox}/contexts`, jsonPost({ binding: "PYTHON" }, headers));
    const { id: contextId } = await created.json();
    const places = { stateless: undefined, "in a context": { sandbox: "copied", contextId } };
    const forms = Object.keys(COPY_FORMS) as (keyof typeof COPY_FORMS)[];
    for (const form of forms) {
      for (const [place, context] of Object.entries(places)) {
        await test.step(`${form}, ${place}`, async () => {
          const copied: CopiedRun = {
            ...{
              url,
              needsToken: true,
              language: "python",
              code: PROGRAM,
              fields: FIELDS,
              context,
            },
          };
          const copy = COPY_FORMS[form](copied);
          assert(!copy.includes(TOKEN));
          const printed = await run(form, copy);
          if (form === "curl") {
            const { logs, results, error } = JSON.parse(printed);
            assertEquals([logs.stdout, results[0].text, error], [lines, "42", undefined]);
          } else {
            assertStringIncludes(printed, `${lines.join("\n")}\n`);
            assertMatch(printed.slice(printed.indexOf(NASTY) + NASTY.length), /42/);
          }
        });
      }
    }
  },
);

Deno.test("page copy: a service without tokens has copies without one", () => {
  for (const write of Object.values(COPY_FORMS)) {
    const run = { url: "http://h/", needsToken: false, code: "1", fields: NO_FIELDS } as const;
    const copy = write({ ...run, language: "perl" });
    assert(!/token/i.test(copy), copy);
    assertStringIncludes(copy, "http://h/");
    assertStringIncludes(copy.toLowerCase(), "perl");
  }
});
