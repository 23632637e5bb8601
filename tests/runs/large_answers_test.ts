// test: long
/** Answers of more than 256 KiB are files of the workspace, in each language, also after a kill. */
import { assert, assertEquals } from "@std/assert";
import { BUNDLED_LANGUAGES, type BundledLanguage } from "../../shared/languages.ts";
import { KillableService } from "../support/kill_service.ts";
import { SERVICE_LIMITS } from "../support/run_limits.ts";
import { startService } from "../support/service.ts";
import { serveTools } from "../tools/fixture.ts";
import { pause } from "../support/wait.ts";

const KIB = 1024;
const LEASE_MS = 1_000;
const RETRY_MS = 200;

/** Reads two answers, and says where they are, how large they are, and how they begin and end. */
const READ: { readonly [L in BundledLanguage]: string } = {
  javascript: `import { readFileSync } from "node:fs";
for (const name of ["rows", "text"]) {
  const { file, bytes } = await tools[name]({});
  const content = readFileSync(file, "utf8");
  console.log(name, file, bytes, Buffer.byteLength(content), content.slice(0, 4), content.slice(-4));
}
console.log(await tools.last({}));`,
  python: `for name in ["rows", "text"]:
    answer = getattr(tools, name)()
    content = open(answer["file"]).read()
    print(name, answer["file"], answer["bytes"], len(content.encode()), content[:4], content[-4:])
print(tools.last())`,
  perl: `for my $name ("rows", "text") {
  my $answer = Belljar::call($name, {});
  open(my $in, "<:encoding(UTF-8)", $answer->{file}) or die $!;
  my $content = do { local $/; <$in> };
  close $in;
  my $bytes = -s $answer->{file};
  my @ends = (substr($content, 0, 4), substr($content, -4));
  utf8::encode($_) for @ends;
  print "$name $answer->{file} $answer->{bytes} $bytes @ends\\n";
}
print Belljar::call("last", {}), "\\n";`,
  ruby: `["rows", "text"].each do |name|
  answer = tools.send(name)
  content = File.read(answer["file"])
  puts [name, answer["file"], answer["bytes"], content.bytesize, content[0, 4], content[-4..]].join(" ")
end
puts tools.last`,
};

/** A list of 300 KiB as JSON, and a text of 300 KiB. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  rows: Array.from({ length: 300 * KIB / 8 }, (_, n) => 1_000_000 + n),
  text: `é"\n${"x".repeat(300 * KIB)}`,
  last: "done",
};
const TOOLS = Object.keys(ANSWERS).map((name) => ({ name }));

const LINE = /^(\w+) \/workspace\/\.belljar\/answer-[0-9a-f]{16}\.(json|txt) (\d+) (\d+) /;

interface State {
  readonly logs: { readonly stdout: readonly string[] };
  readonly error?: { readonly message: string };
  readonly waiting?: {
    readonly run: string;
    readonly calls: readonly { readonly key: string; readonly name: string }[];
  };
}

/** Repeats a request while another process may have the run. */
async function post(url: string, body: unknown, status = 200): Promise<State> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status === 503) {
    await pause(RETRY_MS);
    return await post(url, body, status);
  }
  assertEquals(answer.status, status, text.slice(0, 1_000));
  return JSON.parse(text);
}

/** Answers the one pending call. */
async function next(url: string, { waiting }: State): Promise<State> {
  const [call] = waiting?.calls ?? [];
  assert(call !== undefined);
  const answers = [{ key: call.key, value: ANSWERS[call.name] }];
  return await post(`${url}/runs/${waiting?.run}/answers`, { answers });
}

function checkLines({ logs, error }: State, about: string): void {
  assertEquals(error, undefined, about);
  const [rows = "", first = "", second = "", done] = [...logs.stdout];
  assertEquals(LINE.exec(rows)?.slice(1, 3), ["rows", "json"], about);
  assert(rows.endsWith(" [100 399]"), rows);
  // a newline is the third character of the text
  assertEquals(LINE.exec(first)?.slice(1, 3), ["text", "txt"], about);
  for (const line of [rows, first]) {
    const [, , , told, read] = LINE.exec(line) ?? [];
    assertEquals(told, read, line);
  }
  assertEquals([second, done], ["x xxxx", "done"], about);
}

