// test: long
/** Programs written for E2B's notebooks, by plain requests. */
import { assertEquals } from "@std/assert";
import { type Service, startService } from "../../support/service.ts";
import { jsonPost } from "../../support/json_post.ts";

const JSON_TYPE = { "content-type": "application/json" };

async function sandbox(service: Service): Promise<string> {
  const answer = await fetch(`${service.url}/e2b/sandboxes`, {
    method: "POST",
    headers: JSON_TYPE,
    body: "{}",
  });
  return (await answer.json()).sandboxID;
}

/** The output of a run and its value; an error in place of the value. */
async function run(service: Service, id: string, code: string, language = "python") {
  const answer = await fetch(`${service.url}/e2b/execute`, {
    method: "POST",
    headers: { ...JSON_TYPE, "e2b-sandbox-id": id },
    body: JSON.stringify({ code, language }),
  });
  assertEquals(answer.status, 200);
  const text = await answer.text();
  const lines = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  const stdout = lines.filter(({ type }) => type === "stdout").map((line) => line.text).join("");
  const result = lines.find(({ type }) => type === "result")?.text;
  const error = lines.find(({ type }) => type === "error")?.value;
  return [stdout, error ?? result];
}

const WRITE_AND_READ: Readonly<Record<string, string>> = {
  python: "import os\nos.makedirs('/home/user/out', exist_ok=True)\n" +
    "_ = open('/home/user/out/py.txt', 'w').write('p')\nos.chdir('/home/user/out')\n" +
    "print(open('../in.txt').read(), os.path.exists('/home/user/in.txt'), os.getcwd())",
  javascript: "const fs = require('fs'); fs.writeFileSync('/home/user/js.txt', 'j');\n" +
    "console.log(fs.readFileSync('/home/user/in.txt', 'utf8'), fs.existsSync('/home/user/none'))",
  perl: "open my $out, '>', '/home/user/pl.txt' or die $!; print $out 'l'; close $out;\n" +
    "open my $in, '<', '/home/user/in.txt' or die $!; print <$in>, ' ', -d '/home/user' ? 1 : 0, \"\\n\"",
  ruby: "File.write('/home/user/rb.txt', 'r')\n" +
    "puts [File.read('/home/user/in.txt'), File.directory?('/home/user')].join(' ')",
};
const PRINTED: Readonly<Record<string, string>> = {
  python: "data True /workspace/out\n",
  javascript: "data false\n",
  perl: "data 1\n",
  ruby: "data true\n",
};

Deno.test("e2b: /home/user is a name of the workspace for programs in four languages", async () => {
  await using service = await startService({ RUBY_CONTEXTS: "1" });
  const id = await sandbox(service);
  const body = new FormData();
  body.append("file", new Blob(["data"]), "in.txt");
  const headers = { "e2b-sandbox-id": id };
  const path = "/home/user/in.txt";
  const url = `${service.url}/e2b/files?path=${path}`;
  const [{ path: written }] = await (await fetch(url, { method: "POST", headers, body })).json();
  assertEquals(written, path);
  for (const [language, code] of Object.entries(WRITE_AND_READ)) {
    assertEquals(await run(service, id, code, language), [PRINTED[language], undefined], language);
  }
  for (
    const [name, text] of [["out/py.txt", "p"], ["js.txt", "j"], ["pl.txt", "l"], ["rb.txt", "r"]]
  ) {
    const read = await fetch(`${service.url}/e2b/files?path=/home/user/${name}`, { headers });
    assertEquals(await read.text(), text, name);
  }
});

const PROGRAMS: readonly (readonly [code: string, stdout: string, value: string | undefined])[] = [
  [
    "\n    names = ['x', 'y']\n    for n in names:\n        print(n)\n    len(names)\n",
    "x\ny\n",
    "2",
  ],
  ["%matplotlib inline\n!ls\n1 + 1", "", "2"],
  ["_ * 4", "", "8"],
  ["5;", "", undefined],
  ["", "", undefined],
  ["  \n", "", undefined],
];

Deno.test("e2b: programs of notebooks run", async () => {
  await using service = await startService({ LANGUAGES: "python" });
  const id = await sandbox(service);
  for (const [code, stdout, value] of PROGRAMS) {
    assertEquals(await run(service, id, code), [stdout, value], code);
  }
});

const ELSEWHERE: readonly (readonly [language: string, code: string, hint: string])[] = [
  ["python", "open('/mnt/data/sales.csv')", "Files are in /workspace"],
  ["python", "import os\nos.listdir('/home/user')", "Files are in /workspace"],
  ["javascript", "require('fs').readFileSync('/mnt/data/sales.csv')", "Files are in /workspace"],
  ["perl", "open my $in, '<', $_ or die \"$_: $!\" for '/home/user/a'", "Files are in /workspace"],
  ["ruby", "File.read('/mnt/data/sales.csv')", "Files are in /workspace"],
  ["python", "%time 1", "Lines that begin with % or ! are IPython's"],
];

Deno.test("e2b: habits of other services, such as their paths, get an error with advice", async () => {
  await using service = await startService();
  for (const [language, code, hint] of ELSEWHERE) {
    const answer = await fetch(`${service.url}/execute/${language}`, jsonPost({ code }));
    const { error } = await answer.json();
    assertEquals([error?.message.includes(hint), code], [true, code], error?.message);
  }
  const refused = await (await fetch(
    `${service.url}/languages/python/sandboxes/elsewhere/files`,
    jsonPost({ op: "write", path: "/mnt/data/a.csv", content: "1" }),
  )).text();
  assertEquals(refused.includes("/workspace"), true, refused);
});
