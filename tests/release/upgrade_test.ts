// test: long
/**
 * A store of 0.2.0 under this version, and back: contexts continue, files stay, and no answered run is
 * lost although each service is killed. The commit of 0.2.0 is built once into `.belljar/previous`.
 */
import { assertEquals } from "@std/assert";
import { run, temporaryFolder } from "../client/deno_command.ts";
import { callJson, type Program, startProgram } from "../support/program.ts";

const PROJECT = new URL("../../", import.meta.url).pathname;
/** The commit of 0.2.0 (RELEASING.md). */
const PREVIOUS = "ac364207";
const FOLDER = `${PROJECT}.belljar/previous/${PREVIOUS}`;
const LANGUAGES = "javascript,python,perl";

/** What each language keeps that is no plain value, and a step that uses it. */
const PROGRAMS = {
  javascript: {
    first: "const seen = new Map([['n', 0]]); const add = () => seen.set('n', seen.get('n') + 1)",
    step: "add(); seen.get('n')",
  },
  python: {
    first: "import sqlite3\ndb = sqlite3.connect(':memory:')\n" +
      "def count():\n  n = 0\n  while True:\n    n += 1\n    yield n\ncounter = count()",
    step: "next(counter)",
  },
  perl: {
    first: "our $n = 0; our $add = sub { $n++ }; 1",
    step: "our ($n, $add); $add->(); $n",
  },
} as const;

type Id = keyof typeof PROGRAMS;
const IDS: readonly Id[] = ["javascript", "python", "perl"];

/** Whether the repository has the commit; a shallow clone does not. */
async function hasPrevious(): Promise<boolean> {
  try {
    return (await run("git", "cat-file", "-e", `${PREVIOUS}^{commit}`)).code === 0;
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return false;
    throw thrown;
  }
}

/** Unpacks the previous version and builds its engines, unless that was done before. */
async function preparePrevious(): Promise<void> {
  const script = `mkdir -p "${FOLDER}" && git archive ${PREVIOUS} | tar -x -C "${FOLDER}" && ` +
    `cd "${FOLDER}" && LANGUAGES=${LANGUAGES} PAGE=0 "${Deno.execPath()}" task build`;
  const { code, output } = await run("sh", "-c", script);
  assertEquals([code, code === 0 ? "" : output], [0, ""]);
}

/** A service of one of the versions, and calls to it. */
class Version implements AsyncDisposable {
  readonly program: Program;

  private constructor(program: Program) {
    this.program = program;
  }

  static async start(project: string, data: string): Promise<Version> {
    return new Version(
      await startProgram({
        project,
        env: { LANGUAGES, KV_PATH: `${data}/data.sqlite3`, CACHE_DIR: `${project}/.belljar/cache` },
      }),
    );
  }

  /** Ends it without a chance to write. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.program.end("SIGKILL");
  }

  async run(language: Id, box: string, code: string, key?: string): Promise<string> {
    const { status, body } = await callJson(
      `${this.program.url}/languages/${language}/sandboxes/${box}/execute`,
      { code },
      key === undefined ? {} : { headers: { "idempotency-key": key } },
    );
    if (status !== 200) return `${status}`;
    const [result] = body["results"] as { readonly text?: string }[];
    return result?.text ?? "";
  }

  async file(box: string, path: string, content?: string): Promise<string> {
    const request = content === undefined ? { op: "read", path } : { op: "write", path, content };
    const url = `${this.program.url}/languages/python/sandboxes/${box}/files`;
    const { status, body } = await callJson(url, request);
    return status === 200 ? String(body["content"]) : `${status}`;
  }

  async steps(box: string): Promise<readonly string[]> {
    const values: string[] = [];
    for (const id of IDS) values.push(await this.run(id, box, PROGRAMS[id].step));
    return values;
  }
}

Deno.test({
  name: "upgrade: contexts and files of 0.2.0 continue under this version, also after a way back",
  ignore: !await hasPrevious(),
  fn: async (t) => {
    await preparePrevious();
    await using data = await temporaryFolder();
    {
      await using old = await Version.start(FOLDER, data.path);
      for (const box of ["box", "quiet"]) {
        for (const id of IDS) await old.run(id, box, PROGRAMS[id].first);
        await old.file(box, "notes.txt", "of 0.2.0");
      }
      assertEquals(await old.steps("box"), ["1", "1", "1"]);
      assertEquals(await old.run("python", "box", "next(counter)", "key-1"), "2");
    }
    await t.step("this version counts the contexts in its log, and continues them", async () => {
      await using present = await Version.start(PROJECT, data.path);
      const lines = present.program.output().split("\n");
      const started = JSON.parse(lines.find((one) => one.includes('"service.started"')) ?? "{}");
      const counts = Object.entries<number>(started.contexts).map(([name, count]) =>
        [name.split("/")[0], count] as const
      );
      assertEquals(Object.fromEntries(counts), { javascript: 2, perl: 2, python: 2 });
      assertEquals(await present.steps("box"), ["2", "3", "2"]);
      assertEquals(await present.file("box", "notes.txt"), "of 0.2.0");
      assertEquals(await present.run("python", "box", "next(counter)", "key-1"), "2"); // its answer is kept
      await present.file("box", "later.txt", "of this version");
      for (const id of IDS) await present.run(id, "new", PROGRAMS[id].first);
      const fork = `${present.program.url}/languages/python/sandboxes/box/fork`;
      assertEquals((await callJson(fork, { to: "fork" })).status, 201);
    });
    await t.step(
      "0.2.0 continues contexts that did not run here, and refuses the others",
      async () => {
        await using old = await Version.start(FOLDER, data.path);
        assertEquals(await old.steps("quiet"), ["1", "1", "1"]);
        const refused = [
          ...await old.steps("box"),
          ...await old.steps("new"),
          ...await old.steps("fork"),
        ];
        assertEquals(refused.filter((value) => !/^(?:500|409)$/.test(value)), []);
        assertEquals(await old.file("box", "notes.txt"), "of 0.2.0");
        assertEquals(await old.file("box", "later.txt"), "of this version");
      },
    );
    await t.step("after the return all of them continue, and no file is lost", async () => {
      await using present = await Version.start(PROJECT, data.path);
      assertEquals(await present.steps("box"), ["3", "4", "3"]);
      assertEquals(await present.steps("fork"), ["3", "4", "3"]);
      assertEquals(await present.steps("quiet"), ["2", "2", "2"]);
      assertEquals(await present.steps("new"), ["1", "1", "1"]);
      assertEquals(await present.file("fork", "notes.txt"), "of 0.2.0");
      assertEquals(await present.file("fork", "later.txt"), "of this version");
    });
  },
});
