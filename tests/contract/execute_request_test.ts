import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { assertError, assertJsonHeaders } from "./assertions.ts";
import { contractTarget } from "./target.ts";
import { jsonPost } from "../support/json_post.ts";

const KIB = 1024;
const JSON_TYPE = { "content-type": "application/json" };
const call = contractTarget();

function post(
  body: BodyInit,
  headers: Record<string, string> = JSON_TYPE,
  path = "/execute",
): Promise<Response> {
  return call(path, { method: "POST", headers, body });
}

function postJson(body: unknown): Promise<Response> {
  return post(JSON.stringify(body));
}

/** A body that comes in pieces, without a declared length. */
function chunked(text: string, pieceBytes: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let offset = 0;
  return new ReadableStream({
    pull(controller) {
      if (offset >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(offset, offset += pieceBytes));
    },
  });
}

/** JSON of a request that is exactly so many bytes long, with a short program. */
function requestOfBytes(length: number): string {
  const frame = JSON.stringify({ code: "1", envVars: { PAD: "" } });
  return JSON.stringify({ code: "1", envVars: { PAD: "a".repeat(length - frame.length) } });
}

async function assertResult(response: Response, code: string): Promise<void> {
  const text = await response.text();
  assertEquals(response.status, 200, text);
  assertJsonHeaders(response);
  const result = JSON.parse(text);
  assertEquals(result.code, code);
  assertEquals(result.language, "javascript");
  assertMatch(result.engine, /\S+ \d/);
  assertEquals(typeof result.durationMs, "number");
  assertEquals(Object.keys(result.logs).sort(), ["stderr", "stdout"]);
  assertEquals(Array.isArray(result.results), true);
  assertEquals("context" in result || "executionCount" in result || "ok" in result, false);
}

for (const path of ["/execute", "/execute/javascript"]) {
  Deno.test(`execute: ${path} answers 200 with a result`, async () => {
    await assertResult(await post('{"code":"1 + 1"}', JSON_TYPE, path), "1 + 1");
  });
}

/** The fields next to `"code":"1"` in the body. */
const accepted: Record<string, string> = {
  "code alone": "",
  "the id": ',"language":"javascript"',
  "an id in capitals": ',"language":"JavaScript"',
  "js": ',"language":"js"',
  "Node": ',"language":"Node"',
  "TS": ',"language":"TS"',
  "typescript": ',"language":"typescript"',
  "empty envVars": ',"envVars":{}',
  "a null value in envVars": ',"envVars":{"A":null,"B":"x"}',
  "an empty value in envVars": ',"envVars":{"A":""}',
  "variables named like members of objects": ',"envVars":{"__proto__":"a","constructor":"b"}',
  "unknown keys": ',"cwd":"/","timeout":5,"contextId":"x"',
  "a __proto__ key": ',"__proto__":{"input":1}',
};

for (const [name, rest] of Object.entries(accepted)) {
  Deno.test(`execute: accepts ${name}`, async () => {
    await assertResult(await post(`{"code":"1"${rest}}`), "1");
  });
}

const refused: Record<string, { body: unknown; says?: RegExp }> = {
  "an input key": { body: { code: "1", input: "x" }, says: /input/ },
  "an input key that is null": { body: { code: "1", input: null }, says: /input/ },
  "another language": {
    body: { code: "1", language: "Python3" },
    says: /^Unsupported language 'Python3' on this runtime \(javascript\)$/,
  },
  "a language nobody knows": {
    body: { code: "1", language: "cobol" },
    says: /^Unsupported language 'cobol' on this runtime \(javascript\)$/,
  },
  "a language of an object's own": { body: { code: "1", language: "constructor" } },
  "an empty language": { body: { code: "1", language: "" } },
  "a language that is no string": { body: { code: "1", language: 7 } },
  "no code": { body: {}, says: /code/ },
  "empty code": { body: { code: "" }, says: /code/ },
  "code that is null": { body: { code: null }, says: /code/ },
  "code that is a list": { body: { code: ["1"] }, says: /code/ },
  "code only on the prototype": { body: JSON.parse('{"__proto__":{"code":"1"}}'), says: /code/ },
  "envVars that are a list": { body: { code: "1", envVars: [] }, says: /envVars/ },
  "envVars that are text": { body: { code: "1", envVars: "A=1" }, says: /envVars/ },
  "envVars that are null": { body: { code: "1", envVars: null }, says: /envVars/ },
  "a number as a value": { body: { code: "1", envVars: { N: 1 } }, says: /'N'/ },
  "an object as a value": { body: { code: "1", envVars: { N: {} } }, says: /'N'/ },
  "NUL in a value": { body: { code: "1", envVars: { N: "a\0b" } }, says: /'N'/ },
  "an empty name": { body: { code: "1", envVars: { "": "x" } }, says: /''/ },
  "a name with a dash": { body: { code: "1", envVars: { "A-B": "x" } }, says: /'A-B'/ },
  "a name with a newline": { body: { code: "1", envVars: { "A\n": "x" } } },
  "a name that begins with a digit": { body: { code: "1", envVars: { "1A": "x" } }, says: /'1A'/ },
  "a name with a null value": { body: { code: "1", envVars: { "A B": null } }, says: /'A B'/ },
  "a list": { body: [] },
  "null": { body: null },
  "text": { body: "code" },
  "a number": { body: 1 },
};

for (const [name, { body, says = /./ }] of Object.entries(refused)) {
  Deno.test(`execute: refuses ${name} with 400`, async () => {
    const error = await assertError(await postJson(body), 400, "VALIDATION_FAILED");
    assertMatch(error.message, says);
    assertEquals(error.context, {});
  });
}

