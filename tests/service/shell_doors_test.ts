// test: long
/** Commands that start programs of four languages, by the clients, MCP and E2B's SDK: one answer. */
import { assertEquals } from "@std/assert";
import { connect, getSandbox } from "../../client/mod.ts";
import { jsonPost } from "../support/json_post.ts";
import { SERVICE_LIMITS } from "../support/run_limits.ts";
import { startService } from "../support/service.ts";
import { shellClientTest } from "../support/shell_engine.ts";
import { PYTHON } from "../support/test_clients.ts";

const KEY = "e2b_00ff";
const PYTHON_CLIENT = new URL("../../clients/python/", import.meta.url).pathname;

/** Commands: arguments, standard input, files, both streams and exit codes of each language. */
const COMMANDS: readonly string[] = [
  "seq 3 | python3 -c 'import sys; print(sum(map(int, sys.stdin)), sys.argv[1:])' a 'b c'",
  'seq 3 | node -e \'console.log(require("fs").readFileSync(0, "utf8").length, process.argv.slice(1))\' a',
  "seq 3 | perl -ne '$s += $_; END { print \"$s @ARGV\\n\" }'",
  "seq 3 | ruby -e 'puts STDIN.read.lines.sum(&:to_i); p ARGV' a 'b c'",
  'python3 -c \'import sys; open("f", "w").write("of Python"); print(1, file=sys.stderr); sys.exit(3)\'',
  'node -e \'require("fs").writeFileSync("f", "of JavaScript"); console.error(1); process.exit(4)\'',
  'perl -e \'open F, ">f"; print F "of Perl"; close F; print STDERR "1\\n"; exit 5\'',
  'ruby -e \'File.write("f", "of Ruby"); warn 1; exit 6\'',
  "cat f; echo; echo 2 | python3 -c 'print(int(input()) * 2)' | perl -pe '$_ *= 3' | node -p '1 + 1' | ruby -e 'puts gets'",
];

/** The answer to a command. */
interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

const WRITERS = ["Python", "JavaScript", "Perl", "Ruby"];
const EXPECTED: readonly Answer[] = [
  ["6 ['a', 'b c']\n", "", 0],
  ["6 [ 'a' ]\n", "", 0],
  ["6 \n", "", 0],
  ['6\n["a", "b c"]\n', "", 0],
  ...WRITERS.map((_, at) => ["", "1\n", 3 + at] as const),
  ["of Ruby\n2\n", "", 0],
].map(([stdout, stderr, exitCode]) => ({
  stdout: String(stdout),
  stderr: String(stderr),
  exitCode: Number(exitCode),
}));

/** Runs commands in one sandbox; writes their answers as JSON. */
const PYTHON_PROGRAM = `
import json, sys
from belljar import connect
url, key, commands = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
box = connect(url, token=key).sandbox("python-client")
ran = [box.exec(command) for command in commands]
print(json.dumps([dict(stdout=r.stdout, stderr=r.stderr, exitCode=r.exit_code) for r in ran]))
`;
const E2B_PROGRAM = `
import json, sys
from e2b import CommandExitException
from e2b_code_interpreter import Sandbox
def run(box, command):
    try:
        return box.commands.run(command)
    except CommandExitException as error:
        return error
with Sandbox.create() as box:
    ran = [run(box, command) for command in json.loads(sys.argv[3])]
    print(json.dumps([dict(stdout=r.stdout, stderr=r.stderr, exitCode=r.exit_code) for r in ran]), flush=True)
`;

async function python(program: string, url: string): Promise<readonly Answer[]> {
  const { stdout, stderr } = await new Deno.Command(PYTHON, {
    args: ["-c", program, url, KEY, JSON.stringify(COMMANDS)],
    env: {
      PYTHONPATH: PYTHON_CLIENT,
      PYTHONDONTWRITEBYTECODE: "1",
      E2B_API_KEY: KEY,
      E2B_API_URL: `${url}/e2b`,
      E2B_SANDBOX_URL: `${url}/e2b`,
    },
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  const [line = ""] = text.decode(stdout).split("\n");
  if (line === "") throw new Error(text.decode(stderr));
  return JSON.parse(line);
}

shellClientTest(
  "shell: programs of four languages answer the same by each door",
  "Python packages",
  async (t) => {
    await using service = await startService({
      ...SERVICE_LIMITS,
      LANGUAGES: "javascript,python,perl,ruby,shell",
      TOKENS: `a:${KEY}`,
    });
    await t.step("exec() of the JavaScript client", async () => {
      const env = connect(service.url, { token: KEY });
      const sandbox = getSandbox(env.Sandbox, "javascript-client");
      const answers: Answer[] = [];
      for (const command of COMMANDS) {
        const { stdout, stderr, exitCode } = await sandbox.exec(command);
        answers.push({ stdout, stderr, exitCode });
      }
      assertEquals(answers, EXPECTED);
    });
    await t.step("run_command of MCP", async () => {
      const answers: Answer[] = [];
      for (const command of COMMANDS) {
        const params = { name: "run_command", arguments: { command, sandbox: "mcp" } };
        const request = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
        const { headers, ...init } = jsonPost(request);
        const response = await fetch(`${service.url}/mcp`, {
          ...init,
          headers: {
            ...headers,
            accept: "application/json, text/event-stream",
            authorization: `Bearer ${KEY}`,
          },
        });
        const text = await response.text();
        answers.push(JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result.structuredContent);
      }
      assertEquals(answers, EXPECTED);
    });
    await t.step("exec() of the Python client", async () => {
      assertEquals(await python(PYTHON_PROGRAM, service.url), EXPECTED);
    });
    await t.step("commands.run() of E2B's Python SDK", async () => {
      assertEquals(await python(E2B_PROGRAM, service.url), EXPECTED);
    });
  },
);
