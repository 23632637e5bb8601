// test: long
/**
 * Secrets of the tools file are in requests only: not in the memory of an isolate, nor in its snapshots,
 * the store, the log, the telemetry, an answer or an error, whatever servers do with them.
 */
import { assert, assertEquals } from "@std/assert";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { BUNDLED_LANGUAGES, type BundledLanguage } from "../../shared/languages.ts";
import { processTree } from "../support/process.ts";
import { textsInMemory } from "../support/process_memory.ts";
import { startProgram } from "../support/program.ts";
import { textsInStore } from "../support/stored_texts.ts";
import { until } from "../support/wait.ts";
import { startReceiver } from "../telemetry/receiver.ts";
import { type SeenRequest, serveTools } from "./fixture.ts";

/** A text of the caller, which isolates and snapshots have. */
const MARK = "m4rk_of_the_caller_q7z";
/** The beginning of all secrets. */
const CANARY = "k4n4ry_of_the_";
/** Secrets by their variables. One has characters that JSON escapes, one of them can be a name. */
const SECRETS = {
  WHOLE_KEY: `${CANARY}whole_q7z`,
  PART_KEY: `${CANARY}part "q7z\\`,
  FIRST_KEY: `${CANARY}first_q7z`,
  LATIN_KEY: `${CANARY}latin_äöü`,
  SERVER_KEY: `${CANARY}server_q7z`,
  SECOND_KEY: `${CANARY}second_q7z`,
} as const;
const { WHOLE_KEY, PART_KEY, FIRST_KEY, LATIN_KEY, SERVER_KEY, SECOND_KEY } = SECRETS;
const HEADERS = {
  "x-whole": "${WHOLE_KEY}",
  "x-part": "before ${PART_KEY} after",
  "x-two": "${FIRST_KEY}:${LATIN_KEY}",
};

