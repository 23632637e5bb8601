// test: long
/** `TOKENS_FILE`: tokens, quotas and limits of tenants, read again when the file changes. */
import { assertEquals, assertMatch } from "@std/assert";
import { jsonPost } from "../support/json_post.ts";
import { startProgram } from "../support/program.ts";
import { until } from "../support/wait.ts";

const ANN = "ann-0123456789abcdef";
const BOB = "bob-0123456789abcdef";
const ADMIN = "adm-0123456789abcdef";
const FILE = {
  tenants: {
    ann: {
      tokens: [ANN],
      quotas: { maxSandboxes: 1 },
      limits: { fuel: { javascript: 50_000_000 }, wallMs: 5_000 },
    },
    bob: { tokens: [BOB, "short"], approve: ["approver-0123456789"] },
  },
  admin: [ADMIN],
};

interface Tenants {
  readonly url: string;
  readonly log: () => string;
  read(token: string, path: string): Promise<{ readonly status: number; readonly body: Listing }>;
  run(token: string, fields: Record<string, unknown>, path?: string): Promise<Run>;
  write(content: unknown): Promise<void>;
}

interface Listing {
  readonly usage: { readonly maxSandboxes: number };
}

interface Run {
  readonly status: number;
  readonly message?: string;
  readonly usage?: { readonly fuelLimit: number };
  readonly error?: { readonly message: string };
}

/** Does `work` with a service that reads the file. */
async function withService(work: (service: Tenants) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/tokens.jsonc`;
  const write = async (content: unknown) => {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await Deno.writeTextFile(`${folder}/next`, text);
    await Deno.rename(`${folder}/next`, path);
  };
  await write(`// tenants\n${JSON.stringify(FILE)}`);
  const program = await startProgram({
    env: { LANGUAGES: "javascript", TOKENS_FILE: path, TOKENS: "carl:carl-0123456789abcdef" },
    stderr: "piped",
  });
  try {
    const { url } = program;
    const call = (token: string, path: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      headers.set("authorization", `Bearer ${token}`);
      return fetch(`${url}${path}`, { ...init, headers });
    };
    const run = async (
      token: string,
      fields: Record<string, unknown>,
      path = "/execute/javascript",
    ) => {
      const answer = await call(token, path, jsonPost(fields));
      return { status: answer.status, ...await answer.json() };
    };
    const read = async (token: string, path: string) => {
      const answer = await call(token, path);
      return { status: answer.status, body: await answer.json() };
    };
    await work({ url, log: () => program.output(), read, run, write });
  } finally {
    await program.end("SIGTERM");
    await Deno.remove(folder, { recursive: true });
  }
}

const BOX = "/languages/javascript/sandboxes";

Deno.test("tokens file: tenants have their tokens, limits and quotas", () =>
  withService(async ({ url, read, run, log }) => {
    const lines = log().split("\n").filter((line) => line.startsWith("{"));
    const events = lines.slice(0, 2).map((line) => JSON.parse(line).event);
    assertEquals(events, ["service.started", "tokens.short"]);
    const anonymous = await fetch(`${url}/languages`);
    await anonymous.body?.cancel();
    assertEquals(anonymous.status, 401);
    for (const token of [ANN, BOB, "short", "carl-0123456789abcdef"]) {
      assertEquals((await run(token, { code: "1" })).status, 200);
    }
    assertEquals((await run("approver-0123456789", { code: "1" })).status, 403);
    assertEquals((await run(ADMIN, { code: "1" })).status, 403);
    assertEquals((await read(ADMIN, "/usage")).status, 200);

    const paths = ["/execute/javascript", `${BOX}/a/execute`];
    for (const path of paths) {
      const own = await run(ANN, { code: "1" }, path);
      assertEquals(own.usage?.fuelLimit, 50_000_000, path);
      const lower = await run(ANN, { code: "1", limits: { fuel: 1_000_000 } }, path);
      assertEquals(lower.usage?.fuelLimit, 1_000_000);
      const more = await run(ANN, { code: "1", limits: { fuel: 50_000_001 } }, path);
      assertEquals([more.status, more.message], [400, "limits.fuel must be at most 50000000"]);
      const longer = await run(ANN, { code: "1", limits: { wallMs: 5_001 } }, path);
      assertEquals([longer.status, longer.message], [400, "limits.wallMs must be at most 5000"]);
      const asked = { code: "1", tools: [{ name: "f" }], limits: { fuel: 50_000_001 } };
      assertEquals((await run(ANN, asked, path)).status, 400);
      const bob = await run(BOB, { code: "1", limits: { fuel: 50_000_001 } }, path);
      assertEquals(bob.usage?.fuelLimit, 50_000_001);
    }
    const endless = await run(ANN, { code: "for (;;);" });
    assertEquals(endless.error?.message, "Fuel limit reached: 50000000 units");
    assertEquals((await run(ANN, { code: "1" }, `${BOX}/b/execute`)).status, 507);
    assertEquals((await run(BOB, { code: "1" }, `${BOX}/b/execute`)).status, 200);
    const { usage } = (await read(ANN, "/sandboxes")).body;
    assertEquals(usage.maxSandboxes, 1);
  }));

