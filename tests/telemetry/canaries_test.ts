// test: long
/**
 * Strings that look like nothing else go through every route of a gateway and of a runtime that
 * is served alone: in code, values, output, errors, names and contents of files, tokens. None may
 * come out of the processes, nor reach the telemetry.
 */
import { assert, assertEquals } from "@std/assert";
import { atWorkBelow } from "../support/process.ts";
import { type Program, startProgram } from "../support/program.ts";
import { until } from "../support/wait.ts";
import { startReceiver } from "./receiver.ts";

/** Each canary says where it was put. */
const canary = (place: string) => `canary${place}q7z`;
const CANARY = /canary\w*q7z/g;

/** Programs that write, fail and end with canaries, one per language. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  javascript: [
    `console.log("${canary("out")}"); console.error("${canary("err")}"); "${canary("value")}"`,
    `throw new Error("${canary("message")}")`,
    `JSON.parse("${canary("parsed")}")`,
    `const ${canary("syntax")} = ;`,
    `console.log("${canary("limit")}"); for (;;);`,
    `"${canary("large")}".repeat(1e6)`,
  ],
  python: [
    `print("${canary("out")}"); {"${canary("key")}": "${canary("value")}"}`,
    `raise ValueError("${canary("message")}")`,
    `${canary("syntax")} = = 1`,
  ],
  perl: [`print "${canary("out")}\\n"; "${canary("value")}"`, `die "${canary("message")}"`],
  ruby: [`puts "${canary("out")}"; "${canary("value")}"`, `raise "${canary("message")}"`],
};

/** A program without an end has one soon. */
const LIMITS = { fuel: 1_000_000_000 };

/** Bodies that are refused, for routes that take some. */
const BAD_BODIES = [
  `{"code": ${canary("json")}`,
  `"${canary("string")}"`,
  JSON.stringify({ code: canary("code"), input: canary("input") }),
  JSON.stringify({ code: 5, envVars: { [canary("name") + "!"]: canary("env") } }),
  JSON.stringify({ code: "1", envVars: { A: { b: canary("env") } } }),
  JSON.stringify({ code: "1", limits: { [canary("limit name")]: 1 } }),
  JSON.stringify({ code: "1", limits: { fuel: canary("fuel") } }),
  JSON.stringify({ op: canary("op"), path: canary("path") }),
  JSON.stringify({ op: "read", path: `/${canary("path")}` }),
  JSON.stringify({
    op: "write",
    path: canary("path"),
    content: canary("base"),
    encoding: "base64",
  }),
  JSON.stringify({ binding: canary("binding"), cwd: canary("cwd") }),
];

const FILE_CALLS = [
  { op: "mkdir", path: `/workspace/${canary("dir")}`, recursive: true },
  { op: "write", path: `/workspace/${canary("dir")}/f`, content: canary("content") },
  { op: "read", path: `/workspace/${canary("dir")}/f` },
  { op: "stat", path: `/workspace/${canary("dir")}/f` },
  { op: "exists", path: `/workspace/${canary("dir")}/f` },
  { op: "rename", path: `/workspace/${canary("dir")}/f`, newPath: `/workspace/${canary("new")}` },
  { op: "move", path: `/workspace/${canary("new")}`, newPath: "/workspace/f" },
  { op: "list", path: "/workspace", recursive: true },
  { op: "read", path: `/workspace/${canary("none")}` },
  { op: "delete", path: `/workspace/${canary("dir")}` },
];

interface Caller {
  readonly url: string;
  readonly token: string;
}

/** Sends something and forgets the answer; gives the status. */
async function send(
  { url, token }: Caller,
  method: string,
  path: string,
  body?: string,
): Promise<number> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      "content-type": "application/json",
      "authorization": `Bearer ${token}`,
      "x-own": canary("header"),
      "cookie": canary("cookie"),
    },
    ...(body === undefined ? {} : { body }),
  });
  await response.body?.cancel();
  return response.status;
}

async function useStateless(caller: Caller): Promise<void> {
  const envVars = { SECRET: canary("env") };
  for (const [language, programs] of Object.entries(PROGRAMS)) {
    for (const code of programs) {
      const body = JSON.stringify({ code, envVars, limits: LIMITS });
      await send(caller, "POST", `/execute/${language}`, body);
    }
  }
  for (const body of BAD_BODIES) {
    await send(caller, "POST", "/execute", body);
    await send(caller, "POST", `/execute/${canary("language").slice(6)}`, body);
  }
  for (const path of ["/healthz", "/languages", "/openapi.json", "/docs", "/none"]) {
    for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
      await send(caller, method, path, method === "POST" ? canary("body") : undefined);
    }
  }
  await send({ ...caller, token: canary("wrongtoken") }, "GET", "/languages");
}

