/** HTTP operations: their requests, the values of answers, and errors. */
import { assert, assertEquals } from "@std/assert";
import type { OperatorCall, ToolOutcome } from "../../shared/operator_tools.ts";
import type { ToolSets } from "../../tools/tool_sets.ts";
import { CLOCK } from "../outgoing/send.ts";
import { SECRET, type SeenRequest, serveTools, toolSets } from "./fixture.ts";

const PROPERTIES = { properties: { id: {}, name: {}, fields: {}, tags: {}, data: {} } };

/** Calls of one operation over a server. */
interface Called {
  readonly call: (values: unknown, options?: Partial<OperatorCall>) => Promise<ToolOutcome>;
  readonly seen: readonly SeenRequest[];
  readonly tools: ToolSets;
}

async function withOperation(
  operation: Record<string, unknown>,
  answer: (request: SeenRequest) => Response | Promise<Response>,
  work: (called: Called) => Promise<void>,
): Promise<void> {
  await using server = serveTools(answer);
  const tools = toolSets({
    operations: {
      "crm.find": {
        method: "GET",
        inputSchema: PROPERTIES,
        headers: { "x-key": "${CRM_KEY}" },
        ...operation,
        url: `${server.url}${operation["url"]}`,
      },
    },
    tenants: { ann: ["crm.*"] },
    privateAddresses: [server.address],
  });
  try {
    const call: Called["call"] = async (values, options = {}) => {
      const [tool] = tools.of("ann");
      return await tools.call({
        tenant: "ann",
        name: "crm.find",
        revision: tool?.settings.revision ?? "",
        arguments: typeof values === "string" ? values : JSON.stringify(values),
        timeoutMs: 20_000,
        maxBytes: 8 * 1024 * 1024,
        signal: new AbortController().signal,
        ...options,
      });
    };
    await work({ call, seen: server.seen, tools });
  } finally {
    await tools.close();
  }
}

const ok = () => Response.json({ ok: true });

Deno.test(
  "operations: arguments stay one segment and one value of the query",
  CLOCK,
  () =>
    withOperation({ url: "/a/{id}.json?fields={fields}&x=1" }, ok, async ({ call, seen }) => {
      const targets: readonly (readonly [values: string, target: string])[] = [
        [
          '{"id":"a/b?c#d&e","fields":"f&g=h i"}',
          "/a/a%2Fb%3Fc%23d%26e.json?fields=f%26g%3Dh%20i&x=1",
        ],
        ['{"id":12345678901234567890}', "/a/12345678901234567890.json?x=1"],
        ['{"id":true,"fields":null}', "/a/true.json?x=1"],
        [
          '{"id":"ü%2e","tags":["a","b c"],"name":"n"}',
          "/a/%C3%BC%252e.json?x=1&tags=a&tags=b%20c&name=n",
        ],
      ];
      for (const [values, target] of targets) {
        assertEquals(await call(values), { value: '{"ok":true}' });
        assertEquals(seen.at(-1)?.target, target);
      }
      assertEquals(seen[0]?.headers.get("x-key"), SECRET);
    }),
);

Deno.test(
  "operations: what cannot be a segment is an error, and nothing is sent",
  CLOCK,
  () =>
    withOperation({ url: "/a/{id}/b" }, ok, async ({ call, seen, tools }) => {
      const canSend = (values: unknown) => tools.of("ann")[0]?.canSend?.(JSON.stringify(values));
      for (const id of ["", ".", "..", null, undefined, [1], { a: 1 }, "\ud800"]) {
        const outcome = await call({ id });
        assert("error" in outcome && outcome.error.data === undefined, JSON.stringify(id));
        assertEquals(canSend({ id }), false, JSON.stringify(id));
      }
      assert("error" in await call({ id: 1, data: { a: 1 } }));
      assertEquals([canSend({ id: 1, data: { a: 1 } }), canSend({ id: "a/b" })], [false, true]);
      assertEquals(seen.length, 0);
      await call({ id: "..." });
      assertEquals(seen.at(-1)?.target, "/a/.../b");
    }),
);