/** A server that shows the secrets of its caller in all that it says. */
function serveEchoes() {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: SERVER_KEY, version: "1" }, { instructions: SERVER_KEY });
    const text = { content: [{ type: "text" as const, text: `${SERVER_KEY} ${SECOND_KEY}` }] };
    const structured = { [SERVER_KEY]: [SECOND_KEY, { a: `x${SERVER_KEY}y` }] };
    server.registerTool("text", {
      title: SERVER_KEY,
      description: SERVER_KEY,
      inputSchema: z.object({ q: z.string().default(SERVER_KEY).describe(SECOND_KEY) }),
    }, () => text);
    server.registerTool("fails", {}, () => ({ ...text, isError: true }));
    server.registerTool("throws", {}, () => {
      throw new Error(SERVER_KEY);
    });
    server.registerTool("data", { outputSchema: z.looseObject({}) }, () => ({
      ...text,
      structuredContent: structured,
    }));
    // the server itself does not check this
    const outputSchema = z.looseObject({}).meta({ additionalProperties: { type: "number" } });
    server.registerTool("breaks", { outputSchema }, () => ({
      ...text,
      structuredContent: { [SERVER_KEY]: { [SECOND_KEY]: 1 } },
    }));
    server.registerTool("image", {}, () => ({
      content: [{ type: "image", mimeType: `image/${SERVER_KEY}`, data: btoa(SERVER_KEY) }, {
        type: "image",
        mimeType: "image/png",
        data: SECOND_KEY,
      }],
    }));
    server.registerTool(`named_${SERVER_KEY}`, {}, () => text);
    return server;
  }, { legacy: "stateless" });
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => undefined };
  const seen: string[] = [];
  const server = Deno.serve(options, async (request) => {
    seen.push(`${request.headers.get("authorization")} ${request.headers.get("x-second")}`);
    return await handler.fetch(request);
  });
  return {
    seen,
    address: `127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Each operation answers with the secrets of its request in another way. */
const OPERATIONS: Readonly<Record<string, (all: readonly string[]) => Response>> = {
  echo: (all) => Response.json({ [`${all[0]}`]: all, list: all.map((one) => `<${one}>`) }),
  text: (all) => new Response(all.join()),
  quoted: (all) => new Response(JSON.stringify(all), { headers: { "content-type": "text/plain" } }),
  broken: (all) => new Response(`{"a": ${JSON.stringify(all)}`, { headers: JSON_TYPE }),
  refused: (all) => Response.json(all, { status: 418, headers: { "x-k": `${all[0]}` } }),
  moved: (all) => new Response(`${all}`, { status: 302, headers: { location: `/${all[0]}` } }),
};
const JSON_TYPE = { "content-type": "application/json" };

/** The secrets of a request, and its headers whole. */
function answerOf({ target, headers }: SeenRequest): Response {
  const whole = Object.keys(HEADERS).map((name) => `${headers.get(name)}`);
  const answer = OPERATIONS[target.slice(1)];
  assert(answer !== undefined, target);
  return answer([...whole, WHOLE_KEY, PART_KEY, FIRST_KEY, LATIN_KEY]);
}

const NAMES = [
  ...Object.keys(OPERATIONS).map((name) => `http.${name}`),
  ...["text", "fails", "throws", "data", "breaks", "image"].map((name) => `hub.${name}`),
];

/** Programs that keep all answers and errors, and then wait in memory. */
const PROGRAMS: { readonly [L in BundledLanguage]: string } = {
  javascript: `globalThis.kept = [process.env.MARK, Object.keys(tools.hub)];
for (const name of ${JSON.stringify(NAMES)}) {
  const [group, tool] = name.split(".");
  try { kept.push(await tools[group][tool]({})); } catch (e) { kept.push(e.message, e.data ?? null, e.stack); }
}
require("fs").writeFileSync("kept.json", JSON.stringify(kept));
console.log(JSON.stringify(kept)); await tools.own({}); kept`,
  python: `import json, os
kept = [os.environ["MARK"], dir(tools.hub)]
for name in ${JSON.stringify(NAMES)}:
    try: kept.append(tools[name]())
    except ToolError as e: kept += [str(e), e.data, repr(e)]
open("kept.json", "w").write(json.dumps(kept))
print(json.dumps(kept), tools.hub.text.__doc__); tools.own(); kept`,
  perl: `use JSON::PP; our @kept = ($ENV{MARK});
for my $name (qw(${NAMES.join(" ")})) {
  push @kept, eval { Belljar::call($name) } // ($@->message, $@->data);
}
open my $out, ">", "kept.json"; print $out JSON::PP->new->encode(\\@kept); close $out;
print JSON::PP->new->encode(\\@kept), "\\n"; Belljar::call("own"); \\@kept`,
  ruby: `require "json"
$kept = [ENV["MARK"]] + %w[${NAMES.join(" ")}].flat_map do |name|
  [Tools[name].call]
rescue ToolError => e
  [e.message, e.data, e.inspect]
end
File.write("kept.json", JSON.generate($kept))
puts JSON.generate($kept); tools.own; $kept`,
};

const waitingSchema = z.looseObject({
  waiting: z.object({ run: z.string(), calls: z.array(z.object({ key: z.string() })) }),
});

function toolsFile(operations: string, server: string) {
  const operation = { method: "POST", inputSchema: { type: "object" }, headers: HEADERS };
  const entries = Object.keys(OPERATIONS).map((name) => {
    return [`http.${name}`, { ...operation, url: `${operations}/${name}` }];
  });
  return {
    servers: {
      hub: {
        url: `http://${server}/mcp`,
        headers: { authorization: "Bearer ${SERVER_KEY}", "x-second": "${SECOND_KEY}" },
      },
    },
    operations: {
      ...Object.fromEntries(entries),
      "bank.pay": { ...operation, url: `${operations}/echo`, approval: "always" },
    },
    tenants: { "*": ["*"] },
    privateAddresses: ["127.0.0.1"],
  };
}

