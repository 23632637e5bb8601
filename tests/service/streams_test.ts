/** Streams of runs, seen by callers of a service in its own process. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { RunEvent } from "../../client/protocol/run_events.ts";
import type { BundledLanguage as Language } from "../../shared/languages.ts";
import { processTree } from "../support/process.ts";
import { callJson } from "../support/program.ts";
import { eventsOf, heard, streamHeaders } from "../support/run_stream.ts";
import { type Service, startService } from "../support/service.ts";
import { pause, until } from "../support/wait.ts";
import { STOP_GRACE_MS } from "../../shared/limits.ts";

/** Programs that write a line and then go on for as long as they may. */
const ENDLESS: Readonly<Record<Language, string>> = {
  javascript: "var x = 2; console.log('here'); for (;;) {}",
  python: "x = 2\nprint('here')\nwhile True: pass",
  perl: 'our $x = 2; print "here\\n"; 1 while 1',
  ruby: "puts 'here'; loop {}",
};
const LONG = { FUEL_JAVASCRIPT: String(2 ** 50), WALL_MS: "60000", MAX_KILLS_PER_MINUTE: "1000" };

function stream(url: string, path: string, code: string, init: RequestInit = {}) {
  const body = JSON.stringify({ code });
  return fetch(url + path, { method: "POST", headers: streamHeaders(), body, ...init });
}

/** Reads the events of an answer up to one of a type, and goes on from there when asked to. */
async function upTo(answer: Response, type: RunEvent["type"]) {
  const events = eventsOf(answer);
  for (;;) {
    const { done, value } = await events.next();
    assert(!done, `no ${type} came`);
    if (value.type === type) return { event: value, rest: events };
  }
}

/** Stops a service for a second, which begins shortly before `ms` from now, as a busy machine may. */
async function heldUp({ pid }: Service, ms: number): Promise<void> {
  await pause(ms - 200);
  Deno.kill(pid, "SIGSTOP");
  await pause(1_000);
  Deno.kill(pid, "SIGCONT");
}

const boxOf = (language: string) => `/languages/${language}/sandboxes/box`;

async function value(service: Service, language: string, code: string) {
  const { body } = await callJson(`${service.url}${boxOf(language)}/execute`, { code });
  return [body["results"], body["executionCount"]];
}

Deno.test("service: a line arrives while the program computes, and a disconnect ends the run", async (t) => {
  await using service = await startService({ ...LONG, FUEL_PYTHON: String(2 ** 50) });
  for (const language of ["javascript", "python", "perl"] as const) {
    await t.step(language, async () => {
      const first = language === "perl" ? "our $x = 1; 0" : "x = 1";
      await value(service, language, first);
      const answer = await stream(service.url, `${boxOf(language)}/execute`, ENDLESS[language]);
      const { event, rest } = await upTo(answer, "stdout");
      assertEquals(event, { type: "stdout", text: "here" });
      await rest.return(undefined);
      const asked = language === "perl" ? "$x" : "x";
      assertEquals(await value(service, language, asked), [[{ text: "1" }], 2]);
    });
  }
  await t.step("ruby", async () => {
    const answer = await stream(service.url, "/execute/ruby", ENDLESS.ruby);
    await (await upTo(answer, "stdout")).rest.return(undefined);
  });
});

Deno.test("service: a disconnect before a stream begins ends the run", async () => {
  await using service = await startService({ ...LONG, LANGUAGES: "javascript", ISOLATES: "1" });
  await value(service, "javascript", "var n = 0");
  const path = `${boxOf("javascript")}/execute`;
  const first = await upTo(await stream(service.url, path, ENDLESS.javascript), "stdout");
  const leavers = [path, path, "/execute"].map((waiting) => {
    const caller = new AbortController();
    // without an end of its own, because a run may begin before the service knows that its caller left
    const left = assertRejects(() =>
      stream(service.url, waiting, "n++; for (;;) {}", { signal: caller.signal })
    );
    return { caller, left };
  });
  await pause(200);
  for (const { caller, left } of leavers) {
    caller.abort();
    await left;
  }
  await first.rest.return(undefined);
  assertEquals(await value(service, "javascript", "n"), [[{ text: "0" }], 2]);
});

