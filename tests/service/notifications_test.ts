// test: long
/** A service tells callers of their runs over HTTP, after a kill too, and tells nobody their secrets. */
import { assert, assertEquals } from "@std/assert";
import { startProgram } from "../support/program.ts";
import { until } from "../support/wait.ts";
import { verified } from "../runs/notifications_fixture.ts";

const SECRET = "canary-4711";
const CODE = "await tools.f({}); 1";

/** A target that fails at first, and the states that it got. */
function serveTarget() {
  const states: string[] = [];
  const target = { isDown: false, attempts: 0 };
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const body = await request.text();
      const headers = Object.fromEntries(request.headers);
      const { state } = verified({ headers, body }, SECRET);
      assertEquals([request.method, headers["content-type"]], ["POST", "application/json"]);
      assertEquals(new URL(request.url).search, `?token=${SECRET}`);
      assertEquals(headers["traceparent"], undefined);
      target.attempts++;
      if (target.isDown) return new Response(SECRET, { status: 500 });
      states.push(state);
      return new Response(null, { status: 204 });
    },
  );
  const host = `127.0.0.1:${server.addr.port}`;
  return {
    host,
    states,
    target,
    notify: { url: `http://${host}/hook?token=${SECRET}`, secret: SECRET },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function post(url: string, path: string, body: unknown) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

Deno.test("service: a run is told after its service is killed, and the log has no secrets", async () => {
  await using receiver = serveTarget();
  const { states, target, notify, host } = receiver;
  const folder = await Deno.makeTempDir();
  const env = { LANGUAGES: "javascript", KV_PATH: `${folder}/kv`, NOTIFY_HOSTS: host };
  let written = "";
  try {
    const first = await startProgram({ env });
    target.isDown = true;
    const fields = { code: CODE, tools: [{ name: "f" }], notify };
    const path = "/languages/javascript/sandboxes/box/execute";
    const { body } = await post(first.url, path, fields);
    const { run } = body.waiting;
    await until(() => target.attempts > 0);
    await first.end("SIGKILL");
    written += first.output();
    target.isDown = false;
    const second = await startProgram({ env });
    await until(() => states.length > 0);
    assertEquals(states, ["waiting"]);
    const answers = [{ key: `${run}/1`, value: 1 }];
    const ended = await post(second.url, `/runs/${run}/answers`, { answers });
    assertEquals(ended.body.results[0].text, "1");
    await until(() => states.length > 1);
    assertEquals(states, ["waiting", "ended"]);
    const shown = await (await fetch(`${second.url}/runs/${run}`)).text();
    await second.end("SIGTERM");
    written += second.output();
    for (const text of [written, shown, JSON.stringify([body, ended])]) {
      assert(!text.includes(SECRET), text);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("service: hosts that the operator does not name get nothing", async () => {
  await using receiver = serveTarget();
  const { notify, host, target } = receiver;
  const run = { code: CODE, tools: [{ name: "f" }] };
  const port = host.split(":")[1];
  await using named = await startProgram({
    // localhost is a name whose address is not on the list
    env: { LANGUAGES: "javascript", NOTIFY_HOSTS: `localhost,hooks.example,10.0.0.0/8` },
  });
  await using without = await startProgram({ env: { LANGUAGES: "javascript" } });
  const off = await post(without.url, "/execute/javascript", { ...run, notify });
  assertEquals([off.status, off.body.code], [400, "VALIDATION_FAILED"]);
  assert(off.body.message.includes("NOTIFY_HOSTS"), off.body.message);
  for (const url of [notify.url, `http://127.1:${port}/`, `https://[::1]:${port}/`]) {
    const refused = await post(named.url, "/execute/javascript", {
      ...run,
      notify: { ...notify, url },
    });
    assertEquals([refused.status, refused.body.code], [400, "VALIDATION_FAILED"]);
    assert(!JSON.stringify(refused.body).includes(SECRET));
  }
  const url = `http://localhost:${port}/`;
  const accepted = await post(named.url, "/execute/javascript", {
    ...run,
    notify: { ...notify, url },
  });
  assertEquals(accepted.status, 200);
  await until(() => named.output().includes("outgoing.refused"));
  assertEquals(target.attempts, 0);
});
