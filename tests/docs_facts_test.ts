/**
 * Statements of fact in the docs, held against the code: routes, tokens, limits, variables, versions.
 * Those of MCP's tools are in `tests/adapters/mcp/docs_test.ts`, error codes and fields of results in
 * `tests/contract_page_test.ts`.
 */
import { assert, assertEquals } from "@std/assert";
import { createAuthenticator } from "../gateway/authentication.ts";
import { SERVICE_VERSION } from "../gateway/health.ts";
import { BUNDLED_LANGUAGES as LANGUAGES, LANGUAGE_INFO } from "../shared/languages.ts";
import {
  ADMISSION_LIMITS,
  BODY_BUDGET,
  DISPLAY_CONTAINERS,
  E2B_LIMITS,
  FUEL,
  IDEMPOTENCY_KEY_LENGTH,
  MAX_DISPLAYS,
  MEMORY_BYTES,
  READER_BYTES_PER_SECOND,
  READER_PAUSE_MS,
  SANDBOX_LIMITS,
  SANDBOX_QUOTAS,
  SHARED_LIMITS,
  STORED_ANSWER_MS,
  WORKSPACE_LIMITS,
} from "../shared/limits.ts";
import { testGateway } from "./gateway/test_gateway.ts";
import { withGateway } from "./openapi/fixture.ts";

const ROOT = new URL("../", import.meta.url);
const read = (path: string) => Deno.readTextFileSync(new URL(path, ROOT));
const [README, CONTRACT, OPERATING] = ["README.md", "docs/contract.md", "docs/operating.md"]
  .map(read);
assert(README !== undefined && CONTRACT !== undefined && OPERATING !== undefined);

/** The rows of the tables below a heading, as their cells. */
function rowsBelow(page: string, heading: string): readonly (readonly string[])[] {
  const [, text = ""] = page.split(`\n## ${heading}\n`);
  const [own = ""] = text.split("\n## ");
  const rows = [...own.matchAll(/^\| (.+) \|$/gm)].map(([, cells = ""]) =>
    cells.split(/(?<!\\)\|/).map((cell) => cell.trim())
  );
  assert(rows.length > 3, heading);
  return rows;
}

/** Routes of a cell such as "`GET`, `PUT` `/a`" or "`GET /a`, `GET /b`", as `METHOD path`. */
function routesIn(cell: string): readonly string[] {
  const words = [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, text = ""]) => text.split(" "));
  let methods: string[] = [];
  let isFresh = true;
  return words.flatMap((word) => {
    if (!word.startsWith("/")) {
      methods = isFresh ? [...methods, word] : [word];
      isFresh = true;
      return [];
    }
    isFresh = false;
    const path = word.replace("<version>", SERVICE_VERSION);
    return methods.map((method) => `${method} ${path}`);
  });
}

/** A route as the contract and the OpenAPI document can both be written: parameters are stars. */
function normal(route: string): string {
  return route.replace(/<language>/g, "*").replace(/\/:\w+|\/\{\w+\}|\/<\w+>/g, "/*");
}

const IN_SANDBOX = "/languages/*/sandboxes/*";

Deno.test("docs: the contract's tables have the routes of the OpenAPI document, and nothing else", async () => {
  const gateway = rowsBelow(CONTRACT, "Gateway routes").flatMap(([cell = ""]) => routesIn(cell));
  const sandbox = rowsBelow(CONTRACT, "Sandbox routes").flatMap(([cell = ""]) => routesIn(cell))
    .map((route) => route.replace(" /", ` ${IN_SANDBOX}/`).replace(/\/$/, ""));
  const documented = new Set([...gateway, ...sandbox].map(normal));
  const outside = [
    "GET /", // a page and another protocol, which OpenAPI does not describe
    "GET /page/*",
    ...["GET", "POST", "PUT", "DELETE"].map((method) => `${method} ${IN_SANDBOX}`)
      .filter((route) => !sandbox.includes(route)),
  ];
  await withGateway({}, ({ service }) => {
    const routes = service.operations.map(({ method, path }) => normal(`${method} ${path}`));
    assertEquals(routes.filter((route) => !documented.has(route)), []);
    const unknown = [...documented].filter((route) => !routes.includes(route));
    assertEquals(unknown.filter((route) => !outside.includes(route)), []);
    return Promise.resolve();
  });
});

Deno.test("docs: without a token exactly the marked routes answer", async () => {
  const bytes = new Uint8Array([60]);
  const files = ["", "page/a"].map((path) => ({ path, type: "text/html", bytes, gzip: bytes }));
  const gateway = testGateway({
    mcp: true,
    page: () => Promise.resolve(files),
    authenticate: createAuthenticator([{ tenant: "a", token: "alpha" }]),
  });
  for (const [cell = "", does = ""] of rowsBelow(CONTRACT, "Gateway routes").slice(2)) {
    for (const route of routesIn(cell)) {
      const [method = "", path = ""] = route.split(" ");
      const { status, body } = await gateway(
        new Request(`http://localhost:8000${path.replace(/<file>|:\w+|<\w+>/g, "a")}`, {
          method,
          headers: { accept: "text/html" },
        }),
      );
      await body?.cancel();
      assertEquals([route, status !== 401], [route, does.includes("needs no token")]);
    }
  }
  for (const page of [README, CONTRACT, OPERATING]) assert(!/every route but/.test(page));
});

const KIB = 1024;
const count = (number: number) => number.toLocaleString("en-US");

function size(bytes: number): string {
  return bytes % KIB ** 2 === 0 ? `${bytes / KIB ** 2} MiB` : `${bytes / KIB} KiB`;
}

