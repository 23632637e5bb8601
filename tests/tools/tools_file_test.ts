/** The file of the operator's tools: its faults, all at once and by place. */
import { assert, assertEquals } from "@std/assert";
import { readTools, SECRET, toolsFile } from "./fixture.ts";

const OPERATION = { method: "GET", url: "https://crm.example.com/v1" };

function faultsOf(content: unknown): readonly string[] {
  const read = readTools(content);
  return "faults" in read ? read.faults : [];
}

/** The faults of one operation, without the place of that. */
function faultsOfOperation(fields: Record<string, unknown>): readonly string[] {
  return faultsOf({ operations: { "crm.find": { ...OPERATION, ...fields } } })
    .map((fault) => fault.replace("tools.json: /operations/crm.find", ""));
}

Deno.test("tools file: comments, trailing commas and defaults", () => {
  const file = toolsFile(`{
    // servers
    "servers": { "hub": { "url": "https://mcp.example.com/mcp", "tools": { "merge-pr": { "approval": "always" } } } },
    "operations": {
      "crm.find": { "method": "GET", "url": "https://crm.example.com/{id}?f={f}",
        "headers": { "X-Key": "Bearer \${CRM_KEY} $\${CRM_KEY}" },
        "inputSchema": { "properties": { "id": {}, "f": {} } } },
      "crm.add": { "method": "POST", "url": "http://10.1.2.3:8080/", "approval": "always" },
    },
    "tenants": { "ann": ["hub.*", "crm.find", "hub.merge_pr"], "*": ["*"] },
    "privateAddresses": ["10.1.2.0/24", "[fd00::7]:443"],
  }`);
  const find = file.operations.get("crm.find");
  const add = file.operations.get("crm.add");
  assertEquals(find?.headers.values, { "x-key": `Bearer ${SECRET} \${CRM_KEY}` });
  assertEquals([find?.idempotent, find?.approval, find?.timeoutMs], [true, "never", 30_000]);
  assertEquals([add?.idempotent, add?.approval], [false, "always"]);
  assertEquals(file.servers.get("hub")?.tools.get("merge-pr"), { approval: "always" });
  assertEquals(toolsFile({}).tenants.size, 0);
});

Deno.test("tools file: all faults are told at once, each by its place", () => {
  const faults = faultsOf({
    servers: {
      "a.b": { url: "ftp://x", approval: "sometimes", other: 1 },
      hub: { url: "https://u:p@mcp.example.com/" },
    },
    operations: {
      "crm.find": { ...OPERATION, method: "FETCH", url: "https://crm.example.com/{id}#x" },
      "hub.find": { ...OPERATION, timeoutMs: 0, headers: { "x-key": "${UNSET} ${EMPTY}" } },
      "9x": OPERATION,
      crm: OPERATION,
    },
    tenants: { "a b": ["crm.*"], ann: ["none.*", "a b"] },
    privateAddresses: ["localhost", "10.0.0.0/33"],
    extra: {},
  }).map((fault) => fault.replace(/^tools\.json: /, "").replace(/: .*/, ""));
  assertEquals(
    new Set(faults),
    new Set([
      "/servers/a.b",
      "/servers/a.b/url",
      "/servers/a.b/approval",
      "/servers/a.b/other",
      "/servers/hub/url",
      "/operations/crm.find",
      "/operations/crm.find/method",
      "/operations/crm.find/url",
      "/operations/hub.find",
      "/operations/hub.find/timeoutMs",
      "/operations/hub.find/headers/x-key",
      "/operations/9x",
      "/tenants/a b",
      "/tenants/ann/0",
      "/tenants/ann/1",
      "/privateAddresses/0",
      "/privateAddresses/1",
      "/extra",
    ]),
  );
});

Deno.test("tools file: syntax is told by line and column", () => {
  assert(/^tools\.json:2:\d+: /.test(faultsOf('{\n"servers" {} }')[0] ?? ""));
});