Deno.test("secrets of tools: they are in requests, and nowhere else", async () => {
  await using server = serveTools(answerOf);
  await using mcp = serveEchoes();
  await using receiver = startReceiver();
  const folder = await Deno.makeTempDir();
  const path = `${folder}/tools.json`;
  await Deno.writeTextFile(path, JSON.stringify(toolsFile(server.url, mcp.address)));
  const kvPath = `${folder}/data.sqlite3`;
  const program = await startProgram({
    stderr: "piped",
    env: {
      ...receiver.env,
      ...SECRETS,
      TOOLS: path,
      KV_PATH: kvPath,
      RUBY_CONTEXTS: "1",
      ISOLATES: "1",
    },
  });
  const answers: string[] = [];
  const send = async (path: string, body?: unknown, status = 200, accept = "application/json") => {
    const answer = await fetch(`${program.url}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { ...JSON_TYPE, accept },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.text();
    answers.push(JSON.stringify([...answer.headers]), text);
    assertEquals(answer.status, status, text);
    return text;
  };
  try {
    await until(async () => (await send("/tools")).includes("hub.image"));
    const bodyOf = (language: BundledLanguage) => {
      return { code: PROGRAMS[language], tools: ["*", { name: "own" }], envVars: { MARK } };
    };
    const waiting = new Map<BundledLanguage, z.infer<typeof waitingSchema>["waiting"]>();
    for (const language of BUNDLED_LANGUAGES) {
      const text = await send(`/languages/${language}/sandboxes/box/execute`, bodyOf(language));
      assert(text.includes("[secret]"), text);
      waiting.set(language, waitingSchema.parse(JSON.parse(text)).waiting);
    }
    const isolates = (await processTree(program.pid)).slice(1);
    let marked = 0;
    for (const pid of isolates) {
      const found = await textsInMemory(pid, [CANARY, MARK]);
      assert(!found.has(CANARY), `isolate ${isolates.indexOf(pid)} of ${isolates.length}`);
      if (found.has(MARK)) marked++;
    }
    assertEquals(marked, BUNDLED_LANGUAGES.length); // the search finds a text that is there
    assert((await textsInMemory(program.pid, [CANARY])).has(CANARY));
    for (const [language, { run, calls }] of waiting) {
      await send(`/journal/${run}`);
      const answers = [{ key: calls[0]?.key, value: 1 }];
      const end = await send(`/runs/${run}/answers`, { answers });
      assert(!end.includes('"error":{'), end);
      for (const accept of ["application/json", "application/x-ndjson", "text/event-stream"]) {
        await send(`/runs/${run}`, undefined, 200, accept);
      }
      await send(`/languages/${language}/sandboxes/box/files/kept.json`);
      // without the caller's tool, so the stream ends
      const streamed = { ...bodyOf(language), tools: ["*"] };
      await send(`/execute/${language}`, streamed, 200, "application/x-ndjson");
    }
    const pay = { code: "print(tools.bank.pay())", tools: ["bank.pay"] };
    const asked = waitingSchema.parse(JSON.parse(await send("/execute/python", pay)));
    const approval = [{ key: asked.waiting.calls[0]?.key, approve: true }];
    const paid = await send(`/runs/${asked.waiting.run}/answers`, { answers: approval });
    assert(paid.includes("[secret]"), paid);
    await send("/execute/python", { code: "1", tools: [`hub.named_${SERVER_KEY.slice(-4)}`] }, 400);
    for (const form of ["", "?as=text", "?as=typescript", "?as=python", "?as=ruby", "?as=perl"]) {
      await send(`/tools${form}`);
    }
    await until(() => receiver.text().length > 10_000);
  } finally {
    await program.end("SIGTERM");
  }
  const whole = [WHOLE_KEY, `before ${PART_KEY} after`, `${FIRST_KEY}:${LATIN_KEY}`];
  for (const { headers } of server.seen) {
    assertEquals(Object.keys(HEADERS).map((name) => headers.get(name)), whole);
  }
  assertEquals(new Set(mcp.seen), new Set([`Bearer ${SERVER_KEY} ${SECOND_KEY}`]));
  const places = {
    answers: answers.join("\n"),
    log: program.output(),
    telemetry: receiver.text(),
  };
  for (const [place, text] of Object.entries(places)) {
    assert(text.length > 0, place);
    const at = text.indexOf(CANARY);
    assertEquals(at, -1, `${place} has ${text.slice(at - 100, at + 50)}`);
  }
  const { plain, inflated } = await textsInStore(kvPath, [CANARY, MARK]);
  assertEquals([...plain], [MARK]);
  assertEquals([...inflated], [MARK]);
  await Deno.remove(folder, { recursive: true });
});
