/** `connect()`: what goes where on a gateway (docs/contract.md#gateway-routes). */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  connect,
  getSandbox,
  runCode,
  SandboxError,
  ValidationFailedError,
} from "../../client/mod.ts";
import { failing, type Recorder, recorder, RESULT } from "./recording.ts";

const BASE = "https://belljar.example/api";

/** A gateway whose first enabled language is Perl. */
function gateway(): Recorder {
  return recorder(({ route }) => {
    if (!route.endsWith("/languages")) return Response.json(RESULT);
    const languages = ["../x", "javascript", "python", "perl", "ruby"].map((id) => {
      const enabled = id !== "javascript" && id !== "python";
      return { id, engine: `engine of ${id}`, enabled, contexts: id !== "ruby" };
    });
    return Response.json({ languages });
  });
}

function connected(binding: Recorder) {
  return connect(`${BASE}//?query#fragment`, { token: "secret", fetch: binding.fetch });
}

Deno.test("connect: a runtime is reached at /execute/<language>", async () => {
  const binding = gateway();
  const env = connected(binding);
  await runCode(env.JAVASCRIPT, "1", { envVars: { A: "b" } });
  await runCode(env.RUBY, "1");
  assertEquals(binding.routes, [`POST ${BASE}/execute/javascript`, `POST ${BASE}/execute/ruby`]);
  assertEquals(binding.seen[0]?.body, { code: "1", envVars: { A: "b" } });
  assertEquals(binding.seen[0]?.headers.get("authorization"), "Bearer secret");
  assertEquals(binding.seen[0]?.headers.get("content-type"), "application/json");
});

Deno.test("connect: a sandbox is reached through the language of the binding", async () => {
  const binding = gateway();
  const { interpreter } = getSandbox(connected(binding).Sandbox, "ada.1");
  await interpreter.runCode("1", { binding: "PYTHON" });
  await assertRejects(() => interpreter.createCodeContext({ binding: "RUBY" }), SandboxError);
  assertEquals(binding.routes, [
    `POST ${BASE}/languages/python/sandboxes/ada.1/execute`,
    `POST ${BASE}/languages/ruby/sandboxes/ada.1/contexts`,
  ]);
  assertEquals(binding.seen[0]?.headers.get("authorization"), "Bearer secret");
  assertEquals(binding.seen[0]?.headers.get("x-sandbox-id"), "ada.1");
});

Deno.test("connect: calls without a binding use the first enabled language, asked for once", async () => {
  const binding = gateway();
  const sandbox = getSandbox(connected(binding).Sandbox, "ada");
  await sandbox.setEnvVars({ A: "b" });
  await sandbox.destroy();
  await sandbox.interpreter.deleteCodeContext("c1");
  assertEquals(binding.routes, [
    `GET ${BASE}/languages`,
    `POST ${BASE}/languages/perl/sandboxes/ada/env`,
    `DELETE ${BASE}/languages/perl/sandboxes/ada`,
    `DELETE ${BASE}/languages/perl/sandboxes/ada/contexts/c1`,
  ]);
});

Deno.test("connect: a name that is no language's is unknown, without a request", async () => {
  const binding = gateway();
  const { interpreter } = getSandbox(connected(binding).Sandbox, "ada");
  for (const name of ["NOPE", "javascript", "Python", "toString", "Sandbox"]) {
    const calls = [
      () => interpreter.runCode("1", { binding: name }),
      () => interpreter.createCodeContext({ binding: name }),
    ];
    for (const call of calls) {
      const { message } = await assertRejects(call, ValidationFailedError);
      assertEquals(message, `Unknown binding '${name}': JAVASCRIPT, PYTHON, PERL, RUBY or SHELL`);
    }
  }
  assertEquals(binding.seen, []);
});

Deno.test("connect: a language names the binding of a context, by its id or an alias", async () => {
  const binding = gateway();
  const { interpreter } = getSandbox(connected(binding).Sandbox, "ada");
  for (const language of ["python", "py", "ts", "pl"] as const) {
    await interpreter.createCodeContext({ language }).catch(() => undefined);
  }
  await Reflect.apply(interpreter.createCodeContext, undefined, [{ language: "Ruby" }])
    .catch(() => undefined);
  assertEquals(
    binding.routes,
    ["python", "python", "javascript", "perl", "ruby"].map((language) =>
      `POST ${BASE}/languages/${language}/sandboxes/ada/contexts`
    ),
  );
  const call = () => interpreter.runCode("1");
  await assertRejects(
    call,
    ValidationFailedError,
    "binding: JAVASCRIPT, PYTHON, PERL, RUBY or SHELL",
  );
});