Deno.test("large answers: they are files of the workspace in each language", async (test) => {
  await using service = await startService(SERVICE_LIMITS);
  for (const language of BUNDLED_LANGUAGES) {
    await test.step(language, async () => {
      const execute = { code: READ[language], tools: TOOLS };
      let state = await post(`${service.url}/execute/${language}`, execute);
      while (state.waiting !== undefined) state = await next(service.url, state);
      checkLines(state, language);
    });
  }
  await test.step("all answers of a run have 8 MiB, and an error or a line has 256 KiB", async () => {
    const code = `try: tools.text()
except ToolError as error: print(error)
print(tools.text()["bytes"], end="")
input()`;
    const execute = { code, tools: TOOLS, interactive: true };
    const { waiting } = await post(`${service.url}/execute/python`, execute);
    const path = `${service.url}/runs/${waiting?.run}/answers`;
    const answer = (n: number, answer: unknown, status = 200) =>
      post(path, { answers: [{ key: `${waiting?.run}/${n}`, ...Object(answer) }] }, status);
    await answer(1, { value: "x".repeat(8 * KIB * KIB) }, 413);
    await answer(1, { error: { message: "m", data: "x".repeat(256 * KIB) } }, 413);
    // a file has 4 MiB at most
    const first = await answer(1, { value: "x".repeat(4 * KIB * KIB + 1) });
    assert(first.logs.stdout[0]?.includes("was not written to /workspace: EFBIG"));
    const rest = 4 * KIB * KIB - 3 - 2 - 10;
    const asks = await answer(2, { value: "x".repeat(rest) });
    assertEquals(asks.logs.stdout.at(-1), `${rest}`);
    const input = `${waiting?.run}/input-1`;
    await post(path, { answers: [{ key: input, value: "x".repeat(256 * KIB) }] }, 413);
    await post(path, { answers: [{ key: input, value: "x".repeat(20) }] }, 413);
    await post(path, { answers: [{ key: input, value: null }] });
  });
  await test.step("without room in the workspace the call fails", async () => {
    const code = `import os
try:
    n = 0
    while True:
        with open(f"/workspace/{n}", "wb") as out: out.write(bytes(1 << 20))
        n += 1
except OSError: pass
try: tools.text()
except ToolError as error: print(error)
os.unlink("/workspace/0")
print(tools.text()["bytes"], os.listdir("/workspace/.belljar"))`;
    let state = await post(`${service.url}/execute/python`, { code, tools: TOOLS });
    while (state.waiting !== undefined) state = await next(service.url, state);
    const [refused = "", written = ""] = state.logs.stdout;
    assert(refused.includes("was not written to /workspace: ENOSPC"), JSON.stringify(state));
    assert(/^307\d{3} \['answer-[0-9a-f]{16}\.txt'\]$/.test(written), written);
  });
});

Deno.test("large answers: so are those of the operator's tools, whose shapes are observed", async () => {
  const folder = await Deno.makeTempDir();
  const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `customer ${id}` }));
  await using server = serveTools(({ target }) => {
    return Response.json(target === "/rows" ? rows : rows.slice(0, 2));
  });
  await Deno.writeTextFile(
    `${folder}/tools.json`,
    JSON.stringify({
      operations: {
        "crm.rows": { method: "GET", url: `${server.url}/rows` },
        "crm.few": { method: "GET", url: `${server.url}/few` },
      },
      tenants: { "*": ["crm.*"] },
      privateAddresses: [server.address],
    }),
  );
  await using service = await startService({
    ...SERVICE_LIMITS,
    LANGUAGES: "python",
    TOOLS: `${folder}/tools.json`,
  });
  const code = `import json
answer = tools.crm.rows()
rows = json.load(open(answer["file"]))
print(len(rows), rows[-1]["name"], answer["bytes"], len(tools.crm.few()), len(tools.crm.few()))`;
  const { logs, error } = await post(`${service.url}/execute/python`, { code, tools: ["crm.*"] });
  assertEquals(error, undefined);
  assertEquals(logs.stdout, [`10000 customer 9999 ${JSON.stringify(rows).length} 2 2`]);
  const listed = await (await fetch(`${service.url}/tools?as=text`)).text();
  const declare = { method: "POST", body: JSON.stringify({ tools: ["crm.few"] }) };
  const headers = { "content-type": "application/json" };
  const url = `${service.url}/tools?as=text`;
  const declared = await (await fetch(url, { ...declare, headers })).text();
  for (const text of [listed, declared]) {
    assert(text.includes("list of {id: integer, name: string}"), text);
    assert(text.includes("observed, not promised"), text);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("large answers: after a kill and in a fork, a program reads the same files", async (test) => {
  const folder = await Deno.makeTempDir();
  const start = (language: BundledLanguage) =>
    KillableService.start({
      kvPath: `${folder}/${language}`,
      leaseMs: LEASE_MS,
      env: { ...SERVICE_LIMITS, LANGUAGES: language },
    });
  for (const language of BUNDLED_LANGUAGES) {
    await test.step(language, async () => {
      let service = await start(language);
      try {
        const box = () => `${service.url}/languages/${language}/sandboxes/box`;
        let state = await post(`${box()}/execute`, { code: READ[language], tools: TOOLS });
        for (let n = 0; n < 2; n++) {
          state = await next(service.url, state);
          await service.kill(true);
          service = await start(language);
        }
        await post(`${box()}/fork`, { to: "copy" }, 201);
        const copies = await fetch(`${service.url}/languages/${language}/sandboxes/copy/runs`);
        const { runs: [copy] } = await copies.json();
        const other = await post(`${service.url}/runs/${copy.id}/answers`, { answers: [] });
        const [end, end2] = [await next(service.url, state), await next(service.url, other)];
        checkLines(end, language);
        assertEquals(end2.logs, end.logs);
        const list = { op: "list", path: "/workspace/.belljar", includeHidden: true };
        for (const name of ["box", "copy"]) {
          const url = `${service.url}/languages/${language}/sandboxes/${name}/files`;
          const { files } = Object(await post(url, list));
          const names = files.map((file: { readonly name: string }) => file.name).sort();
          const told = end.logs.stdout.flatMap((line) => /answer-\S+/.exec(line)?.[0] ?? []);
          assertEquals(names, told.sort(), name);
        }
      } finally {
        await service.kill(true);
      }
    });
  }
  await Deno.remove(folder, { recursive: true });
});