/** Asks for a stream on a connection from which nothing is read. */
async function unread(
  service: Service,
  path: string,
  code: string,
  accept: string,
): Promise<Deno.Conn> {
  const { hostname, port } = new URL(service.url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const body = JSON.stringify({ code });
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
    `accept: ${accept}\r\ncontent-length: ${body.length}\r\n\r\n`;
  await connection.write(new TextEncoder().encode(head + body));
  return connection;
}

/** Asserts that three runs end, one after the other, though nothing of their answers is read. */
async function assertRunsEnd(code: string, forms: readonly [string, string, string]) {
  await using service = await startService({
    LANGUAGES: "javascript",
    ISOLATES: "1",
    RUNS_PER_TENANT: "1",
  });
  const path = `${boxOf("javascript")}/execute`;
  const connections: Deno.Conn[] = [];
  for (const form of forms) connections.push(await unread(service, path, code, form));
  await until(async () =>
    JSON.stringify((await value(service, "javascript", "n"))[0]) === '[{"text":"3"}]'
  );
  for (const connection of connections) connection.close();
}

const LINES = "application/x-ndjson";

Deno.test("service: unread streams hold no isolate, no place and no turn", () =>
  assertRunsEnd(
    "var n = (globalThis.n ?? 0) + 1; for (let i = 0; i < 900; i++) console.log('x'.repeat(1000))",
    [LINES, LINES, LINES],
  ));

/** Shows nearly 1 MiB in 15 entries, and counts the runs. */
const SHOWS_MUCH = `var n = (globalThis.n ?? 0) + 1;
for (let i = 0; i < 15; i++) {
  display({ [Symbol.for("Jupyter.display")]: () => ({ "text/html": String(i).padEnd(69_000, "x") }) });
}`;

Deno.test("service: displays of 1 MiB that nobody reads hold no isolate, no place and no turn", () =>
  assertRunsEnd(SHOWS_MUCH, [LINES, "text/event-stream", "application/json"]));

/** A body in small pieces, each read after a pause. */
async function readSlowly({ body, headers }: Response): Promise<Response> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of body ?? []) {
    pieces.push(piece);
    await pause(10);
  }
  return new Response(await new Blob(pieces).arrayBuffer(), { headers });
}

Deno.test("service: displays of 1 MiB arrive whole at callers that read late and slowly", async () => {
  await using service = await startService({ LANGUAGES: "javascript", ISOLATES: "1" });
  const plain = { headers: { "content-type": "application/json" } };
  const answers = await Promise.all([
    stream(service.url, "/execute", SHOWS_MUCH),
    stream(service.url, "/execute", SHOWS_MUCH, { headers: streamHeaders("text/event-stream") }),
    stream(service.url, "/execute", SHOWS_MUCH, plain),
  ]);
  const other = await callJson(`${service.url}/execute`, { code: "1 + 1" });
  assertEquals(other.body["results"], [{ text: "2" }]);
  const [lines, events, whole] = await Promise.all(answers.map(readSlowly));
  assert(lines !== undefined && events !== undefined && whole !== undefined);
  const shown = Array.from({ length: 15 }, (_, i) => ({
    data: { "text/html": String(i).padEnd(69_000, "x") },
  }));
  assertEquals((await whole.json()).displays, shown);
  for (const answer of [lines, events]) {
    const { displays, last } = await heard(answer);
    assertEquals(displays, shown);
    assert("displays" in last);
    assertEquals(last.displays, shown);
  }
});

Deno.test("service: an isolate that dies in mid-stream ends it with `failed`, a service without an end", async () => {
  const folder = await Deno.makeTempDir();
  const env = { ...LONG, LANGUAGES: "javascript", ISOLATES: "1", KV_PATH: `${folder}/kv.sqlite3` };
  const path = `${boxOf("javascript")}/execute`;
  {
    await using service = await startService(env);
    const told = await heard(await stream(service.url, path, "var x = 1; console.log(x)"));
    assertEquals(told.types, ["start", "stdout", "end"]);
    const dying = await upTo(await stream(service.url, path, ENDLESS.javascript), "stdout");
    for (const isolate of (await processTree(service.pid)).slice(1)) Deno.kill(isolate, "SIGKILL");
    const { done, value: last } = await dying.rest.next();
    assert(!done && last.type === "failed", JSON.stringify(last));
    assertEquals([last.error.httpStatus, last.error.code], [502, "INTERNAL_ERROR"]);
    assertEquals((await dying.rest.next()).done, true);
    const killed = await upTo(await stream(service.url, path, ENDLESS.javascript), "stdout");
    await service.end("SIGKILL");
    await assertRejects(() => killed.rest.next());
  }
  await using service = await startService(env);
  assertEquals(await value(service, "javascript", "x"), [[{ text: "1" }], 2]);
  await service.end("SIGTERM");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("service: a stop ends a stream with `failed`, even if the machine is held up meanwhile", async () => {
  // after its grace a stop gives a second to last events, which a busy machine may miss
  for (let attempt = 0;; attempt++) {
    await using service = await startService({ ...LONG, LANGUAGES: "javascript", ISOLATES: "1" });
    const answer = await stream(service.url, "/execute", ENDLESS.javascript);
    const stopped = await upTo(answer, "stdout");
    const ended = service.end("SIGTERM");
    await heldUp(service, STOP_GRACE_MS);
    const last = await stopped.rest.next().catch(() => undefined);
    await ended;
    if (last === undefined && attempt < 5) continue;
    assert(last?.value?.type === "failed", JSON.stringify(last));
    const { error } = last.value;
    assertEquals([error.httpStatus, error.code], [503, "OVERLOADED"]);
    return;
  }
});