Deno.test("connect: languages that could not be listed are asked for again", async () => {
  const listing = gateway();
  const binding = recorder(({ route }, count) => {
    return count === 1 ? failing("UNAUTHORIZED", 401) : listing.fetch(new Request(route.slice(4)));
  });
  const { interpreter } = getSandbox(connected(binding).Sandbox, "ada");
  const error = await assertRejects(() => interpreter.listCodeContexts(), SandboxError);
  assertEquals([error.code, error.httpStatus], ["UNAUTHORIZED", 401]);
  await assertRejects(() => interpreter.listCodeContexts(), SandboxError, "contexts");
  assertEquals(binding.seen.length, 3);
});

Deno.test("connect: an overloaded listing is waited for like any call", async () => {
  const listing = gateway();
  const binding = recorder(({ route }, count) => {
    return count === 1 ? failing("OVERLOADED", 503) : listing.fetch(new Request(route.slice(4)));
  });
  const sleep = () => Promise.resolve();
  const sandbox = getSandbox(connected(binding).Sandbox, "ada", { retry: { sleep } });
  await assertRejects(() => sandbox.info(), SandboxError, "something unexpected");
  assertEquals(binding.seen.length, 3);
});

Deno.test("connect: a service that runs no language says so", async () => {
  const binding = recorder(() => Response.json({ languages: [] }));
  const sandbox = getSandbox(connected(binding).Sandbox, "ada");
  await assertRejects(() => sandbox.info(), SandboxError, "The service runs no language");
});

Deno.test("connect: raw calls of a runtime binding give the probe, and 404 for an unknown route", async () => {
  const binding = gateway();
  const env = connected(binding);
  const probe = await env.PERL.fetch(new Request("http://any.example/interpreter"));
  const expected = { language: "perl", engine: "engine of perl", contexts: true, protocol: 1 };
  assertEquals(await probe.json(), expected);
  const disabled = await env.PYTHON.fetch(new Request("http://any.example/interpreter"));
  const absent = await env.PERL.fetch(new Request("http://any.example/interpreters/x"));
  assertEquals([disabled.status, absent.status], [404, 404]);
  assertEquals((await absent.json()).code, "VALIDATION_FAILED");
  const run = { method: "POST", body: '{"code":"1"}' };
  const answer = await env.PERL.fetch(new Request("http://any.example/execute", run));
  assertEquals(await answer.json(), RESULT);
  assertEquals(binding.routes, [`GET ${BASE}/languages`, `POST ${BASE}/execute/perl`]);
});

Deno.test("connect: a URL or token that cannot be one is refused at once, and not shown", () => {
  for (
    const url of ["", "belljar.example", "ftp://a.example", "file:///etc", "http://u:p@a.example"]
  ) {
    assertThrows(() => connect(url), ValidationFailedError);
  }
  for (const token of ["", "a b", "hush\n", "hüsh"]) {
    const { message } = assertThrows(
      () => connect("http://a.example", { token }),
      ValidationFailedError,
    );
    assertEquals(message, "The token must be visible ASCII characters without spaces");
  }
  connect(new URL("http://a.example"), { token: "a:b.c~d" });
});

Deno.test("connect: without a token there is no such header", async () => {
  const binding = gateway();
  await runCode(connect(BASE, { fetch: binding.fetch }).PERL, "1");
  assertEquals(binding.seen[0]?.headers.has("authorization"), false);
});

Deno.test("connect: a redirect is an error, and no other host gets the token", async () => {
  const seen: string[] = [];
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) => {
      seen.push(new URL(request.url).pathname);
      return new Response(null, { status: 307, headers: { location: "/elsewhere" } });
    },
  );
  const env = connect(`http://127.0.0.1:${server.addr.port}`, { token: "secret" });
  const error = await assertRejects(() => runCode(env.PERL, "1"), SandboxError);
  assertEquals([error.httpStatus, seen], [307, ["/execute/perl"]]);
});

Deno.test("connect: an unreachable service is a SandboxError with the cause", async () => {
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, () => {
    return new Response();
  });
  const { port } = server.addr;
  await server.shutdown();
  const env = connect(`http://127.0.0.1:${port}`);
  const error = await assertRejects(() => runCode(env.PERL, "1"), SandboxError);
  assertEquals([error.code, error.httpStatus], ["UNREACHABLE", 502]);
  assertEquals(error.cause instanceof TypeError, true);
});
