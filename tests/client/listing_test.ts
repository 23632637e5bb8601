/** `env.Sandbox.list()` and `usage()` (docs/contract.md#listing-of-sandboxes). */
import { assertEquals, assertRejects } from "@std/assert";
import {
  connect,
  getSandbox,
  type ListSandboxesOptions,
  SandboxError,
  ValidationFailedError,
} from "../../client/mod.ts";
import type { JsonValue } from "../../client/protocol/types.ts";
import { createFakeService } from "./fake_service.ts";
import { failing, neverAnswering, recorder } from "./recording.ts";

const BASE = "http://belljar.example";
const DATE = "2026-01-02T03:04:05.006Z";
const USAGE = { sandboxes: 5, maxSandboxes: 1_000, bytes: 7, maxBytes: 9 };

function entry(id: string): { readonly [key: string]: JsonValue } {
  const sizes = { contexts: 1, files: 2, bytes: 3 };
  return { id, createdAt: DATE, lastUsed: DATE, expiresAt: null, ...sizes };
}

/** A service whose listing has these pages. */
function listing(pages: readonly { readonly [key: string]: JsonValue }[]) {
  const binding = recorder((_request, count) =>
    Response.json({ usage: USAGE, ...pages[count - 1] })
  );
  return { Sandbox: connect(BASE, { fetch: binding.fetch }).Sandbox, binding };
}

async function idsOf(
  { Sandbox }: Pick<ReturnType<typeof listing>, "Sandbox">,
  options?: ListSandboxesOptions,
): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of Sandbox.list(options)) ids.push(id);
  return ids;
}

Deno.test("client listing: all pages, by their cursors, each when it is needed", async () => {
  const { Sandbox, binding } = listing([
    { sandboxes: [entry("a"), entry("b")], cursor: "x+/=&" },
    { sandboxes: [], cursor: "y" },
    { sandboxes: [entry("c")] },
  ]);
  const seen: (readonly [string, number])[] = [];
  for await (const { id } of Sandbox.list({ limit: 2 })) seen.push([id, binding.seen.length]);
  assertEquals(seen, [["a", 1], ["b", 1], ["c", 3]]);
  assertEquals(binding.routes, [
    `GET ${BASE}/sandboxes?limit=2`,
    `GET ${BASE}/sandboxes?limit=2&cursor=x%2B%2F%3D%26`,
    `GET ${BASE}/sandboxes?limit=2&cursor=y`,
  ]);
});

Deno.test("client listing: an entry has dates and numbers; no page is requested after the reader stops", async () => {
  const { Sandbox, binding } = listing([
    { sandboxes: [{ ...entry("a"), expiresAt: 5, later: 1 }], cursor: "x" },
  ]);
  for await (const sandbox of Sandbox.list()) {
    const dates = { createdAt: new Date(DATE), lastUsed: new Date(DATE), expiresAt: 5 };
    assertEquals(sandbox, { id: "a", ...dates, contexts: 1, files: 2, bytes: 3 });
    break;
  }
  assertEquals(binding.routes, [`GET ${BASE}/sandboxes`]);
});

Deno.test("client listing: usage is that of the tenant", async () => {
  const { Sandbox, binding } = listing([{ sandboxes: [entry("a")], cursor: "x" }]);
  assertEquals(await Sandbox.usage(), USAGE);
  assertEquals(binding.routes, [`GET ${BASE}/sandboxes?limit=1`]);
});

Deno.test("client listing: an iteration begins anew", async () => {
  const page = { sandboxes: [entry("a")] };
  const { Sandbox } = listing([page, page]);
  const all = Sandbox.list();
  for (let round = 0; round < 2; round++) {
    for await (const { id } of all) assertEquals(id, "a");
  }
});

Deno.test("client listing: invalid limits are refused before a request", async () => {
  const { Sandbox, binding } = listing([]);
  for (const limit of [0, 101, 1.5, NaN, -1]) {
    const { message } = await assertRejects(
      () => idsOf({ Sandbox }, { limit }),
      ValidationFailedError,
    );
    assertEquals(message, "limit must be a whole number from 1 to 100");
  }
  assertEquals(binding.seen, []);
});

Deno.test("client listing: repeated cursors and pages of another shape are errors", async () => {
  const same = { sandboxes: [entry("a")], cursor: "x" };
  await assertRejects(() => idsOf(listing([same, same, same])), SandboxError, "the same page");
  const wrong = [
    {},
    { sandboxes: [{ ...entry("a"), contexts: [] }] },
    { sandboxes: [{ ...entry("a"), createdAt: null }] },
    { sandboxes: [], cursor: 1 },
    { sandboxes: [], usage: {} },
  ];
  for (const page of wrong) {
    await assertRejects(() => idsOf(listing([page])), SandboxError, "something unexpected");
  }
});

Deno.test("client listing: tools of the operator, and what is none", async () => {
  const tool = { name: "a.b", inputSchema: {}, approval: "never", idempotent: true };
  const toolsOf = async (body: JsonValue) =>
    await connect(BASE, { fetch: () => Promise.resolve(Response.json(body)) }).tools();
  const pay = {
    ...tool,
    description: "Pays",
    outputSchema: { type: "object" },
    approval: "always",
  };
  assertEquals(await toolsOf({ tools: [tool, { ...pay, other: 1 }] }), [tool, pay]);
  const wrong = [{ approval: "maybe" }, { inputSchema: 1 }, { idempotent: 1 }, { description: 1 }];
  for (const body of [{}, [], ...wrong.map((part) => ({ tools: [{ ...tool, ...part }] }))]) {
    await assertRejects(() => toolsOf(body), SandboxError, "something unexpected");
  }
});

Deno.test("client listing: refusals are tried again; signal and timeout end it", async () => {
  const binding = recorder((_request, count) =>
    count === 1 ? failing("RATE_LIMITED", 429) : Response.json({ sandboxes: [], usage: USAGE })
  );
  const { Sandbox } = connect(BASE, { fetch: binding.fetch });
  assertEquals(await idsOf({ Sandbox }, { retry: { sleep: () => Promise.resolve() } }), []);
  const silent = connect(BASE, { fetch: neverAnswering().fetch });
  const error = await assertRejects(() => idsOf(silent, { timeout: 5 }), DOMException);
  assertEquals(error.name, "TimeoutError");
});

Deno.test("client listing: a real service's sandboxes are listed", async () => {
  const { gateway } = createFakeService();
  const env = connect(BASE, { fetch: gateway });
  const names = ["b", "a", "d", "c", "e"];
  for (const name of names) await getSandbox(env.Sandbox, name).files.upload("x", "123");
  assertEquals(await idsOf(env, { limit: 2 }), names.toSorted());
  assertEquals((await env.Sandbox.usage()).sandboxes, 5);
});