Deno.test("tokens file: maxBytes bounds the files of its tenant only, and counts again after a change", () =>
  withService(async ({ run, write }) => {
    const files = "/languages/javascript/sandboxes/box/files";
    const bytes = crypto.getRandomValues(new Uint8Array(30_000));
    const content = Array.from(bytes, (byte) => String.fromCharCode(33 + byte % 90)).join("");
    const fill = async (token: string, path: string) =>
      (await run(token, { op: "write", path, content }, files)).status;
    const withQuota = (maxBytes: number) =>
      write({
        ...FILE,
        tenants: { ...FILE.tenants, ann: { tokens: [ANN], quotas: { maxBytes } } },
      });
    await withQuota(50_000);
    await until(async () => (await run(ANN, { code: "1" })).usage?.fuelLimit !== 50_000_000);
    assertEquals(await fill(ANN, "one"), 200);
    assertEquals(await fill(ANN, "two"), 507);
    assertEquals([await fill(BOB, "one"), await fill(BOB, "two")], [200, 200]);
    await withQuota(1_000_000);
    await until(async () => await fill(ANN, "two") === 200);
  }));

Deno.test("tokens file: a change counts soon, and a fault changes nothing", () =>
  withService(async ({ read, run, write, log }) => {
    const going = run(ANN, { code: "await new Promise((done) => setTimeout(done, 1e9))" });
    await write({ ...FILE, tenants: { bob: { tokens: [BOB, "new-0123456789abcdef"] } } });
    await until(async () => (await run(ANN, { code: "1" })).status === 401);
    assertEquals((await run("new-0123456789abcdef", { code: "1" })).status, 200);
    assertEquals((await run("short", { code: "1" })).status, 401);
    assertEquals((await run("carl-0123456789abcdef", { code: "1" })).status, 200);
    assertEquals((await going).status, 200);
    assertMatch(log(), /"tokens.loaded"/);

    const faulty = {
      tenants: { "a b": { tokens: ["x"] }, bob: { tokens: [1], limits: { fuel: { cobol: 1 } } } },
      other: true,
    };
    await write(faulty);
    await until(() => log().includes("tokens.refused"));
    const line = log().split("\n").find((line) => line.includes("tokens.refused")) ?? "{}";
    const { faults } = JSON.parse(line);
    const places = faults.map((fault: string) => /jsonc: (.*?): /.exec(fault)?.[1]).toSorted();
    assertEquals(places, [
      "/other",
      "/tenants/a b",
      "/tenants/bob/limits/fuel/cobol",
      "/tenants/bob/tokens/0",
    ]);
    assertEquals((await run(BOB, { code: "1" })).status, 200);
    await write("{");
    await until(() => log().split("tokens.refused").length === 3);
    await write({ tenants: { bob: { tokens: [BOB] }, ann: { tokens: [BOB] } } });
    await until(() => log().split("tokens.refused").length === 4);
    assertEquals((await run(BOB, { code: "1" })).status, 200);
    assertEquals((await read(ADMIN, "/usage")).status, 200);
    assertEquals([ANN, BOB, ADMIN, "short"].filter((token) => log().includes(`"${token}"`)), []);
    await write(FILE);
    await until(async () => (await run(ANN, { code: "1" })).status === 200);
  }));

Deno.test("tokens file: a service does not start with a file that has faults", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/tokens.json`;
    const files = {
      "is not there": undefined,
      "/admin: must be a list of tokens": '{"admin": "secret-token-of-an-admin"}',
      "/admin/1: is another token already":
        '{"admin": ["b", "a"], "tenants": {"x": {"tokens": ["a"]}}}',
      "/tenants/x/approve/0: is another token already":
        '{"tenants": {"x": {"tokens": ["a"], "approve": ["a"]}}}',
      "must be a whole number from 1 to": '{"tenants": {"x": {"limits": {"wallMs": 1e12}}}}',
    };
    for (const [reason, text] of Object.entries(files)) {
      if (text !== undefined) await Deno.writeTextFile(path, text);
      const started = startProgram({ env: { LANGUAGES: "javascript", TOKENS_FILE: path } });
      const failure = await started.then((program) => program.end("SIGKILL"), String);
      assertEquals([reason, String(failure).includes(reason)], [reason, true], String(failure));
      assertEquals(String(failure).includes("secret-token"), false);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