Deno.test("tools file: URLs of operations", () => {
  const inputSchema = { properties: { id: {} } };
  const wrong: readonly (readonly [url: string, fault: string])[] = [
    ["crm.example.com/x", "must be an http: or https: URL"],
    ["https://crm.example.com/a\\b", "must be an http: or https: URL"],
    ["https://{id}.example.com/", "must have a literal host and port"],
    ["https://crm.example.com:{id}/", "must have a literal host and port"],
    ["https://a:b@crm.example.com/", "must not have user info"],
    ["https://crm.example.com/#{id}", "must not have a fragment"],
    ["https://crm.example.com/${CRM_KEY}", "must not have secrets: they are for headers"],
    ["https://crm.example.com/{id", "has a brace that belongs to no {name}"],
    ["https://crm.example.com/id}", "has a brace that belongs to no {name}"],
    ["https://crm.example.com/{}", "has a placeholder without a name"],
    ["https://crm.example.com/{key}", "{key} is no property of inputSchema"],
    ["http://crm.example.com/", "must be an https: URL, or go to an address in privateAddresses"],
    ...[
      "127.0.0.1",
      "0x7f.1",
      "2130706433",
      "[::1]",
      "[::ffff:10.0.0.1]",
      "169.254.169.254",
      "[64:ff9b::a00:1]",
      "[2002:a00:1::]",
      "[2001::1]",
    ].map((host) =>
      [
        `https://${host}/`,
        "has an address that is neither public nor in privateAddresses",
      ] as const
    ),
  ];
  for (const [url, fault] of wrong) {
    assertEquals(faultsOfOperation({ url, inputSchema }), [`/url: ${fault}`], url);
  }
  assertEquals(faultsOfOperation({ url: "https://1.1.1.1/{id}?{id}=%20", inputSchema }), []);
});

Deno.test("tools file: headers and their secrets", () => {
  const faults = (value: string, name = "x-key") =>
    faultsOfOperation({ headers: { [name]: value } })
      .map((fault) => fault.replace(`/headers/${name}: `, ""));
  assertEquals(faults("${UNSET}"), ["UNSET is not set"]);
  assertEquals(faults("${EMPTY}${LINES}"), ["EMPTY is empty", "LINES has a line break"]);
  assertEquals(faults("${NOT_TEXT}"), ["NOT_TEXT has characters that no header can have"]);
  assertEquals(faults("${TOKENS}"), ["TOKENS configures the service: it cannot be named"]);
  const form = "has a ${ that begins no ${NAME} of A-Z, 0-9 and _: the text itself is $${";
  for (const value of ["${lower}", "${", "${}", "a ${CRM_KEY"]) {
    assertEquals(faults(value), [form], value);
  }
  assertEquals(faults("a\u0000b"), ["has characters that no header can have"]);
  assertEquals(faults("x", "host"), ["cannot be set: the service sets it"]);
  assertEquals(faults("x", "a b"), ["is no name of a header"]);
  assertEquals(faultsOfOperation({ headers: { "X-A": "1", "x-a": "2" } }), [
    "/headers/x-a: is there twice",
  ]);
  const all = faultsOf({
    operations: { a: { ...OPERATION, headers: { b: "${CRM_KEY}", "": "" } } },
  });
  assert(!all.join().includes(SECRET));
});

Deno.test("tools file: a pattern must match an operation, or a server", () => {
  const faults = (pattern: string) =>
    faultsOf({
      servers: { hub: { url: "https://mcp.example.com/" } },
      operations: { "crm.find": OPERATION },
      tenants: { ann: [pattern] },
    }).map((fault) => fault.replace("tools.json: /tenants/ann/0: ", ""));
  for (const pattern of ["*", "crm.*", "crm.find", "hub.*", "hub.x"]) {
    assertEquals(faults(pattern), [], pattern);
  }
  for (const pattern of ["crm", "crm.find.*", "hub", "hub.a.*", "hub.a.b", "none.*"]) {
    assertEquals(faults(pattern), ["matches no operation and no server"], pattern);
  }
  for (const pattern of ["", "*.x", "crm*", ".*", "a..b"]) {
    assertEquals(faults(pattern), ["must be a name, a prefix such as crm.*, or *"], pattern);
  }
});
