// test: long
/** Jupyter's messages by a WebSocket, against a real service. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { sharedService } from "../../support/shared_service.ts";
import { Channels, rest, startKernel, type Tenant } from "./client.ts";

const TOKENS = Array.from({ length: 10 }, (_, n) => `tenant${n}:jupyter_token_${n}`).join();
const service = sharedService({ LANGUAGES: "javascript,python,perl,ruby", TOKENS });
let taken = 0;

function newTenant(): Tenant {
  return { url: service().url, token: `jupyter_token_${taken++}` };
}

Deno.test("jupyter channels: names in the memory are completed and inspected, and nothing changes", async () => {
  const tenant = newTenant();
  const kernel = await startKernel(tenant);
  await using channels = await Channels.open(tenant, kernel);
  await channels.run("def measure_all(a, b=1):\n  'Docs.'\nimport math");
  const replyTo = async (type: string, code: string, cursor_pos = [...code].length) =>
    (await channels.reply(channels.send(type, { code, cursor_pos, detail_level: 0 }))).content;
  const completed = await replyTo("complete_request", "😀 = 1; x = meas");
  assertEquals(completed.matches, ["measure_all"]);
  assertEquals([completed.cursor_start, completed.cursor_end], [11, 15]);
  assertEquals((await replyTo("complete_request", "math.sq")).matches, ["sqrt"]);
  const inspected = await replyTo("inspect_request", "measure_all(1)", 4);
  assertEquals(inspected.found, true);
  assertStringIncludes(inspected.data["text/plain"], "measure_all(a, b=1)\n\nDocs.");
  assertEquals((await replyTo("inspect_request", "not_there")).found, false);
  const { reply } = await channels.run("1");
  assertEquals(reply.execution_count, 2);
});

Deno.test("jupyter channels: a cell has output, displays, its value, errors, and its number", async () => {
  const tenant = newTenant();
  const kernel = await startKernel(tenant);
  for (const protocols of [[], ["v1.kernel.websocket.jupyter.org"]]) {
    await using channels = await Channels.open(tenant, kernel, protocols);
    const info = await channels.reply(channels.send("kernel_info_request"));
    assertEquals([info.header.msg_type, info.content.protocol_version], [
      "kernel_info_reply",
      "5.4",
    ]);
    assertEquals(info.content.language_info.name, "python");
    const printed = await channels.run(
      "import sys\nprint('a')\nprint('ü', end='')\nsys.stderr.write('e\\n')\nx = 41\n'it''s'",
    );
    const stdout = printed.messages.filter(([type, { name }]) =>
      type === "stream" && name === "stdout"
    );
    assertEquals(stdout.map(([, { text }]) => text).join(""), "a\nü");
    const value = printed.messages.find(([type]) => type === "execute_result");
    assertEquals(value?.[1].data["text/plain"], "'its'");
    assertEquals(value?.[1].execution_count, printed.reply.execution_count);
    assertEquals([printed.reply.status, printed.reply.user_expressions], ["ok", {}]);
    const shown = await channels.run(
      "class H:\n  def _repr_html_(self): return '<b>'\nfrom IPython.display import display\ndisplay(H())\nH()",
    );
    const display = shown.messages.find(([type]) => type === "display_data");
    assertEquals(display?.[1].data["text/html"], "<b>");
    const rich = shown.messages.find(([type]) => type === "execute_result");
    assertEquals(rich?.[1].data["text/html"], "<b>");
    const failed = await channels.run("print('before')\n1/0");
    const error = failed.messages.find(([type]) => type === "error");
    assertEquals([failed.reply.status, failed.reply.ename], ["error", "ZeroDivisionError"]);
    assertEquals(error?.[1].ename, "ZeroDivisionError");
    assert(error?.[1].traceback.length > 0);
    const empty = await channels.run("");
    assertEquals(empty.reply.status, "ok");
    const silent = await channels.run("print('x')\n5", { silent: true });
    assertEquals([silent.messages, silent.reply.status], [[], "ok"]);
  }
});

Deno.test("jupyter channels: a program asks for lines, and its prompts are not printed again", async () => {
  const tenant = newTenant();
  await using channels = await Channels.open(tenant, await startKernel(tenant));
  const id = channels.send("execute_request", {
    code: "print('hello')\na = input('Name? ')\nb = input('Age? ')\nprint(a, b)\na + b",
    allow_stdin: true,
  });
  for (const [prompt, value] of [["Name? ", "Ada"], ["Age? ", "41"]]) {
    const asked = await channels.next(({ channel }) => channel === "stdin");
    assertEquals([asked.header.msg_type, asked.content.prompt], ["input_request", prompt]);
    channels.send("input_reply", { value, status: "ok" }, "stdin");
  }
  const { reply, messages } = await channels.ended(id);
  const text = messages.filter(([type]) => type === "stream").map(([, { text }]) => text).join("");
  assertEquals([reply.status, text], ["ok", "hello\nAda 41\n"]);
  const value = messages.find(([type]) => type === "execute_result");
  assertEquals(value?.[1].data["text/plain"], "'Ada41'");
  const refused = await channels.run("input()", { allow_stdin: false });
  assertEquals([refused.reply.status, refused.reply.ename], ["error", "EOFError"]);
});

Deno.test("jupyter channels: an interrupt ends a computing cell and one that asks, and memory stays", async () => {
  const tenant = newTenant();
  const kernel = await startKernel(tenant);
  await using channels = await Channels.open(tenant, kernel);
  await channels.run("x = 1");
  for (const allow_stdin of [false, true]) {
    const id = channels.send("execute_request", {
      code: "print('go')\nwhile True: pass",
      allow_stdin,
    });
    const later = channels.send("execute_request", { code: "x = 2" });
    await channels.next(({ header }) => header.msg_type === "stream");
    if (allow_stdin) {
      const interrupt = channels.send("interrupt_request", {}, "control");
      assertEquals((await channels.reply(interrupt)).content.status, "ok");
    } else {
      assertEquals((await rest(tenant, `POST /kernels/${kernel}/interrupt`)).status, 204);
    }
    assertEquals((await channels.reply(id)).content.ename, "KeyboardInterrupt");
    assertEquals((await channels.reply(later)).content.status, "aborted");
  }
  const asking = channels.send("execute_request", { code: "input('? ')", allow_stdin: true });
  await channels.next(({ channel }) => channel === "stdin");
  channels.send("interrupt_request", {}, "control");
  assertEquals((await channels.reply(asking)).content.status, "error");
  const { messages, reply } = await channels.run("x");
  assertEquals(reply.status, "ok", JSON.stringify(reply));
  assertEquals(messages.find(([type]) => type === "execute_result")?.[1].data["text/plain"], "1");
});

Deno.test("jupyter channels: each enabled language is a kernel, and restart empties its memory only", async () => {
  const tenant = newTenant();
  const { json } = await rest(tenant, "GET /kernelspecs");
  assertEquals(json.default, "python3");
  assertEquals(Object.keys(json.kernelspecs), ["javascript", "python3", "perl", "ruby"]);
  const sums = { javascript: "20 + 22", python3: "20 + 22", perl: "20 + 22", ruby: "20 + 22" };
  for (const [name, code] of Object.entries(sums)) {
    const kernel = await startKernel(tenant, name);
    await using channels = await Channels.open(tenant, kernel);
    const { messages, reply } = await channels.run(code, { allow_stdin: true });
    assertEquals(reply.status, "ok", JSON.stringify(reply));
    const value = messages.find(([type]) => type === "execute_result");
    assertEquals(value?.[1].data["text/plain"], "42", name);
    if (name !== "python3") continue;
    await channels.run("y = 1\nopen('f', 'w').write('kept')");
    assertEquals((await rest(tenant, `POST /kernels/${kernel}/restart`)).status, 200);
    assertEquals((await channels.run("y")).reply.ename, "NameError");
    const kept = await channels.run("open('f').read()");
    assertEquals(kept.messages.at(-1)?.[1].data["text/plain"], "'kept'");
  }
});

Deno.test("jupyter channels: other requests have replies, and what is no message closes the socket", async () => {
  const tenant = newTenant();
  const kernel = await startKernel(tenant);
  await using channels = await Channels.open(tenant, kernel);
  const replyTo = async (type: string, content: unknown) =>
    (await channels.reply(channels.send(type, content))).content;
  const completed = await replyTo("complete_request", { code: "value = 1\nval", cursor_pos: 13 });
  assertEquals([completed.matches, completed.cursor_start, completed.cursor_end], [
    ["value"],
    10,
    13,
  ]);
  assertEquals((await replyTo("complete_request", { code: 1 })).status, "error");
  assertEquals((await replyTo("inspect_request", { code: "x", cursor_pos: 1 })).found, false);
  assertEquals((await replyTo("is_complete_request", { code: "x" })).status, "unknown");
  assertEquals((await replyTo("history_request", {})).history, []);
  assertEquals((await replyTo("comm_info_request", {})).comms, {});
  assertEquals((await replyTo("debug_request", {})).status, "error");
  assertEquals((await replyTo("execute_request", { code: 1 })).status, "error");
  channels.send("comm_open", { comm_id: "c", target_name: "t", data: {} });
  const closed = await channels.next(({ header }) => header.msg_type === "comm_close");
  assertEquals(closed.content.comm_id, "c");
  const header = { msg_id: "plain", msg_type: "kernel_info_request" };
  channels.socket.send(JSON.stringify({ header, content: {} }));
  assertEquals((await channels.reply("plain")).content.status, "ok");
  const bad: readonly (string | Uint8Array<ArrayBuffer>)[] = [
    "{",
    "[]",
    "{}",
    JSON.stringify({ header: { msg_id: 1, msg_type: "x" } }),
    JSON.stringify({ header, content: "x".repeat(1024 * 1024) }),
    `${"[".repeat(20_000)}`,
    new Uint8Array(),
    new Uint8Array(8).fill(255),
    new Uint8Array(200).fill(3),
  ];
  for (const data of bad) {
    await using other = await Channels.open(tenant, kernel);
    other.socket.send(data);
    await assertRejects(() => other.next(() => false), Error, "closed");
  }
});

Deno.test("jupyter channels: tenants are apart, and a client that leaves does not end its cell", async () => {
  const [tenant, other] = [newTenant(), newTenant()];
  const kernel = await startKernel(tenant);
  await assertRejects(() => Channels.open(other, kernel));
  await assertRejects(() => Channels.open({ ...tenant, token: "unknown_token" }, kernel));
  assertEquals((await rest(other, `GET /kernels/${kernel}`)).status, 404);
  assertEquals((await rest(other, `DELETE /kernels/${kernel}`)).status, 404);
  assertEquals((await rest(other, "GET /kernels")).json, []);
  {
    await using leaving = await Channels.open(tenant, kernel);
    leaving.send("execute_request", {
      code: "print('begun')\nfor n in range(300_000): z = n\nprint(z)",
      allow_stdin: true,
    });
    await leaving.next(({ header }) => header.msg_type === "stream");
  }
  await using back = await Channels.open(tenant, kernel);
  const { messages } = await back.run("z");
  assertEquals(messages.at(-1)?.[1].data["text/plain"], "299999");
  await using second = await Channels.open(tenant, kernel);
  await back.run("'all see it'");
  const seen = await second.next(({ header }) => header.msg_type === "execute_result");
  assertStringIncludes(seen.content.data["text/plain"], "all see it");
  assertEquals((await rest(tenant, `DELETE /kernels/${kernel}`)).status, 204);
  await assertRejects(() => second.next(() => false), Error, "closed");
});
