// test: long
/** The conformance suite of the protocol against the service and, whole, against the same mount. */
import { assertEquals } from "@std/assert";
import { z } from "zod";
import { createHostCheck } from "../../../gateway/host_check.ts";
import { testGateway } from "../../gateway/test_gateway.ts";
import { startService } from "../../support/service.ts";
import { clientTest, NODE_PACKAGES } from "../../support/test_clients.ts";
import { createFixtureServer } from "./fixtures/server.ts";

const SUITE = "node_modules/@modelcontextprotocol/conformance/dist/index.js";

/** For each scenario the checks that did not pass, in the order of their names. */
type Failed = Readonly<Record<string, readonly string[]>>;

const checksSchema = z.array(z.object({ id: z.string(), status: z.string() }));

/** Runs all scenarios of a revision. */
async function failuresOf(url: string, revision: string): Promise<Failed> {
  const folder = await Deno.makeTempDir();
  try {
    const server = ["server", "--url", `${url}/mcp`, "--suite", "all", "--spec-version", revision];
    const { stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--allow-all", "--node-modules-dir=manual", SUITE, ...server]
        .concat("--output-dir", folder),
      cwd: NODE_PACKAGES,
      stdin: "null",
    }).output();
    const failed: Record<string, readonly string[]> = {};
    for await (const { name } of Deno.readDir(folder)) {
      const scenario = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\w-]+$/.exec(name)?.[1];
      if (scenario === undefined) throw new Error(`a folder without a scenario: ${name}`);
      const checks = checksSchema.parse(
        JSON.parse(await Deno.readTextFile(`${folder}/${name}/checks.json`)),
      );
      const bad = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
      failed[scenario] = bad.map(({ id }) => id).sort();
    }
    if (Object.keys(failed).length === 0) throw new Error(new TextDecoder().decode(stderr));
    return failed;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The scenarios that need nothing of a server but the protocol. */
const WITHOUT_FIXTURES: Readonly<Record<string, Failed>> = {
  "2026-07-28": {
    "dns-rebinding-protection": [],
    "http-header-validation": [],
    "input-required-result-unsupported-methods": [],
    "input-required-result-validate-input": [],
    "server-sse-multiple-streams": [],
    "tools-list": [],
    // these three look for prompts and resources
    "caching": [
      "sep-2549-prompts-list-caching-hints",
      "sep-2549-resources-list-caching-hints",
      "sep-2549-resources-templates-list-caching-hints",
    ],
    // these four call tools of the suite
    "server-stateless": [
      "sep-2575-http-server-no-independent-requests-on-stream",
      "sep-2575-missing-capability-http-400",
      "sep-2575-server-no-log-without-loglevel",
      "sep-2575-server-rejects-undeclared-capability",
    ],
  },
  "2025-11-25": {
    "dns-rebinding-protection": [],
    "ping": [],
    "server-initialize": [],
    "server-session-lifecycle": [],
    "tools-list": [],
  },
};

/** How many scenarios there are. */
const SCENARIOS: Readonly<Record<string, number>> = { "2026-07-28": 40, "2025-11-25": 33 };

/** Intended differences of the mount from the suite. */
const ON_PURPOSE: Readonly<Record<string, Failed>> = {
  "2026-07-28": {
    "server-stateless": [
      // the answer is a stream before the tool finds that a capability is missing
      "sep-2575-missing-capability-http-400",
      // no list changes while the service runs
      "sep-2575-server-sends-prompts-list-changed-on-subscription",
      "sep-2575-server-sends-tools-list-changed-on-subscription",
    ],
  },
  // without sessions a server cannot ask its caller, and a stream cannot be taken up again
  "2025-11-25": {
    "elicitation-sep1034-defaults": ["elicitation-sep1034-general"],
    "elicitation-sep1330-enums": ["elicitation-sep1330-general"],
    "server-sse-polling": ["server-sse-priming-event", "server-sse-retry-field"],
    "tools-call-elicitation": ["tools-call-elicitation"],
    "tools-call-sampling": ["tools-call-sampling"],
  },
};

clientTest(
  "mcp conformance: the service passes all scenarios that need no fixtures",
  "npm packages",
  async () => {
    await using service = await startService({ LANGUAGES: "javascript" });
    for (const [revision, expected] of Object.entries(WITHOUT_FIXTURES)) {
      const failed = await failuresOf(service.url, revision);
      const found = Object.keys(expected).map((scenario) => [scenario, failed[scenario]]);
      assertEquals(Object.fromEntries(found), expected, revision);
    }
  },
);

clientTest(
  "mcp conformance: the mount passes the whole suite, with fixtures in the place of the tools",
  "npm packages",
  async () => {
    const gateway = testGateway({
      mcp: true,
      mcpServer: createFixtureServer,
      hostCheck: createHostCheck([]),
    });
    const listening = { hostname: "127.0.0.1", port: 0, onListen: () => undefined };
    await using server = Deno.serve(listening, (request) => gateway(request));
    for (const [revision, expected] of Object.entries(ON_PURPOSE)) {
      const failed = await failuresOf(`http://localhost:${server.addr.port}`, revision);
      assertEquals(Object.keys(failed).length, SCENARIOS[revision]);
      const some = Object.entries(failed).filter(([, checks]) => checks.length > 0);
      assertEquals(Object.fromEntries(some), expected, revision);
    }
  },
);