Deno.test(
  "operations: what the URL does not use is the body of POST, PUT and PATCH",
  CLOCK,
  () =>
    withOperation({ method: "POST", url: "/{id}" }, ok, async ({ call, seen }) => {
      await call('{"id":1,"name":"n","data":{"big":12345678901234567890}}');
      const { method, target, body, headers } = seen[0] ?? {};
      assertEquals([method, target, body, headers?.get("content-type")], [
        "POST",
        "/1",
        '{"name":"n","data":{"big":12345678901234567890}}',
        "application/json",
      ]);
    }),
);

Deno.test("operations: values of answers", CLOCK, () => {
  const answers: readonly (readonly [answer: () => Response, value: string])[] = [
    [() => Response.json([1, "x", null]), '[1,"x",null]'],
    [
      () =>
        new Response('{"n":12345678901234567890}', {
          headers: { "content-type": "application/problem+json; charset=utf-8" },
        }),
      '{"n":12345678901234567890}',
    ],
    [() => new Response("plain 1"), '"plain 1"'],
    [() => new Response("[1", { headers: { "content-type": "application/json" } }), '"[1"'],
    [() => new Response(null, { status: 204 }), "null"],
    [() => new Response(""), "null"],
  ];
  let next = 0;
  return withOperation({ url: "/" }, () => answers[next]?.[0]() ?? ok(), async ({ call }) => {
    for (const [, value] of answers) {
      assertEquals(await call({}), { value });
      next++;
    }
  });
});

Deno.test(
  "operations: another status is an error with status and body, a redirect too",
  CLOCK,
  () => {
    const answers: readonly (readonly [answer: () => Response, data: unknown])[] = [
      [() => Response.json({ why: "no" }, { status: 404 }), { status: 404, body: { why: "no" } }],
      [() => new Response("broken", { status: 500 }), { status: 500, body: "broken" }],
      [
        () => new Response(null, { status: 302, headers: { location: "http://10.0.0.1/" } }),
        { status: 302, body: null },
      ],
    ];
    let next = 0;
    return withOperation(
      { url: "/" },
      () => answers[next]?.[0]() ?? ok(),
      async ({ call, seen }) => {
        for (const [, data] of answers) {
          const outcome = await call({});
          assertEquals("error" in outcome && outcome.error.data, data);
          next++;
        }
        assertEquals(seen.length, answers.length);
      },
    );
  },
);

Deno.test(
  "operations: a secret in an answer is replaced, in texts, keys and numbers, and in errors",
  CLOCK,
  () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let status = 200;
    const answer = ({ headers }: SeenRequest) => {
      const key = headers.get("x-key") ?? "";
      const escaped = [...key].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join("");
      const body = `{"got":"Bearer ${key}!","${key}":["${escaped}"],"n":1}`;
      return new Response(body, { status, headers: { "content-type": "application/json" } });
    };
    return withOperation({ url: "/" }, answer, async ({ call }) => {
      const value = { got: "Bearer [secret]!", "[secret]": ["[secret]"], n: 1 };
      assertEquals(await call({}), { value: JSON.stringify(value) });
      status = 400;
      const failed = await call({});
      assertEquals("error" in failed && failed.error.data, { status, body: value });
      resolve();
      await promise;
    });
  },
);