async function useSandbox(caller: Caller, language: string): Promise<void> {
  const box = `/languages/${language}/sandboxes/box`;
  const envVars = { SECRET: canary("env") };
  const json = (value: unknown) => JSON.stringify(value);
  assertEquals(await send(caller, "POST", `${box}/env`, json({ envVars })), 200);
  for (const call of FILE_CALLS) await send(caller, "POST", `${box}/files`, json(call));
  const bytes = `${box}/files/bytes`; // names are in URLs, and those are in traces
  assertEquals(await send(caller, "PUT", bytes, canary("content")), 201);
  assertEquals(await send(caller, "PUT", `${bytes}/in`, canary("content")), 400);
  for (const method of ["GET", "HEAD", "DELETE"]) await send(caller, method, bytes);
  await send(caller, "GET", "/sandboxes");
  await send(caller, "POST", `${box}/contexts`, json({ envVars }));
  for (const code of PROGRAMS[language] ?? []) {
    const status = await send(
      caller,
      "POST",
      `${box}/execute`,
      json({ code, envVars, limits: LIMITS }),
    );
    assertEquals(status, 200);
  }
  for (const body of BAD_BODIES) {
    for (const path of ["env", "files", "contexts", "execute"]) {
      await send(caller, "POST", `${box}/${path}`, body);
    }
  }
  await send(caller, "GET", box);
  await send(caller, "GET", `${box}/contexts`);
  await send(caller, "DELETE", `${box}/contexts/none`);
  await send(caller, "DELETE", box);
}

/** An endless loop is still going on when its isolate is killed, on any machine. */
const NO_FUEL_LIMIT = { FUEL_JAVASCRIPT: String(2 ** 50), WALL_MS: "30000" };

/** A run whose isolate is killed, and one whose caller leaves. */
async function breakRuns(caller: Caller, program: Program): Promise<void> {
  const body = JSON.stringify({ code: `console.log("${canary("broken")}"); for (;;);` });
  const running = send(caller, "POST", "/execute", body);
  for (const pid of await atWorkBelow(program.pid)) Deno.kill(pid, "SIGKILL");
  assertEquals(await running, 502);
  // leaves a run in another isolate, so one is to be there
  await until(async () => await send(caller, "POST", "/execute", '{"code":"1"}') === 200);
  const leaving = new AbortController();
  const left = fetch(`${caller.url}/execute`, {
    method: "POST",
    headers: { "content-type": "application/json", "authorization": `Bearer ${caller.token}` },
    body,
    signal: leaving.signal,
  });
  await atWorkBelow(program.pid);
  leaving.abort();
  await left.catch(() => undefined);
}

Deno.test("telemetry: no code, value, output, file or token leaves in logs or telemetry", async (t) => {
  await using receiver = startReceiver();
  const own = canary("runtimetoken");
  await using runtime = await startProgram({
    args: ["runtime", "python"],
    env: { ...receiver.env, TOKENS: `gateway:${own}`, KV_PATH: ":memory:" },
  });
  const token = canary("token");
  await using gateway = await startProgram({
    env: {
      ...receiver.env,
      ...NO_FUEL_LIMIT,
      TOKENS: `t:${token}`,
    },
  });
  const caller = { url: gateway.url, token };
  const alone = { url: runtime.url, token: own };
  await useStateless(caller);
  for (const language of ["javascript", "python", "perl"]) await useSandbox(caller, language);
  await breakRuns(caller, gateway);
  for (
    const path of ["/execute", "/interpreters/k/contexts", "/interpreter"]
  ) {
    for (const body of BAD_BODIES) await send(alone, "POST", path, body);
  }
  await send({ ...alone, token: canary("wrongtoken") }, "POST", "/execute", "{}");
  for (const code of PROGRAMS["python"] ?? []) {
    await send(alone, "POST", "/execute", JSON.stringify({ code, limits: LIMITS }));
  }
  await runtime.end("SIGTERM");
  const seenRuns = () => receiver.points().some(({ metric }) => metric === "belljar.runs");
  await until(() => seenRuns() && receiver.spans().length > 0);
  await gateway.end("SIGTERM");

  await t.step("no canary in the output of the processes", () => {
    const written = gateway.output() + runtime.output();
    assert(written.includes("isolate.fault"), "the log has lines");
    assertEquals(written.match(CANARY), null);
  });
  await t.step("the telemetry has none of it", () => {
    assert(receiver.text().length > 10_000, "there is telemetry");
    assertEquals(receiver.text().match(CANARY), null);
  });
  await t.step("each line of the log is JSON in ASCII", () => {
    const lines = gateway.output().split("\n").filter((line) => line.startsWith("{"));
    for (const line of lines) {
      assertEquals(typeof JSON.parse(line).event, "string");
      assert(/^[\x20-\x7e]*$/.test(line));
    }
  });
});
