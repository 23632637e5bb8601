/** A service at a URL that cannot be reached, or whose connection breaks. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { connect, getSandbox, runCode, SandboxError } from "../../client/mod.ts";
import { freePort } from "../support/program.ts";

const ONCE = { retry: false } as const;

/** A server that does something with the first connection, once the head of a request is there. */
function server(answer: (connection: Deno.TcpConn) => Promise<unknown>) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const done = (async () => {
    for await (const connection of listener) {
      await connection.read(new Uint8Array(4096));
      await answer(connection);
      connection.close();
    }
  })();
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    async [Symbol.asyncDispose]() {
      listener.close();
      await done;
    },
  };
}

function failureOf(call: () => Promise<unknown>): Promise<SandboxError> {
  return assertRejects(call, SandboxError);
}

Deno.test("unreachable: a refused connection names the address, and may be retried", async () => {
  const url = `http://127.0.0.1:${freePort()}/prefix`;
  const env = connect(`${url}/`);
  const { interpreter, files } = getSandbox(env.Sandbox, "a");
  const calls = [
    () => runCode(env.PYTHON, "1", ONCE),
    () => runCode(env.PYTHON, "1", { ...ONCE, onStdout: () => {} }),
    () => interpreter.createCodeContext({ binding: "PYTHON", ...ONCE }),
    () => interpreter.listCodeContexts(ONCE),
    () => files.read("a", ONCE),
    () => files.upload("a", new Uint8Array(9), ONCE),
    () => env.Sandbox.usage(ONCE),
  ];
  for (const call of calls) {
    const error = await failureOf(call);
    assertEquals(
      error.message,
      `Belljar at ${url} does not answer (connection refused). Nothing was sent`,
    );
    assertEquals([error.code, error.httpStatus, error.retryable], ["UNREACHABLE", 502, true]);
    assertEquals(error.context, { address: url, sent: false });
  }
  const waits: number[] = [];
  const sleep = (ms: number) => Promise.resolve(void waits.push(ms));
  await failureOf(() => runCode(env.PYTHON, "1", { retry: { attempts: 3, sleep } }));
  assertEquals(waits.length, 2);
});

Deno.test("unreachable: a name that no host has", async () => {
  const env = connect("http://belljar.invalid");
  const error = await failureOf(() => runCode(env.PYTHON, "1", ONCE));
  assertEquals(
    error.message,
    "Belljar at http://belljar.invalid does not answer (unknown host). Nothing was sent",
  );
});

Deno.test("unreachable: the error of a connection that breaks during a run says that the run may have happened", async () => {
  const head = "HTTP/1.1 200 OK\r\ncontent-type: application/";
  const starts = [
    "",
    `${head}json\r\ncontent-length: 900\r\n\r\n{"code": `,
    `${head}x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n10\r\n{"type":"start"}\r\n`,
    `${head}x-ndjson\r\ncontent-length: 17\r\n\r\n{"type":"start"}\n`,
  ];
  for (const [index, start] of starts.entries()) {
    await using at = server((connection) => connection.write(new TextEncoder().encode(start)));
    const env = connect(at.url);
    const { interpreter } = getSandbox(env.Sandbox, "a");
    const options = index < 2 ? {} : { onStdout: () => {} };
    const calls = [
      () => runCode(env.PYTHON, "1", options),
      () => interpreter.runCode("1", { binding: "PYTHON", ...options }),
    ];
    for (const call of calls) {
      const error = await failureOf(call);
      assert(error.message.includes(`Belljar at ${at.url} `), error.message);
      assert(error.message.endsWith(". The run may have happened"), error.message);
      assertEquals([error.code, error.retryable], ["UNREACHABLE", false]);
      assertEquals(error.context, { address: at.url, sent: true });
      assert(error.cause !== undefined || index === 3);
    }
    const listing = await failureOf(() => env.Sandbox.usage(ONCE));
    if (index < 2) assert(listing.message.endsWith("The call may have been done"), listing.message);
  }
});

/** How `fetch` of other programs fails, and what was said. */
const CAUSES: readonly (readonly [Error, string])[] = [
  [new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } }), "connection refused"],
  [new TypeError("fetch failed", { cause: { code: "ENOTFOUND" } }), "unknown host"],
  [
    new TypeError("fetch failed", {
      cause: new AggregateError([Object.assign(new Error(), { code: "ECONNREFUSED" })]),
    }),
    "connection refused",
  ],
  [Object.assign(new Error("Unable to connect"), { code: "ConnectionRefused" }), "refused"],
];

Deno.test("unreachable: reasons that Node and Bun give", async () => {
  for (const [cause, reason] of CAUSES) {
    const env = connect("https://a.example", { fetch: () => Promise.reject(cause) });
    const error = await failureOf(() => runCode(env.PYTHON, "1", ONCE));
    assert(error.message.includes(`${reason}). Nothing was sent`), error.message);
    assertEquals([error.retryable, error.cause], [true, cause]);
  }
  for (const code of ["ECONNRESET", "UND_ERR_SOCKET", "EPIPE", 1, undefined]) {
    const cause = new TypeError("fetch failed", { cause: { code } });
    const env = connect("https://a.example", { fetch: () => Promise.reject(cause) });
    const error = await failureOf(() => runCode(env.PYTHON, "1", ONCE));
    assertEquals([error.code, error.retryable], ["UNREACHABLE", false]);
  }
});

Deno.test("unreachable: in a browser the message names CORS and the origin to allow", async () => {
  const known = Object.getOwnPropertyDescriptor(globalThis, "location");
  const failing = () => Promise.reject(new TypeError("Failed to fetch"));
  try {
    const value = { origin: "http://localhost:3000" };
    Object.defineProperty(globalThis, "location", { value, configurable: true });
    const foreign = connect("http://127.0.0.1:8000", { fetch: failing });
    const error = await failureOf(() => runCode(foreign.PYTHON, "1", ONCE));
    assert(error.message.includes("CORS"), error.message);
    assert(error.message.includes("ALLOWED_ORIGINS must contain http://localhost:3000"));
    assertEquals(error.retryable, false);
    const own = connect("http://localhost:3000/x", { fetch: failing });
    const same = await failureOf(() => runCode(own.PYTHON, "1", ONCE));
    assert(!same.message.includes("CORS"), same.message);
  } finally {
    if (known === undefined) Reflect.deleteProperty(globalThis, "location");
    else Object.defineProperty(globalThis, "location", known);
  }
});
