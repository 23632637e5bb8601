/** `TOOLS`: a service whose file of tools changes, its approving tokens, and its secrets. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { jsonPost } from "../support/json_post.ts";
import { NotStarted, startProgram } from "../support/program.ts";
import { until } from "../support/wait.ts";
import { serveTools } from "./fixture.ts";

const ANN = "ann-0123456789abcdef";
const APPROVER = "apr-0123456789abcdef";
const CANARY = "c4n4ry-of-the-operator";
const BOX = "/languages/javascript/sandboxes/box";

Deno.test("tools: a service performs operations, asks approvers, and keeps its secrets", async () => {
  await using server = serveTools(({ headers, target }) =>
    Response.json({ target, key: headers.get("x-key") })
  );
  const folder = await Deno.makeTempDir();
  const path = `${folder}/tools.jsonc`;
  const file = (tenants: unknown, method = "GET") => ({
    operations: {
      "crm.find": {
        method,
        url: `${server.url}/customers/{id}`,
        headers: { "x-key": "${CRM_KEY}" },
        inputSchema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
      },
      "crm.pay": { method: "POST", url: `${server.url}/pay`, approval: "always" },
    },
    tenants,
    privateAddresses: [server.address],
  });
  const write = async (content: unknown) => {
    await Deno.writeTextFile(`${folder}/next`, JSON.stringify(content));
    await Deno.rename(`${folder}/next`, path);
  };
  const env = {
    LANGUAGES: "javascript",
    TOOLS: path,
    TOKENS: `ann:${ANN},ann:${APPROVER}:approve`,
    KV_PATH: `${folder}/data.sqlite3`,
    CRM_KEY: CANARY,
  };
  try {
    await write(file({ ann: ["nothing.*"] }, "FETCH"));
    const refused = await assertRejects(() => startProgram({ env, stderr: "piped" }), NotStarted);
    assertMatch(refused.message, /tools\.jsonc: \/operations\/crm\.find\/method: must be GET, /);
    assertMatch(refused.message, /tools\.jsonc: \/tenants\/ann\/0: matches no operation/);

    await write(file({ ann: ["crm.*"] }));
    const program = await startProgram({ env, stderr: "piped" });
    const texts: string[] = [];
    const send = async (token: string, target: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      headers.set("authorization", `Bearer ${token}`);
      const answer = await fetch(`${program.url}${target}`, { ...init, headers });
      const text = await answer.text();
      texts.push(text);
      return { status: answer.status, body: JSON.parse(text) };
    };
    const run = (token: string, code: string, tools: readonly unknown[] = ["crm.*"]) =>
      send(token, `${BOX}/execute`, jsonPost({ code, tools }));
    const find = "const found = await tools.crm.find({ id: 7 }); found.target + found.key";
    assertEquals((await run(ANN, find)).body.results[0].text, "'/customers/7[secret]'");
    const stateless = jsonPost({ code: find, tools: ["crm.find"] });
    const plain = await send(ANN, "/execute/javascript", stateless);
    assertEquals(plain.body.results[0].text, "'/customers/7[secret]'");

    const waiting = (await run(ANN, "(await tools.crm.pay({ sum: 1 })).target")).body.waiting;
    const answer = (key: string, more: object) => jsonPost({ answers: [{ key, ...more }] });
    const key = waiting.calls[0].key;
    const listed = await send(APPROVER, "/runs");
    assertEquals(listed.body.runs.map(({ waiting }: { waiting: unknown }) => waiting), [waiting]);
    for (const target of [`${BOX}/runs`, `/runs/${waiting.run}`, `${BOX}/journal/${waiting.run}`]) {
      assertEquals((await send(APPROVER, target)).status, 200, target);
    }
    const forbidden: readonly (readonly [target: string, init: RequestInit])[] = [
      ["/languages", {}],
      ["/tools", {}],
      ["/sandboxes", {}],
      [BOX, {}],
      ["/execute/javascript", jsonPost({ code: "1" })],
      [`/runs/${waiting.run}`, { method: "DELETE" }],
      [`/runs/${waiting.run}/answers`, answer(key, { value: 1 })],
      [`/runs/${waiting.run}/answers`, answer(key, { error: { message: "x" } })],
      ["/mcp", jsonPost({})],
      ["/usage", {}],
      ["/openapi.json", {}],
    ];
    for (const [target, init] of forbidden) {
      assertEquals((await send(APPROVER, target, init)).status, 403, target);
    }
    const paid = await send(
      APPROVER,
      `/runs/${waiting.run}/answers`,
      answer(key, { approve: true }),
    );
    assertEquals(paid.body.results[0].text, "'/pay'");
    assertEquals(server.seen.at(-1)?.body, '{"sum":1}');
    const journal = await send(ANN, `/journal/${waiting.run}`);
    const [call] = journal.body.calls;
    assertEquals([call.decision.by, call.decision.approve, call.outcome], [
      "approver",
      true,
      "value",
    ]);

    await write(file({ ann: ["crm.pay"] }, "FETCH"));
    await until(() => program.output().includes("tools.refused"));
    assertEquals((await run(ANN, find)).status, 200);
    await write(file({ ann: ["crm.pay"] }));
    await until(() => program.output().split("tools.loaded").length === 3);
    const lost = await run(ANN, find, ["crm.find"]);
    assertEquals([lost.status, lost.body.message], [400, "tools[0]: 'crm.find' is not available"]);
    assertEquals((await send(ANN, "/tools")).body.tools.length, 1);
    await program.end("SIGTERM");

    const stored = new TextDecoder("latin1").decode(await Deno.readFile(`${folder}/data.sqlite3`));
    for (
      const [name, text] of [["store", stored], ["log", program.output()], [
        "answers",
        texts.join(),
      ]]
    ) {
      assert(!text?.includes(CANARY), name);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
