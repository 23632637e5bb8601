// test: long
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import type { GatewayOptions, Handler } from "../../gateway/app.ts";
import { createAuthenticator } from "../../gateway/authentication.ts";
import { isPreflight } from "../../gateway/response_headers.ts";
import { createHostCheck } from "../../gateway/host_check.ts";
import { startServer } from "../../gateway/server.ts";
import type { LogFields } from "../../shared/log.ts";
import { echoRuntime } from "../gateway/echo_runtime.ts";
import { exchange } from "../gateway/raw_exchange.ts";
import { testGateway, unexpected } from "../gateway/test_gateway.ts";
import { fakeRuntimes, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { count } from "../support/counts.ts";
import { seeded } from "../support/random.ts";
import { type Answer, assertAnswer, isStream } from "./http_answers.ts";
import { type HttpCase, httpCase } from "./http_cases.ts";

const SEED = Number(Deno.env.get("FUZZ_SEED") ?? 20261121);
const CASES = Number(Deno.env.get("FUZZ_CASES") ?? count(4_000, 20_000));
const RAW_CASES = 500;
const HEALTH = "GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";

interface Logged {
  readonly event: string;
  readonly fields: LogFields | undefined;
}

/** A gateway with sandboxes in this process, and the errors that it logs. */
function gatewayOver(
  store: KvStore,
  options: Partial<GatewayOptions> = {},
): { readonly gateway: Handler; readonly errors: Logged[] } {
  const errors: Logged[] = [];
  const gateway = testGateway({
    sandboxes: sandboxProcess(store, { runtimes: fakeRuntimes() }),
    runtimes: new Map([
      ["javascript", echoRuntime("javascript")],
      ["python", echoRuntime("python")],
      ["perl", echoRuntime("perl")],
    ]),
    log: (level, event, fields) => {
      if (level === "error") errors.push({ event, fields });
    },
    ...options,
  });
  return { gateway, errors };
}

/** Undefined when the platform itself will not make such a request. */
function requestOf({ method, path, headers, body }: HttpCase): Request | undefined {
  try {
    const init = {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
    };
    return new Request(
      `http://localhost:8000${path}`,
      body === undefined ? init : { ...init, body },
    );
  } catch (thrown) {
    if (thrown instanceof TypeError) return undefined;
    throw thrown;
  }
}

function described(index: number, { method, path, headers, body }: HttpCase): string {
  const start = new TextDecoder().decode(body?.slice(0, 300));
  return `seed ${SEED}, case ${index}: ${method} ${path.slice(0, 200)} ${
    JSON.stringify(headers).slice(0, 300)
  } ${JSON.stringify(start)}`;
}

Deno.test(`hostile http: ${CASES} requests from a seed, each answered by the contract`, () =>
  withStore(async (store) => {
    const { gateway, errors } = gatewayOver(store);
    const random = seeded(SEED);
    const statuses = new Map<number, number>();
    let streams = 0;
    for (let index = 0; index < CASES; index++) {
      const made = httpCase(random);
      const request = requestOf(made);
      if (request === undefined) continue;
      const answer = await gateway(request);
      const text = await answer.text();
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (isStream(answer.headers)) streams++;
      try {
        await assertAnswer(made.method, { status: answer.status, headers: answer.headers, text });
        assertEquals(errors, []);
      } catch (thrown) {
        throw new Error(described(index, made), { cause: thrown });
      }
    }
    for (const status of [200, 201, 204, 400, 403, 404, 405, 412, 413, 415]) {
      assert((statuses.get(status) ?? 0) >= CASES / 5_000, `few answers with ${status}`);
    }
    assert(streams >= CASES / 1_000, `only ${streams} streams`);
  }));

Deno.test("hostile http: without a known token nothing but health and preflights is answered", () =>
  withStore(async (store) => {
    const { gateway } = gatewayOver(store, {
      authenticate: createAuthenticator([{ tenant: "a", token: "4f1c9e6b" }]),
      hostCheck: createHostCheck(["https://app.example"]),
      allowedOrigins: ["https://app.example"],
    });
    const random = seeded(SEED + 2);
    for (let index = 0; index < CASES / 10; index++) {
      const made = httpCase(random);
      const request = requestOf(made);
      if (request === undefined) continue;
      const answer = await gateway(request);
      const text = await answer.text();
      try {
        await assertAnswer(made.method, { status: answer.status, headers: answer.headers, text });
        if (new URL(request.url).pathname === "/healthz" || isPreflight(request)) continue;
        assert(answer.status === 401 || answer.status === 403, `status ${answer.status}`);
        assertEquals(answer.headers.has("www-authenticate"), answer.status === 401);
      } catch (thrown) {
        throw new Error(described(index, made), { cause: thrown });
      }
    }
  }));

/** The request as bytes, with its body's length or a wrong one. */
function rawText({ method, path, headers, body }: HttpCase, random: () => number): string {
  const text = new TextDecoder("latin1").decode(body);
  const target = encodeURI(path).replace(/%25/g, "%");
  const lines = headers.map(([name, value]) => `${name}: ${value}`.replace(/[^\x20-\x7e]/g, "?"));
  const bytes = new TextEncoder().encode(text).length;
  const framing = random() < 0.2
    ? `transfer-encoding: chunked\r\n\r\n${bytes.toString(16)}\r\n${text}\r\n${
      random() < 0.3 || bytes === 0 ? "" : "0\r\n\r\n"
    }`
    : `content-length: ${random() < 0.1 ? bytes + 7 : bytes}\r\n\r\n${text}`;
  const prefix = random() < 0.05 ? "http://localhost" : "";
  const host = random() < 0.05 ? "" : "host: localhost\r\n";
  return `${method} ${prefix}${target} HTTP/1.1\r\n${host}${
    lines.map((line) => `${line}\r\n`).join("")
  }connection: close\r\n${framing}`;
}

/**
 * An answer of the service; the platform's parser itself refuses invalid HTTP, with an empty 400.
 */
function parsedAnswer(answer: string): Answer | undefined {
  const end = answer.indexOf("\r\n\r\n");
  const [first = "", ...lines] = answer.slice(0, Math.max(0, end)).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1] ?? 0);
  const text = answer.slice(end + 4);
  const headers = new Headers(lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  }));
  const byParser = status === 0 ||
    (status === 400 && text === "" && headers.get("content-type") === null);
  if (byParser) return undefined;
  const isChunked = headers.get("transfer-encoding") === "chunked";
  return { status, headers, text: isChunked ? unchunked(text) : text };
}

