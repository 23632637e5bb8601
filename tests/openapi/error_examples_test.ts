// test: slow
import { assertArrayIncludes } from "@std/assert";
import { createAuthenticator } from "../../gateway/authentication.ts";
import { BodyBudget } from "../../gateway/body_budget.ts";
import { createHostCheck } from "../../gateway/host_check.ts";
import { SANDBOX_LIMITS } from "../../shared/limits.ts";
import { type DocumentedService, followed, type Json, objectAt } from "./documented.ts";
import type { Send } from "./exchange.ts";
import { type GatewayFixtureOptions, withGateway } from "./fixture.ts";

const SANDBOX = "/languages/{language}/sandboxes/{id}";
const FILES = `${SANDBOX}/files`;
const EXECUTE = `${SANDBOX}/execute`;
const OF_SANDBOX = [EXECUTE, FILES, `${SANDBOX}/env`, `${SANDBOX}/contexts`];
const OF_LANGUAGE = ["/execute/{language}", ...OF_SANDBOX];
const ALL = ["/execute", ...OF_LANGUAGE];
/** The values of the names in a path. */
type Parameters = { readonly [name: string]: string };

const PARAMETERS: Parameters = { language: "python", id: "box" };

/** Requests that are answered as an example says. */
interface Scenario {
  readonly parts?: GatewayFixtureOptions;
  readonly parameters?: Parameters;
  /** Operations on files that are done before. */
  readonly before?: readonly unknown[];
  readonly paths: readonly string[];
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body: unknown;
}

function scenarios(): readonly Scenario[] {
  const body = { code: "1" };
  const withBodies = (bodyBytes: number, bodyBytesPerTenant: number): Scenario => ({
    parts: { gateway: { bodies: new BodyBudget({ bodyBytes, bodyBytesPerTenant }) } },
    paths: ALL,
    body,
  });
  return [
    {
      parts: { gateway: { hostCheck: createHostCheck([]) } },
      headers: { host: "attacker.example" },
      paths: ALL,
      body,
    },
    {
      parts: {
        gateway: { authenticate: createAuthenticator([{ tenant: "t", token: "secret" }]) },
        headers: { authorization: "Bearer secret" },
      },
      headers: { authorization: "" },
      paths: ALL,
      body,
    },
    { paths: ["/execute"], method: "PUT", body },
    { paths: OF_LANGUAGE, parameters: { ...PARAMETERS, language: "cobol" }, body },
    { paths: OF_SANDBOX, parameters: { ...PARAMETERS, id: "-" }, body },
    { paths: ["/execute/{language}"], parameters: { language: "" }, body },
    { paths: ALL, body: [] },
    { paths: ALL, body: "x".repeat(2 * SANDBOX_LIMITS.fileRequestBytes) },
    { paths: ALL, headers: { "content-type": "text/plain" }, body },
    withBodies(1_000, 0),
    withBodies(0, 1_000),
    { paths: [EXECUTE], body: { code: "1", contextId: "7" } },
    {
      parts: { sandboxes: { limits: { contexts: 0 } } },
      paths: [EXECUTE, `${SANDBOX}/contexts`],
      body,
    },
    {
      parts: { sandboxes: { quotas: { maxTenantBytes: 0 } } },
      paths: [FILES],
      body: { op: "write", path: "a", content: "x" },
    },
    ...fileScenarios(),
  ];
}

function fileScenarios(): readonly Scenario[] {
  const { fileBytes, totalBytes } = SANDBOX_LIMITS.workspace;
  const largest = "x".repeat(fileBytes);
  const full = Array.from({ length: totalBytes / fileBytes }, (_, n) => (
    { op: "write", path: `full${n}`, content: largest }
  ));
  const fails = (body: unknown, ...before: readonly unknown[]) => ({
    before,
    paths: [FILES],
    body,
  });
  const directory = { op: "mkdir", path: "a" };
  return [
    fails({ op: "read", path: "a" }),
    fails(directory, directory),
    fails({ op: "write", path: "../a", content: "" }),
    fails({ op: "read", path: "a" }, directory),
    fails({ op: "list", path: "a" }, { op: "write", path: "a", content: "" }),
    fails({ op: "write", path: "a", content: `${largest}x` }),
    fails({ op: "write", path: "a", content: "x" }, ...full),
    fails(
      { op: "rename", path: "a", newPath: "b" },
      directory,
      { op: "mkdir", path: "b/c", recursive: true },
    ),
  ];
}

/** The text of an error without its numbers and its time. */
function said({ timestamp: _, ...error }: Json): string {
  return JSON.stringify(error).replaceAll(/\d+/g, "0");
}

function examplesOf({ document }: DocumentedService, path: string, status: number) {
  const answer = followed(document, ["paths", path, "post", "responses", String(status)]);
  const examples = objectAt(answer, ["content", "application/json", "examples"]);
  return Object.values(examples).map((example) => objectAt(example, ["value"]));
}

async function play({ parts = {}, ...scenario }: Scenario): Promise<void> {
  const { parameters = PARAMETERS, before = [], paths, method = "POST", headers, body } = scenario;
  const post = (send: Send, path: string, sent: unknown, init: RequestInit = {}) =>
    send(path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? ""), {
      method: "POST",
      body: JSON.stringify(sent),
      ...init,
      headers: { "content-type": "application/json", ...headers },
    });
  await withGateway(parts, async ({ service, send }) => {
    for (const each of before) await (await post(send, FILES, each)).json();
    for (const path of paths) {
      const answer = await post(send, path, body, { method });
      const examples = examplesOf(service, path, answer.status);
      assertArrayIncludes(examples.map(said), [said(await answer.json())], `${method} ${path}`);
    }
  });
}

Deno.test("openapi: examples of errors are answers of the service", async () => {
  for (const scenario of scenarios()) await play(scenario);
});
