// test: slow
import { assertEquals } from "@std/assert";
import type { Language } from "../../client/protocol/types.ts";
import { createAuthenticator } from "../../gateway/authentication.ts";
import { createHostCheck } from "../../gateway/host_check.ts";
import type { LanguageRuntime } from "../../shared/binding.ts";
import {
  conflict,
  internalError,
  runtimeUnavailable,
  runWaiting,
  type ServiceError,
  snapshotCorrupt,
  snapshotIncompatible,
  tooManyWaiting,
} from "../../shared/errors.ts";
import type { InterpreterExecuteRpcResult } from "../../shared/run_in_context.ts";
import { echoRuntime } from "../gateway/echo_runtime.ts";
import { FakeRuntime } from "../sandbox/fake_runtime.ts";
import { fakeRuntimes } from "../sandbox/fixture.ts";
import { codesOf, objectAt } from "./documented.ts";
import { type DocumentedGateway, type GatewayFixtureOptions, withGateway } from "./fixture.ts";

const SANDBOX = "/languages/{language}/sandboxes/{id}";

/** A runtime whose runs in contexts come to nothing. */
class FailingRuntime extends FakeRuntime {
  constructor(readonly failure: ServiceError) {
    super("python");
  }

  override executeInContext(): Promise<InterpreterExecuteRpcResult> {
    const body = this.failure.toBody(Date.now);
    return Promise.resolve({ ok: false, status: body.httpStatus, body });
  }
}

function failingRuns(failure: ServiceError): GatewayFixtureOptions {
  return { sandboxes: { runtimes: { ...fakeRuntimes(), PYTHON: new FailingRuntime(failure) } } };
}

function failingLanguages(failure: Error): GatewayFixtureOptions {
  const before = () => Promise.reject(failure);
  const runtimes = new Map<Language, LanguageRuntime>([
    ["javascript", echoRuntime("javascript", { before })],
    ["python", echoRuntime("python", { before })],
  ]);
  return { gateway: { runtimes } };
}

function unreachable(): GatewayFixtureOptions {
  const runtime = new FakeRuntime("python");
  runtime.before = () => {
    throw new TypeError("nobody is there");
  };
  return { sandboxes: { runtimes: { ...fakeRuntimes(), PYTHON: runtime } } };
}

const JSON_TYPE = { "content-type": "application/json" };

/** A fault, and the requests for which it occurs. */
interface Scenario {
  readonly parts: GatewayFixtureOptions;
  readonly init?: RequestInit;
  readonly paths: readonly string[];
  readonly parameters?: { readonly [name: string]: string };
}

const RUNS = ["/execute", "/execute/{language}"];
const RUN_IN_SANDBOX = `${SANDBOX}/execute`;
const ALL_RUNS = [...RUNS, RUN_IN_SANDBOX];

function scenarios(): readonly Scenario[] {
  const authenticate = createAuthenticator([{ tenant: "t", token: "secret" }]);
  const headers = { authorization: "Bearer secret" };
  const run = (body: string, type = "application/json") => ({
    init: { body, headers: { "content-type": type } },
    parts: {},
  });
  const builds = { stored: "a", present: "b" };
  return [
    ...["{", '{"code":""}'].map((body) => ({ ...run(body), paths: ALL_RUNS })),
    { ...run('{"code":"1"}', "text/plain"), paths: ALL_RUNS },
    { ...run("x".repeat(100_000)), paths: ALL_RUNS },
    { parts: {}, init: { method: "PUT" }, paths: ALL_RUNS },
    { parts: {}, paths: [...RUNS.slice(1), RUN_IN_SANDBOX], parameters: { language: "", id: "a" } },
    {
      parts: { gateway: { authenticate }, headers },
      init: { headers: { authorization: "Bearer other" } },
      paths: ALL_RUNS,
    },
    {
      parts: { gateway: { hostCheck: createHostCheck([]) } },
      init: { headers: { host: "attacker.example" } },
      paths: ALL_RUNS,
    },
    { ...run('{"code":"1","contextId":"none"}'), paths: [RUN_IN_SANDBOX] },
    {
      parts: {},
      init: { headers: { ...JSON_TYPE, "if-match": '"5"' } },
      paths: [RUN_IN_SANDBOX],
    },
    ...[
      conflict("The context was deleted during the run", "7"),
      conflict("The run was cancelled"),
      snapshotIncompatible("7", builds),
      snapshotCorrupt("7"),
      runWaiting({ run: "r1", calls: [{ key: "r1/1", name: "f", arguments: {} }] }),
      internalError(),
      runtimeUnavailable(),
      tooManyWaiting("RATE_LIMITED"),
      tooManyWaiting("OVERLOADED"),
    ].map((failure) => ({ parts: failingRuns(failure), paths: [RUN_IN_SANDBOX] })),
    ...[
      internalError(),
      tooManyWaiting("RATE_LIMITED"),
      tooManyWaiting("OVERLOADED"),
      new TypeError("nobody is there"),
    ].map((failure) => ({ parts: failingLanguages(failure), paths: RUNS })),
    { parts: unreachable(), paths: [RUN_IN_SANDBOX, `${SANDBOX}/contexts`] },
    {
      parts: { gateway: { stopping: AbortSignal.abort() } },
      paths: RUNS,
    },
    {
      parts: { sandboxes: { quotas: { maxSandboxes: 0 } } },
      paths: [RUN_IN_SANDBOX, `${SANDBOX}/contexts`, `${SANDBOX}/env`],
    },
  ];
}

/** Plays a scenario; gives what was answered. */
async function play(scenario: Scenario): Promise<ReadonlySet<string>> {
  const { init, parameters = { language: "python", id: "box" } } = scenario;
  let seen: ReadonlySet<string> = new Set();
  await withGateway(scenario.parts, async ({ service, send }: DocumentedGateway) => {
    for (const path of scenario.paths) {
      const concrete = path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? "");
      const body = init?.method === undefined ? '{"code":"1","envVars":{}}' : null;
      const answer = await send(concrete, { method: "POST", body, headers: JSON_TYPE, ...init });
      await service.check("POST", path, answer);
    }
    seen = service.seen;
  });
  return seen;
}

Deno.test("openapi: every documented error of a run can happen, and is as documented", async () => {
  const played = await Promise.all(scenarios().map(play));
  const seen = new Set(played.flatMap((part) => [...part]));
  await withGateway({}, ({ service: { document, operations } }) => {
    const documented = operations.filter(({ path, method }) =>
      ALL_RUNS.includes(path) && method === "POST"
    ).flatMap((listed) => {
      const statuses = Object.keys(objectAt(listed.operation, ["responses"]))
        .filter((status) => Number(status) >= 400);
      return statuses.flatMap((status) =>
        codesOf(document, listed, status).map((code) => `POST ${listed.path} ${status} ${code}`)
      );
    });
    assertEquals(documented.filter((answer) => !seen.has(answer)), []);
    return Promise.resolve();
  });
});
