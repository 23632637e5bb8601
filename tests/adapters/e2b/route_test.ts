// test: long
/** E2B's protocol by plain requests, against a real service. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { startService } from "../../support/service.ts";
import { pause, until } from "../../support/wait.ts";
import {
  create,
  inside,
  LANGUAGES,
  newKey,
  newTenant,
  parsed,
  run,
  send,
  type Sent,
  TOKENS,
  UNKNOWN_KEY,
  valueOf,
} from "./requests.ts";

const REFUSALS: readonly (readonly [line: string, sent: Sent, status: number, text: string])[] = [
  ["POST /v2/sandboxes", { json: { timeout: "soon" } }, 400, "timeout"],
  ["POST /v2/sandboxes", { json: { timeout: -1 } }, 400, "timeout"],
  ["POST /v2/sandboxes", { json: { timeout: 86_401 } }, 400, "86400"],
  ["POST /v2/sandboxes", { json: { metadata: { a: 1 } } }, 400, "metadata"],
  ["POST /v2/sandboxes", { json: { metadata: { a: "x".repeat(5_000) } } }, 400, "metadata"],
  ["POST /v2/sandboxes", { json: { envVars: { "a=b": "1" } } }, 400, "a=b"],
  ["POST /v2/sandboxes", { body: "{" }, 400, "JSON"],
  ["POST /v2/sandboxes", { json: {}, key: UNKNOWN_KEY }, 401, "token"],
  ["GET /sandboxes/nothing", {}, 404, "nothing"],
  ["DELETE /sandboxes/nothing", {}, 404, "nothing"],
  ["POST /sandboxes/nothing/timeout", { json: { timeout: 1 } }, 404, "nothing"],
  ["POST /v2/sandboxes/nothing/connect", { json: {} }, 404, "nothing"],
  ["POST /sandboxes/nothing/pause", { json: {} }, 501, "part of E2B"],
  ["GET /templates", {}, 501, "sandboxes"],
  ["GET /v2/sandboxes?limit=0", {}, 400, "limit"],
  ["GET /v2/sandboxes?nextToken=x", {}, 400, "cursor"],
  ["POST /execute", { json: { code: "1" }, headers: inside("nothing") }, 502, "not found"],
  ["POST /execute", { json: { code: "1" } }, 502, "not found"],
  ["GET /health", { headers: inside("nothing") }, 502, "not found"],
];

Deno.test("e2b: a refusal names the problem in E2B's form, and creates nothing", async () => {
  const tenant = newTenant();
  for (const [line, sent, status, text] of REFUSALS) {
    const answer = await send(tenant, line, sent);
    assertEquals([answer.status, parsed(answer).message.includes(text)], [status, true], line);
  }
  assertEquals(parsed(await send(tenant, "GET /v2/sandboxes")), []);
});

const RUN_REFUSALS: readonly (readonly [fields: unknown, status: number, text: string])[] = [
  [{ code: 1 }, 400, "code"],
  [{ code: "1", language: "cobol" }, 400, "cobol"],
  [{ code: "1", language: "ruby" }, 400, "ruby"],
  [{ code: "1", context_id: "c", language: "python" }, 400, "not both"],
  [{ code: "1", context_id: "c" }, 404, "c"],
  [{ code: "1", env_vars: { a: 1 } }, 400, "env_vars"],
];

Deno.test("e2b: runs have events, values without quotes, errors, and refusals", async () => {
  const tenant = newTenant();
  const box = await create(tenant, { envVars: { A: "x" } });
  for (const [json, status, text] of RUN_REFUSALS) {
    const answer = await send(tenant, "POST /execute", { headers: inside(box), json });
    assertEquals([answer.status, answer.text.includes(text)], [status, true], answer.text);
  }
  const printed = await run(tenant, box, { code: "import os\nprint(os.environ['A'])\n1/0" });
  assertEquals(printed.map(({ type }) => type), [
    "stdout",
    "number_of_executions",
    "error",
    "end_of_execution",
  ]);
  assertEquals([printed[0].text, typeof printed[0].timestamp], ["x\n", "number"]);
  assertEquals([printed[2].name, typeof printed[2].traceback], ["ZeroDivisionError", "string"]);
  const values = [
    ["'it''s'", "its"],
    ['"it\'s\\n"', "it's\n"],
    ["{'a': [True, None, 'b\"'], 'ü': 1.5}", "{'a': [True, None, 'b\"'], 'ü': 1.5}"],
    ["[(1,), {'a': 1.0}]", "[(1,), {'a': 1.0}]"],
    ["[12345678901234567890]", "[12345678901234567890]"],
    ["b'x'", "b'x'"],
    ["None", undefined],
  ] as const;
  for (const [code, text] of values) {
    assertEquals(await valueOf(tenant, box, { code }), text, code);
  }
  assertEquals(await valueOf(tenant, box, { code: "'a' + 1", language: "js" }), "a1");
  assertEquals(await valueOf(tenant, box, { code: "[{ a: 1 }]", language: "js" }), "[ { a: 1 } ]");
  const shown = await run(tenant, box, {
    code:
      "display(Object.assign({}, {[Symbol.for('Jupyter.display')]: () => ({'text/html': '<b>', 'x/y': 1})}))",
    language: "javascript",
  });
  const result = shown.find(({ type }) => type === "result");
  assertEquals([result.html, result.extra, result.is_main_result], ["<b>", { "x/y": 1 }, false]);
  const installed = await run(tenant, box, {
    code: "!pip install numpy==2 -q\n%pip install pandas",
  });
  assertEquals(installed.map(({ type }) => type), [
    "stdout",
    "stdout",
    "number_of_executions",
    "end_of_execution",
  ]);
  assertStringIncludes(installed[0].text, "deno task wheels add numpy");
});

Deno.test("e2b: long programs, deep values and long lists of packages have their results or errors", async () => {
  const tenant = newTenant();
  const box = await create(tenant);
  assertEquals(await valueOf(tenant, box, { code: `#${"x".repeat(60_000)}\n6` }), "6");
  const headers = inside(box);
  const long = { headers, json: { code: `#${"x".repeat(70_000)}` } };
  assertEquals((await send(tenant, "POST /execute", long)).status, 413);
  const deep = "x = 1\nfor _ in range(3500): x = [x]\nx";
  assertStringIncludes(await valueOf(tenant, box, { code: deep }), "[[[[");
  const quoted = await valueOf(tenant, box, { code: "'\\n' * 60_000" });
  assertEquals(quoted, "\n".repeat(60_000));
  const names = Array.from({ length: 8_000 }, (_, n) => `p${n}`).join(" ");
  const told = await run(tenant, box, { code: `!pip install ${names}` });
  assertEquals(told.filter(({ type }) => type === "stdout").length, 100);
  const tooLong = { headers, json: { code: `!pip install ${names} ${names}` } };
  assertEquals((await send(tenant, "POST /execute", tooLong)).status, 413);
});

Deno.test("e2b: unread streams count against their own tenant only", async () => {
  await using service = await startService({ LANGUAGES: "python", TOKENS });
  const [tenant, other] = [{ url: service.url, key: newKey() }, newKey()];
  const box = await create(tenant);
  const leaving = new AbortController();
  const code = "for n in range(9_000): print('x' * 100)";
  const unread = await Promise.all(
    Array.from({ length: 40 }, () =>
      fetch(`${tenant.url}/e2b/execute`, {
        method: "POST",
        headers: { "x-api-key": tenant.key, ...inside(box), "content-type": "application/json" },
        body: JSON.stringify({ code }),
        signal: leaving.signal,
      })),
  );
  const statuses = new Set(unread.map(({ status }) => status));
  assert([...statuses].every((status) => [200, 429, 503].includes(status)), [...statuses].join());
  const theirBox = await create(tenant, {}, { key: other });
  const theirs = await send(tenant, "POST /execute", {
    key: other,
    headers: inside(theirBox),
    json: { code: "6 * 7" },
  });
  assertStringIncludes(theirs.text, '"42"');
  leaving.abort();
  await Promise.allSettled(unread.map(({ body }) => body?.cancel()));
  await until(async () => {
    const again = await send(tenant, "POST /execute", {
      headers: inside(box),
      json: { code: "1" },
    });
    return again.status === 200;
  });
});

Deno.test("e2b: a restarted context keeps its id and variables, and nothing else", async () => {
  const tenant = newTenant();
  const box = await create(tenant);
  const headers = inside(box);
  const made = parsed(
    await send(tenant, "POST /contexts", { headers, json: { language: "python" } }),
  );
  const fields = { context_id: made.id };
  assertEquals(made.cwd, "/home/user");
  await run(tenant, box, { ...fields, code: "x = 1" });
  assertEquals((await send(tenant, `POST /contexts/${made.id}/restart`, { headers })).status, 200);
  assertEquals(await valueOf(tenant, box, { ...fields, code: "'x' in globals()" }), "False");
  await run(tenant, box, { ...fields, code: "y = 2" });
  assertEquals(await valueOf(tenant, box, { ...fields, code: "y" }), "2");
  const running = run(tenant, box, { ...fields, code: "while True: pass" });
  await pause(100);
  await send(tenant, `POST /contexts/${made.id}/restart`, { headers });
  const ended = await running;
  assert(ended.some(({ type }) => type === "error"), JSON.stringify(ended));
  assertEquals(await valueOf(tenant, box, { ...fields, code: "'y' in globals()" }), "False");
  const listed = parsed(await send(tenant, "GET /contexts", { headers }));
  assertEquals(listed.map(({ id }: { id: string }) => id), [made.id]);
  assertEquals((await send(tenant, `DELETE /contexts/${made.id}`, { headers })).status, 200);
  assertEquals((await send(tenant, `POST /contexts/${made.id}/restart`, { headers })).status, 404);
});

Deno.test("e2b: a sandbox ends at its time, which connecting never brings nearer", async () => {
  const tenant = newTenant();
  const box = await create(tenant, { timeout: 600, metadata: { m: "1" } });
  const endOf = async () => Date.parse(parsed(await send(tenant, `GET /sandboxes/${box}`)).endAt);
  const first = await endOf();
  await send(tenant, `POST /sandboxes/${box}/connect`, { json: { timeout: 10 } });
  await run(tenant, box, { code: "1" });
  assertEquals(await endOf(), first);
  await send(tenant, `POST /v2/sandboxes/${box}/connect`, { json: { timeout: 900 } });
  assert(await endOf() > first + 200_000);
  assertEquals(
    (await send(tenant, `POST /sandboxes/${box}/timeout`, { json: { timeout: 1 } })).status,
    204,
  );
  await pause(1_200);
  assertEquals((await send(tenant, `GET /sandboxes/${box}`)).status, 404);
  const late = await send(tenant, "POST /execute", { headers: inside(box), json: { code: "1" } });
  assertEquals(late.status, 502);
  assertEquals(parsed(await send(tenant, "GET /v2/sandboxes")), []);
});

Deno.test("e2b: the same idempotency key makes one sandbox, for each tenant its own", async () => {
  const tenant = newTenant();
  const other = newKey();
  const headers = { "idempotency-key": "k" };
  const ids = [await create(tenant, {}, { headers }), await create(tenant, {}, { headers })];
  assertEquals(ids[0], ids[1]);
  await run(tenant, ids[0] ?? "", { code: "x = 1" });
  const others = await send(tenant, `GET /sandboxes/${ids[0]}`, { key: other });
  assertEquals(others.status, 404);
  const run2 = await send(tenant, "POST /execute", {
    key: other,
    headers: inside(ids[0] ?? ""),
    json: { code: "x" },
  });
  assertEquals(run2.status, 502);
});

Deno.test("e2b: sandboxes of E2B and those of the service's own routes are the same", async () => {
  const tenant = newTenant();
  const own = `${tenant.url}/languages/python/sandboxes`;
  const authorization = `Bearer ${tenant.key}`;
  const headers = { authorization, "content-type": "application/json" };
  const body = JSON.stringify({ code: "open('f', 'w').write('ü'); x = 7" });
  await (await fetch(`${own}/mine/execute`, { method: "POST", headers, body })).body?.cancel();
  assertEquals(await valueOf(tenant, "mine", { code: "x" }), "7");
  assertEquals((await send(tenant, "GET /files?path=f", { headers: inside("mine") })).text, "ü");
  const listed = parsed(await send(tenant, "GET /v2/sandboxes"));
  const idle = Date.parse(listed[0].endAt) - Date.now();
  assertEquals([listed[0].sandboxID, idle > 86_000_000 && idle <= 86_400_000], ["mine", true]);
  const box = await create(tenant);
  await run(tenant, box, { code: "y = 8" });
  const answer = await fetch(`${own}/${box}`, { headers: { authorization } });
  assertEquals((await answer.json()).contexts.length, 1);
});

const FORM = "----x";
function form(...files: readonly (readonly [name: string, text: string])[]): Sent {
  const parts = files.map(([name, text]) =>
    `--${FORM}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${text}\r\n`
  );
  return {
    body: `${parts.join("")}--${FORM}--\r\n`,
    headers: { "content-type": `multipart/form-data; boundary=${FORM}` },
  };
}

async function packed(text: string): Promise<ArrayBuffer> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return await new Response(stream).arrayBuffer();
}

Deno.test("e2b: files are stored whole, packed or several; a file that is too large is refused", async () => {
  const tenant = newTenant();
  const box = await create(tenant);
  const upload = async (query: string, { headers = {}, ...sent }: Sent) =>
    await send(tenant, `POST /files${query}`, {
      ...sent,
      headers: { ...headers, ...inside(box) },
    });
  const octets = { "content-type": "application/octet-stream" };
  const gzip = { ...octets, "content-encoding": "gzip" };
  const several = await upload("", form(["a 1.txt", "1"], ["/home/user/d/b", "2"]));
  assertEquals(parsed(several).map(({ path }: { path: string }) => path), [
    "/home/user/a 1.txt",
    "/home/user/d/b",
  ]);
  assertEquals(
    (await upload("?path=p", { headers: gzip, body: await packed("whole") })).status,
    200,
  );
  const read = async (path: string) =>
    (await send(tenant, `GET /files?path=${path}`, { headers: inside(box) })).text;
  assertEquals([await read("p"), await read("d/b")], ["whole", "2"]);
  const refusals = [
    [await upload("?path=big", { headers: octets, body: "x".repeat(4 * 1024 * 1024 + 1) }), 413],
    [
      await upload("?path=bomb", { headers: gzip, body: await packed("x".repeat(40_000_000)) }),
      413,
    ],
    [await upload("?path=big", { headers: octets, body: "x".repeat(7_000_000) }), 413],
    [await upload("?path=x", { headers: gzip, body: "no" }), 400],
    [await upload("", { headers: octets, body: "x" }), 400],
    [await upload("?path=one", form(["a", "1"], ["b", "2"])), 400],
    [await upload("", form()), 400],
    [await upload("?path=/etc/passwd", { headers: octets, body: "x" }), 403],
    [await upload("?path=../x", { headers: octets, body: "x" }), 403],
  ] as const;
  assertEquals(refusals.map(([{ status }]) => status), refusals.map(([, status]) => status));
  assert(refusals.every(([{ text }]) => JSON.parse(text).message !== ""));
  const names = parsed(await call("ListDir", { path: "", depth: 3 })).entries;
  assertEquals(names.map(({ path }: { path: string }) => path.slice("/home/user/".length)).sort(), [
    "a 1.txt",
    "d",
    "d/b",
    "p",
  ]);
  assertEquals(parsed(await call("Stat", { path: "nothing" })).code, "not_found");
  assertEquals(parsed(await call("MakeDir", { path: "d" })).code, "already_exists");
  assertEquals((await call("MakeDir", { path: "e/f/g" })).status, 200);
  assertEquals(parsed(await call("Stat", { path: 1 })).code, "invalid_argument");
  assertEquals(parsed(await call("WatchDir", { path: "d" })).code, "unimplemented");
  assertEquals(parsed(await call("Move", { source: "p", destination: "new/p" })).entry.size, "5");
  assertEquals((await call("Remove", { path: "new" })).status, 200);
  for (const path of ["p", "new/p"]) assertStringIncludes(await read(path), "FILE_NOT_FOUND");

  function call(method: string, json: unknown) {
    return send(tenant, `POST /filesystem.Filesystem/${method}`, { headers: inside(box), json });
  }
});

Deno.test("e2b: a shell is refused in the form of a stream", async () => {
  const tenant = newTenant();
  const box = await create(tenant);
  const answer = await send(tenant, "POST /process.Process/Start", {
    headers: { ...inside(box), "content-type": "application/connect+json" },
    body: new Uint8Array([0, 0, 0, 0, 2, 123, 125]),
  });
  assertEquals([answer.status, answer.text.charCodeAt(0)], [200, 2]);
  assertEquals(JSON.parse(answer.text.slice(5)).error.code, "unimplemented");
});

Deno.test("e2b: a disconnect ends the run and frees its place", async () => {
  await using service = await startService({ LANGUAGES, TOKENS, RUNS_PER_TENANT: "1" });
  const tenant = { url: service.url, key: newKey() };
  const box = await create(tenant);
  await run(tenant, box, { code: "n = 1" });
  const leaving = new AbortController();
  const gone = fetch(`${tenant.url}/e2b/execute`, {
    method: "POST",
    headers: { "x-api-key": tenant.key, ...inside(box), "content-type": "application/json" },
    body: JSON.stringify({
      code: `print(1, flush=True)\nn = 2\nwhile True: pass\n#${"x".repeat(3_000)}`,
    }),
    signal: leaving.signal,
  });
  const reader = (await gone).body?.getReader();
  await reader?.read();
  leaving.abort();
  await reader?.cancel().catch(() => undefined);
  assertEquals(await valueOf(tenant, box, { code: "n" }), "1");
});

Deno.test("e2b: E2B=0 leaves the protocol out", async () => {
  await using service = await startService({ LANGUAGES: "javascript", E2B: "0" });
  const tenant = { url: service.url, key: UNKNOWN_KEY };
  const answer = await send(tenant, "POST /v2/sandboxes", { json: {} });
  assertEquals([answer.status, parsed(answer).code], [404, "VALIDATION_FAILED"]);
});
