// test: slow
/**
 * The document and the routes say the same of the same bodies. What the document cannot say is
 * left out: lengths in bytes, and what of a text is no Unicode.
 */
import { assert, assertEquals } from "@std/assert";
import type { Send } from "./exchange.ts";
import { withGateway } from "./fixture.ts";

/** Values that a field may be given, right and wrong. */
const VALUES: readonly unknown[] = [
  "text",
  "",
  "utf-8",
  "base64",
  null,
  0,
  true,
  false,
  [],
  {},
  { A: "1" },
  { A: null },
  { A: 1 },
  { "no name": "1" },
  { A: "\u0000" },
  { A: "1", _b2: "" },
  "javascript",
  "ts",
  "python",
  { fuel: 1, wallMs: 1 },
  { fuel: 1e300 },
  { wallMs: 1.5 },
  { wallMs: 60_000 },
  { wallMs: 60_001 },
  { fuel: 0 },
  { fuel: null },
  { fuel: 5, seconds: 1 },
];

const OPERATIONS = ["read", "write", "mkdir", "delete", "rename", "move", "list", "exists", "stat"];

interface Case {
  /** Of the document. */
  readonly schema: string;
  /** Of the route. */
  readonly path: string;
  /** A body that is right. */
  readonly base: { readonly [name: string]: unknown };
  /** Fields that are left out, and given other values. */
  readonly fields: readonly string[];
}

const SANDBOX = "/languages/python/sandboxes/bodies";
const FILE_FIELDS = ["path", "newPath", "content", "encoding", "recursive", "force"];

function cases(): readonly Case[] {
  return [
    {
      schema: "ExecuteJavaScriptRequest",
      path: "/execute",
      base: { code: "1" },
      fields: ["code", "envVars", "limits", "stdin", "language", "input", "other"],
    },
    {
      schema: "SandboxExecuteRequest",
      path: `${SANDBOX}/execute`,
      base: { code: "1" },
      fields: [
        "code",
        "envVars",
        "limits",
        "stdin",
        "contextId",
        "binding",
        "cwd",
        "input",
        "other",
      ],
    },
    {
      schema: "CreateContextRequest",
      path: `${SANDBOX}/contexts`,
      base: {},
      fields: ["binding", "cwd", "envVars", "other"],
    },
    {
      schema: "EnvRequest",
      path: `${SANDBOX}/env`,
      base: { envVars: {} },
      fields: ["envVars", "other"],
    },
    ...[...OPERATIONS, "copy", 1].map((op): Case => ({
      schema: "FileRequest",
      path: `${SANDBOX}/files`,
      base: { op, path: "a", newPath: "b", content: "" },
      fields: [...FILE_FIELDS, "includeHidden", "other"],
    })),
  ];
}

async function post(send: Send, path: string, body: unknown): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return await send(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Whether a route takes a body for what it is. What it then does with it, does not matter. */
async function isTaken(send: Send, path: string, body: unknown): Promise<boolean> {
  const answer = await post(send, path, body);
  const { code, id } = await answer.json();
  if (answer.status === 201) await send(`${path}/${id}`, { method: "DELETE" });
  assert(answer.status < 500, `${path} ${JSON.stringify(body)} ${answer.status}`);
  return code !== "VALIDATION_FAILED";
}

Deno.test("openapi: bodies are accepted exactly when the document says so", async () => {
  await withGateway({}, async ({ service, send }) => {
    const counts = { accepted: 0, refused: 0 };
    // So that a working directory of any name is there.
    for (const path of VALUES) {
      if (path !== "" && typeof path === "string") {
        await post(send, `${SANDBOX}/files`, { op: "mkdir", path: `/workspace/${path}` });
      }
    }
    const compare = async ({ schema, path }: Case, body: unknown) => {
      const documented = service.accepts(["components", "schemas", schema], body);
      assertEquals([schema, body, documented], [schema, body, await isTaken(send, path, body)]);
      counts[documented ? "accepted" : "refused"]++;
    };
    for (const each of cases()) {
      await compare(each, each.base);
      for (const field of each.fields) {
        const { [field]: _, ...without } = each.base;
        await compare(each, without);
        for (const value of VALUES) await compare(each, { ...each.base, [field]: value });
      }
    }
    assert(counts.accepted > 300 && counts.refused > 300, JSON.stringify(counts));
  });
});

Deno.test("openapi: sandbox ids are accepted exactly when the document says so", async () => {
  const ids = [
    "a",
    "a-b",
    "-a",
    "a-",
    ".",
    "..",
    "...",
    "a b",
    "é",
    "_",
    "a".repeat(63),
    "a".repeat(64),
    "%",
    "-",
  ];
  await withGateway({}, async ({ service, send }) => {
    const place = ["paths", "/languages/{language}/sandboxes/{id}", "get", "parameters"];
    const parameters = place.reduce<unknown>((at, name) => Object(at)[name], service.document);
    assert(Array.isArray(parameters));
    const index = parameters.findIndex((parameter) => parameter.name === "id");
    const { pattern, maxLength } = parameters[index].schema;
    for (const id of ids) {
      if (id === "." || id === "..") continue; // A URL cannot hold them.
      const { status } = await send(`/languages/python/sandboxes/${encodeURIComponent(id)}`, {});
      const documented = new RegExp(pattern, "u").test(id) && id.length <= maxLength;
      assertEquals([id, documented], [id, status === 200]);
    }
  });
});
