// test: long
/** The programs of `examples/`, as a reader runs them, against a real service. */
import { assert, assertEquals } from "@std/assert";
import { temporaryFolder } from "./client/deno_command.ts";
import { SERVICE_LIMITS } from "./support/run_limits.ts";
import { KillableService } from "./support/kill_service.ts";
import { type Service, startService } from "./support/service.ts";
import { clientTest, PYTHON } from "./support/test_clients.ts";

const FOLDER = new URL("../examples/", import.meta.url);
const PAGE_ORIGIN = "http://127.0.0.1:3000";

/** The lines that each program prints, and a folder or nothing that it writes to. */
const PROGRAMS: Readonly<Record<string, string>> = {
  "agent_loop.ts": `step 1: {"day":"Monday","amount":"120"}
step 2: TypeError: unsupported operand type(s) for +: 'int' and 'str' (line 1)
step 3: 200
The total is 200.
`,
  "tools.ts": ["JAVASCRIPT", "PYTHON", "PERL", "RUBY"].map((language) =>
    `${language}: 36 and 85; ToolDenied: only a person may delete; ToolError\n`
  ).join(""),
  "agent_tools.ts": `Remind whoever has not paid more than 70.

orders.list(…): any
  Ids of all orders.

orders.get(id: integer): any
  An order: id, total, paid.

orders.remind(id: integer): any
  Sends a reminder.

step 1: (14, 561)
step 2: [12,24,36]
I reminded the customers of orders [12,24,36].
reminders sent: 12, 24, 36
`,
  "notebook.ts": `Out[3]: [0,1,1,2,3,5,8,13]
In [4] ZeroDivisionError: division by zero
Out[5]: [21,34,55,89]
`,
  "grader.ts": `ada: pass, pass, EOFError
grace: pass, pass, pass
edsger: limit, limit, limit
niklaus: pass, wrong, wrong
`,
  "displays.ts": `display-0.html: text/html
display-1.svg: image/svg+xml
`,
  "mcp_client.ts":
    `run_code, answer_run, cancel_run, write_file, read_file, list_files, delete_sandbox, save_checkpoint, restore_checkpoint, delete_checkpoint
Ada Grace
`,
  "plain_http.py": `javascript 42
python 42
perl 42
3 words
4 words
4 words
FILE_NOT_FOUND: ENOENT: no such file or directory, read 'missing.txt'
`,
  "fork.ts": `median: 5003
distinct: 10007
destructive: 0
source: 50000
`,
  "checkpoint.ts": `2
0
'2 accounts, ledger opened'
`,
};

/** Tested by tests of their own. */
const OTHERS = ["README.md", "approval.ts", "deno.json", "e2b_sdk.py", "streaming.html"];

Deno.test("examples: every file is run by a test, and named in the table", async () => {
  const entries = await Array.fromAsync(Deno.readDir(FOLDER));
  const files = entries.map(({ name }) => name).sort();
  assertEquals(files, [...Object.keys(PROGRAMS), ...OTHERS].sort());
  const table = await Deno.readTextFile(new URL("README.md", FOLDER));
  const examples = files.filter((name) => !["README.md", "deno.json"].includes(name));
  assertEquals(examples.filter((name) => !table.includes(`| [${name}](${name}) `)), []);
});

/** The command by which the program says that it is run, in the folder of the examples. */
async function commandOf(name: string): Promise<readonly string[]> {
  const text = await Deno.readTextFile(new URL(name, FOLDER));
  const [, command = ""] = /BELLJAR_URL=http:\/\/127\.0\.0\.1:8000 (.+)$/m.exec(text) ?? [];
  const words = command.split(" ");
  assertEquals(words.at(-1), name);
  return words;
}