/** The contents of chunks. Answers here are ASCII, so a byte is a character. */
function unchunked(chunks: string): string {
  let text = "";
  for (let at = 0; at < chunks.length;) {
    const start = chunks.indexOf("\r\n", at) + 2;
    const end = start + parseInt(chunks.slice(at), 16);
    text += chunks.slice(start, end);
    at = end + 2;
  }
  return text;
}

Deno.test(`hostile http: ${RAW_CASES} requests over a socket leave the server alive`, () =>
  withStore(async (store) => {
    const { gateway, errors } = gatewayOver(store);
    const stopping = new AbortController();
    const server = await startServer({
      host: "127.0.0.1",
      port: 0,
      loopbackOnly: true,
      createHandler: () => gateway,
      stopping,
      graceMs: 100,
      onFailure: unexpected,
    });
    const random = seeded(SEED + 1);
    let answered = 0;
    for (let index = 0; index < RAW_CASES; index++) {
      const made = httpCase(random);
      const answer = await exchange(server.url, rawText(made, random), { halfClose: true });
      const parsed = parsedAnswer(answer);
      if (parsed === undefined) continue;
      answered++;
      try {
        await assertAnswer(made.method, parsed);
      } catch (thrown) {
        throw new Error(described(index, made), { cause: thrown });
      }
    }
    assert(answered > RAW_CASES / 2, `only ${answered} answers`);
    assertMatch(await exchange(server.url, HEALTH), /^HTTP\/1\.1 200 /);
    assertEquals(errors, []);
    await server.stop();
  }));