const malformed: Record<string, BodyInit> = {
  "an empty body": "",
  "no JSON": "code=1",
  "JSON cut off": '{"code":"1"',
  "JSON followed by more": '{"code":"1"}{}',
  "lists nested to the limit, never closed": "[".repeat(96 * KIB),
  "objects nested to the limit, never closed": '{"a":'.repeat(19 * KIB),
  "bytes that are not UTF-8": new Uint8Array([...new TextEncoder().encode('{"code":"'), 0xff]),
  "UTF-16": new Uint8Array(new Uint16Array([..."{}"].map((c) => c.charCodeAt(0))).buffer),
};

for (const [name, body] of Object.entries(malformed)) {
  Deno.test(`execute: refuses ${name} with 400`, async () => {
    await assertError(await post(body), 400, "VALIDATION_FAILED");
  });
}

Deno.test("execute: deep nesting in an ignored key is accepted", async () => {
  const deep = "[".repeat(45 * KIB) + "]".repeat(45 * KIB);
  await assertResult(await post(`{"code":"1","x":${deep}}`), "1");
});

Deno.test("execute: the last of two equal keys counts", async () => {
  await assertResult(await post('{"code":"1","code":"2"}'), "2");
});

Deno.test("execute: a long foreign name is cut in the message", async () => {
  const response = await postJson({ code: "1", language: "é".repeat(20_000) });
  const { message } = await assertError(response, 400, "VALIDATION_FAILED");
  assertStringIncludes(message, "…' on this runtime (javascript)");
});

const contentTypes: Record<string, number> = {
  "application/json": 200,
  "Application/JSON": 200,
  "application/json;charset=utf-8": 200,
  'application/json ; charset="UTF-8"': 200,
  "application/json; profile=x; charset=utf-8": 200,
  'application/json; x="a; charset=utf-16"': 200,
  "application/json; charset=utf-16": 415,
  "application/json; charset=iso-8859-1": 415,
  "application/json; charset=utf-8; charset=utf-16": 415,
  "application/json, text/plain": 415,
  "application/jsonp": 415,
  "application/problem+json": 415,
  "application/x-www-form-urlencoded": 415,
  "text/plain": 415,
  "text/json": 415,
  "json": 415,
};

for (const [contentType, status] of Object.entries(contentTypes)) {
  Deno.test(`execute: content type ${contentType} gives ${status}`, async () => {
    const response = await post('{"code":"1"}', { "content-type": contentType });
    if (status === 200) await assertResult(response, "1");
    else await assertError(response, status, "VALIDATION_FAILED");
  });
}

Deno.test("execute: no content type gives 415", async () => {
  await assertError(await post(new Uint8Array([123, 125]), {}), 415, "VALIDATION_FAILED");
});

Deno.test("execute: a compressed body gives 415", async () => {
  const response = await post('{"code":"1"}', { ...JSON_TYPE, "content-encoding": "gzip" });
  await assertError(response, 415, "VALIDATION_FAILED");
});

for (
  const [name, body] of [
    ["declared", (text: string): BodyInit => text],
    ["chunked", (text: string): BodyInit => chunked(text, 10_000)],
  ] as const
) {
  Deno.test(`execute: a ${name} request of exactly 96 KiB passes`, async () => {
    await assertResult(await post(body(requestOfBytes(96 * KIB))), "1");
  });

  Deno.test(`execute: a ${name} request of one byte more gives 413`, async () => {
    const response = await post(body(requestOfBytes(96 * KIB + 1)));
    await assertError(response, 413, "VALIDATION_FAILED");
  });

  Deno.test(`execute: code of exactly 64 KiB in a ${name} request passes`, async () => {
    const code = "//" + "é".repeat(32 * KIB - 1);
    await assertResult(await post(body(JSON.stringify({ code }))), code);
  });

  Deno.test(`execute: code of one byte more in a ${name} request gives 413`, async () => {
    const code = "//a" + "é".repeat(32 * KIB - 1);
    const response = await post(body(JSON.stringify({ code })));
    await assertError(response, 413, "VALIDATION_FAILED");
  });
}

Deno.test("execute: characters split between pieces of the body stay whole", async () => {
  const code = "'日本語 😀'";
  await assertResult(await post(chunked(JSON.stringify({ code }), 1)), code);
});

const LONG_CODE = "a".repeat(64 * KIB + 1);

/** Each request has two faults; the one that is checked first decides. */
const order: Record<string, { init: RequestInit; status: number; says: RegExp }> = {
  "405 before 415": { init: { method: "PUT", body: "x" }, status: 405, says: /method/ },
  "415 before 413": {
    init: {
      method: "POST",
      headers: { "content-type": "text/plain" },
      body: requestOfBytes(97 * KIB),
    },
    status: 415,
    says: /Content-Type/,
  },
  "413 before broken JSON": {
    init: { method: "POST", headers: JSON_TYPE, body: "[".repeat(97 * KIB) },
    status: 413,
    says: /request/,
  },
  "input before language": fault({ input: 1, language: "perl", code: "1" }, 400, /input/),
  "language before empty code": fault({ language: "perl", code: "" }, 400, /language/),
  "language before long code": fault({ language: "perl", code: LONG_CODE }, 400, /language/),
  "empty code before envVars": fault({ code: "", envVars: 1 }, 400, /code/),
  "long code before envVars": fault({ envVars: { "-": "" }, code: LONG_CODE }, 413, /code/),
};

function fault(body: unknown, status: number, says: RegExp) {
  const init = jsonPost(body);
  return { init, status, says };
}

for (const [name, { init, status, says }] of Object.entries(order)) {
  Deno.test(`execute: ${name}`, async () => {
    const error = await assertError(await call("/execute", init), status, "VALIDATION_FAILED");
    assertMatch(error.message, says);
  });
}