Deno.test(
  "operations: a call that was sent and has no answer in time is unknown, another one is not",
  CLOCK,
  async () => {
    const release = Promise.withResolvers<Response>();
    await withOperation({ url: "/" }, () => release.promise, async ({ call, seen, tools }) => {
      const outcome = await call({}, { timeoutMs: 300 });
      assertEquals("error" in outcome && outcome.error.data, { unknown: true });
      assertEquals(seen.length, 1);
      release.resolve(new Response("late"));
      const closed = toolSets({
        operations: { x: { method: "GET", url: "http://127.0.0.1:1/" } },
        tenants: { "*": ["*"] },
        privateAddresses: ["127.0.0.1:1"],
      });
      const revision = closed.of("bob")[0]?.settings.revision ?? "";
      const unreachable = await closed.call({
        tenant: "bob",
        name: "x",
        revision,
        arguments: "{}",
        timeoutMs: 20_000,
        maxBytes: 1000,
        signal: new AbortController().signal,
      });
      assert("error" in unreachable && unreachable.error.data === undefined);
      await closed.close();
      assertEquals(
        await tools.call({
          tenant: "eve",
          name: "crm.find",
          revision,
          arguments: "{}",
          timeoutMs: 1000,
          maxBytes: 1000,
          signal: new AbortController().signal,
        }),
        { error: { kind: "denied", message: "crm.find is not available any more" } },
      );
    });
  },
);

Deno.test(
  "operations: an answer that is too large, or breaks the outputSchema, is an error",
  CLOCK,
  () => {
    let body: unknown = "x".repeat(300_000);
    let status = 200;
    const outputSchema = { type: ["object", "string"] };
    return withOperation(
      { url: "/", outputSchema },
      () => Response.json(body, { status }),
      async ({ call }) => {
        const messageOf = async (options: Partial<OperatorCall> = {}) => {
          const outcome = await call({}, options);
          return "error" in outcome ? outcome.error.message : outcome.value.length;
        };
        assertEquals(await messageOf(), 300_002);
        assertEquals(
          await messageOf({ maxBytes: 300_001 }),
          "The answer of crm.find is larger than 300001 bytes",
        );
        status = 500;
        assertEquals(await call({}), {
          error: {
            kind: "tool",
            message: "crm.find was answered with status 500",
            data: { status, body: null },
          },
        });
        status = 200;
        body = [1];
        assert(`${await messageOf()}`.includes("breaks its outputSchema"));
        body = "x".repeat(8 * 1024 * 1024);
        assertEquals(await messageOf(), "The answer of crm.find is larger than 8388608 bytes");
        body = { a: Array.from({ length: 400_001 }, () => 0) };
        assertEquals(
          await messageOf(),
          "The answer of crm.find has more than 400000 brackets, commas and colons",
        );
      },
    );
  },
);

Deno.test(
  "operations: a call keeps its target when the file changes, and is denied once the tenant has lost it",
  CLOCK,
  async () => {
    await using first = serveTools(() => new Response("first"));
    await using second = serveTools(() => new Response("second"));
    const file = (url: string, tenants: unknown) => ({
      operations: { x: { method: "GET", url } },
      tenants,
      privateAddresses: [first.address, second.address],
    });
    const tools = toolSets(file(first.url, { "*": ["x"] }));
    try {
      const { toolsFile } = await import("./fixture.ts");
      const revision = tools.of("ann")[0]?.settings.revision ?? "";
      const call = {
        tenant: "ann",
        name: "x",
        revision,
        arguments: "{}",
        timeoutMs: 20_000,
        maxBytes: 1000,
        signal: new AbortController().signal,
      };
      tools.replace(toolsFile(file(second.url, { "*": ["x"] })));
      assertEquals(await tools.call(call), { value: '"first"' });
      const now = tools.of("ann")[0]?.settings.revision ?? "";
      assertEquals(await tools.call({ ...call, revision: now }), { value: '"second"' });
      const other = await tools.call({ ...call, revision: "other" });
      assert("error" in other && other.error.message.includes("has changed it"));
      tools.replace(toolsFile(file(second.url, { bob: ["x"] })));
      const lost = await tools.call({ ...call, revision: now });
      assertEquals("error" in lost && lost.error.kind, "denied");
    } finally {
      await tools.close();
    }
  },
);