async function output(
  [program = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const ended = await new Deno.Command(program === "deno" ? Deno.execPath() : program, {
    args,
    cwd: FOLDER,
    env: { ...env },
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  const [stdout, stderr] = [text.decode(ended.stdout), text.decode(ended.stderr)];
  return { code: ended.code, stdout, stderr };
}

/** The elements that the page uses. */
interface FakePage {
  readonly buttons: readonly { hidden: boolean; onclick?: () => Promise<void> | void }[];
  readonly output: { textContent: string; append(text: string): void };
}

function fakePage(): FakePage {
  const buttons = [{ hidden: false }, { hidden: true }];
  return {
    buttons,
    output: {
      textContent: "",
      append(text: string) {
        this.textContent += text;
      },
    },
  };
}

/** Runs the script of the page on a few fake elements, and its button. */
async function runPage(service: Service, program: string): Promise<string> {
  const page = await Deno.readTextFile(new URL("streaming.html", FOLDER));
  const [, script = ""] = /<script type="module">([\s\S]*)<\/script>/.exec(page) ?? [];
  const { buttons, output } = fakePage();
  const elements: Readonly<Record<string, unknown>> = { pre: output, textarea: { value: program } };
  const document = {
    querySelectorAll: () => buttons,
    querySelector: (name: string) => elements[name],
  };
  const location = { search: `?service=${encodeURIComponent(service.url)}` };
  new Function("document", "location", script)(document, location);
  await buttons[0]?.onclick?.();
  return output.textContent;
}

Deno.test("examples: each program prints the lines that the test expects", async (test) => {
  await using folder = await temporaryFolder();
  await using service = await startService({ ...SERVICE_LIMITS, ALLOWED_ORIGINS: PAGE_ORIGIN });
  for (const [name, expected] of Object.entries(PROGRAMS)) {
    await test.step(name, async () => {
      const extra = name === "displays.ts" ? [folder.path] : [];
      const words = [...await commandOf(name), ...extra];
      const ended = await output(words, { BELLJAR_URL: service.url });
      assertEquals([ended.code, ended.stdout], [0, expected], ended.stderr);
    });
  }

  await test.step("displays.ts wrote the files that it names", async () => {
    const svg = await Deno.readTextFile(`${folder.path}/display-1.svg`);
    assert(svg.startsWith("<svg"), svg);
  });

  await test.step("streaming.html shows lines, and the error of a program", async () => {
    assertEquals(await runPage(service, "print('one')\nprint('two')"), "one\ntwo\n");
    assertEquals(await runPage(service, "1/0"), "ZeroDivisionError: division by zero\n");
    const preflight = await fetch(`${service.url}/execute/python`, {
      method: "OPTIONS",
      headers: {
        origin: PAGE_ORIGIN,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
      },
    });
    assertEquals(preflight.headers.get("access-control-allow-origin"), PAGE_ORIGIN);
  });
});

Deno.test("examples: approval.ts goes on after its service was killed", async () => {
  await using folder = await temporaryFolder();
  const options = { kvPath: `${folder.path}/store`, leaseMs: 1_000 };
  const words = await commandOf("approval.ts");
  await using first = await KillableService.start(options);
  const begun = await output(words, { BELLJAR_URL: first.url });
  assertEquals(
    [begun.code, begun.stdout],
    [0, 'asking for 42\nwaits for pay.approve {"amount":42}\n'],
    begun.stderr,
  );
  await first.kill(true);
  await using second = await KillableService.start(options);
  const ended = await output(words, { BELLJAR_URL: second.url });
  assertEquals(
    [ended.code, ended.stdout],
    [0, "asking for 42\npaid 42, approved by Ada\n"],
    ended.stderr,
  );
});

clientTest("examples: e2b_sdk.py prints the lines of its comments", "Python packages", async () => {
  await using service = await startService(SERVICE_LIMITS);
  const { stdout, stderr } = await output([PYTHON, "e2b_sdk.py"], {
    E2B_API_KEY: "e2b_00ff",
    E2B_API_URL: `${service.url}/e2b`,
    E2B_SANDBOX_URL: `${service.url}/e2b`,
  });
  assertEquals(stdout, "guest: sorting\n[1, 2, 3]\nIndexError\n", stderr);
});