/** The rows of the contract's table of limits, and a beginning of each that the code gives. */
const LIMITS: Readonly<Record<string, string>> = {
  "code": size(SHARED_LIMITS.codeBytes),
  "request of a run": size(SHARED_LIMITS.requestBytes),
  "contexts of a sandbox": `${SANDBOX_LIMITS.contexts},`,
  "standard input": size(SHARED_LIMITS.stdinBytes),
  "output": `${size(SHARED_LIMITS.outputBytes)} and ${count(SHARED_LIMITS.outputLines)} lines`,
  "result": size(SHARED_LIMITS.resultBytes),
  "displays": `${MAX_DISPLAYS} entries; together ${size(SHARED_LIMITS.displayBytes)} of JSON ` +
    `(\`DISPLAY_BYTES\`), and ${count(DISPLAY_CONTAINERS)} keys`,
  "traceback": size(SHARED_LIMITS.tracebackBytes),
  "wall clock": `${SHARED_LIMITS.wallMs / 1000} s`,
  "memory": LANGUAGES.map((id, index) =>
    `${LANGUAGE_INFO[id].name} ${MEMORY_BYTES[id] / KIB ** 2}${index === 0 ? " MiB" : ""}`
  ).join(", "),
  "snapshot": size(SHARED_LIMITS.snapshotBytes),
  "workspace": size(WORKSPACE_LIMITS.totalBytes),
  "runs of a tenant, running and queued":
    `${ADMISSION_LIMITS.runsPerTenant} and ${ADMISSION_LIMITS.waitingPerTenant};`,
  "queued runs of a language": `${ADMISSION_LIMITS.waitingPerLanguage};`,
  "calls of a tenant that run no code, running and queued":
    `${ADMISSION_LIMITS.callsPerTenant} and ${count(ADMISSION_LIMITS.waitingCallsPerTenant)};`,
  "longest wait of a run or a call": `${ADMISSION_LIMITS.maxWaitMs / 1000} s;`,
  "requests and unread answers of a tenant": `${size(BODY_BUDGET.bodyBytesPerTenant)};`,
  "requests of all tenants": `${size(BODY_BUDGET.bodyBytes)}, and ${
    size(BODY_BUDGET.ownBodyBytes ?? 0)
  } more`,
  "reading a large answer, or the rest of a stream after its run": `no pause over ${
    READER_PAUSE_MS / 1000
  } s, and ${size(READER_BYTES_PER_SECOND)} a second`,
  "`Idempotency-Key`": `${IDEMPOTENCY_KEY_LENGTH} characters; its answer is stored for ${
    STORED_ANSWER_MS / 3_600_000
  } h`,
  "isolates killed for a tenant in a minute":
    `${ADMISSION_LIMITS.killsPerMinute}, and ${ADMISSION_LIMITS.killedSecondsPerMinute} seconds`,
};

Deno.test("docs: the contract's table of limits has the defaults of the code", () => {
  const rows = new Map(
    rowsBelow(CONTRACT, "Limits").map(([limit = "", value = ""]) => [limit, value]),
  );
  for (const [limit, value] of Object.entries(LIMITS)) {
    assert(rows.get(limit)?.startsWith(value), `${limit}: ${value}, not ${rows.get(limit)}`);
  }
  for (const id of LANGUAGES) {
    assertEquals(rows.get(LANGUAGE_INFO[id].name), `${FUEL[id] / 1e9} billion`);
  }
});

Deno.test("docs: every variable of the service is in the table of operating.md, with its default", () => {
  const source = read("service/config_variables.ts");
  const schema = source.slice(source.indexOf("export function settingsSchema"));
  const names = new Set([...schema.matchAll(/^ {4}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name));
  assert(names.size > 30, `${names.size} variables`);
  const rows = rowsBelow(OPERATING, "Configuration");
  const missing = [...names].filter((name) =>
    !rows.some(([cell = ""]) => cell.includes(`\`${name}\``))
  );
  assertEquals(missing, []);
  const quotas = rows.find(([cell = ""]) => cell.includes("MAX_SANDBOXES"));
  const { maxSandboxes, maxTenantBytes } = SANDBOX_QUOTAS;
  assertEquals(quotas?.at(-1), `${count(maxSandboxes)} and ${maxTenantBytes / KIB ** 3} GiB`);
});

Deno.test("docs: versions of the clients that the tests run are those of the tests", () => {
  const { dependencies } = JSON.parse(read("tests/adapters/packages/package.json"));
  const python = new Map(
    read("tests/adapters/packages/requirements.txt").split("\n").map((line): [string, string] => {
      const [name = "", version = ""] = line.split("==");
      return [name, version];
    }),
  );
  const facts: readonly (readonly [page: string, text: string])[] = [
    ["docs/e2b.md", `version ${python.get("e2b-code-interpreter")} of the PyPI package`],
    ["docs/e2b.md", `\`e2b\` ${python.get("e2b")}`],
    ["docs/e2b.md", `version ${dependencies["@e2b/code-interpreter"]} of the npm package`],
    ["docs/e2b.md", `at most ${count(E2B_LIMITS.timeoutS)}`],
    ["docs/connecting.md", `\`mcp\` ${python.get("mcp")}`],
    [
      "docs/connecting.md",
      `\`@modelcontextprotocol/sdk\` ${dependencies["@modelcontextprotocol/sdk"]}`,
    ],
    ["README.md", `"engine": "${LANGUAGE_INFO.javascript.engine}"`],
    ["README.md", `"fuelLimit": ${FUEL.javascript}`],
  ];
  const wrong = facts.filter(([page, text]) => !read(page).replace(/\s+/g, " ").includes(text));
  assertEquals(wrong, []);
});
