/**
 * Example requests and answers of the document.
 *
 * @module
 */
import type { RunEvent } from "../../client/protocol/run_events.ts";
import type { ExecutionResult } from "../../client/protocol/types.ts";
import { FUEL, SANDBOX_QUOTAS } from "../../shared/limits.ts";
import type { SandboxList } from "../../shared/sandbox_types.ts";

/** An example value with its title. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** Examples by name. */
export type Examples = { readonly [name: string]: Example };

/** Bodies of stateless runs. */
const EXECUTE_EXAMPLES: { readonly javascript: Examples; readonly any: Examples } = {
  javascript: {
    value: { summary: "A value", value: { code: "[1, 2, 3].map((n) => n * 2)" } },
    typescript: {
      summary: "TypeScript, and a variable",
      value: {
        code: "const name: string = process.env.NAME ?? ''; console.log(`Hello, ${name}`)",
        language: "typescript",
        envVars: { NAME: "Ada" },
      },
    },
    limits: {
      summary: "Limits lower than the service's",
      value: { code: "for (;;);", limits: { fuel: 1_000_000_000, wallMs: 2_000 } },
    },
    stdin: {
      summary: "Standard input",
      value: {
        code: "require('fs').readFileSync(0, 'utf8').trim().split('\\n')",
        stdin: "Ada\nGrace\n",
      },
    },
    replay: {
      summary: "A run that can be repeated to the byte",
      value: { code: "[Math.random(), Date.now()]", seed: 42, clock: 1_767_225_600_000 },
    },
  },
  any: {
    output: { summary: "Output", value: { code: 'print("Hello")' } },
    variables: {
      summary: "A variable",
      value: { code: "import os\nos.environ['NAME']", envVars: { NAME: "Ada" } },
    },
    limits: {
      summary: "Limits lower than the service's",
      value: { code: 'print("Hello")', limits: { fuel: 1_000_000_000, wallMs: 2_000 } },
    },
    stdin: {
      summary: "Standard input",
      value: { code: "name = input('Name? ')\nf'Hello, {name}'", stdin: "Ada\n" },
    },
    replay: {
      summary: "A run that can be repeated to the byte",
      value: {
        code: "import random, time\n[random.random(), time.time()]",
        seed: 42,
        clock: 1_767_225_600_000,
      },
    },
  },
};

const DISPLAYING = "({ [Symbol.for('Jupyter.display')]: () => ({ 'text/html': '<b>6</b>' }) })";

const RESULT: ExecutionResult = {
  code: "[1, 2, 3].map((n) => n * 2)",
  language: "javascript",
  engine: "QuickJS-ng 0.17.0 (quickjs-wasi 3.6.2)",
  durationMs: 0.42,
  logs: { stdout: [], stderr: [] },
  results: [{ json: [2, 4, 6] }],
  usage: { fuelConsumed: 48_211, fuelLimit: FUEL.javascript, memoryBytes: 1_769_472 },
};

/** Answers to stateless runs. */
const RESULT_EXAMPLES: Examples = {
  value: { summary: "A value", value: RESULT },
  display: {
    summary: "A value with a rich form",
    value: {
      ...RESULT,
      code: DISPLAYING,
      results: [{ json: {} }],
      displays: [{ data: { "text/html": "<b>6</b>" }, main: true }],
    },
  },
  failure: {
    summary: "A program that failed",
    value: {
      ...RESULT,
      code: "console.log('so far');\nundefinedName",
      logs: { stdout: ["so far"], stderr: [] },
      results: [],
      error: {
        name: "ReferenceError",
        message: "undefinedName is not defined",
        traceback: ["    at <anonymous> (main.js:2:1)"],
        lineNumber: 2,
      },
    } satisfies ExecutionResult,
  },
};

/** The events of a run that prints a line. */
export const EVENTS_EXAMPLE: readonly RunEvent[] = [
  { type: "start" },
  { type: "stdout", text: "so far" },
  {
    type: "end",
    execution: {
      ...RESULT,
      code: "console.log('so far')",
      logs: { stdout: ["so far"], stderr: [] },
      results: [],
    },
  },
];

const CONTEXT_ID = "0b0f3c0e-6f3c-4a43-9f0e-3f1b8f0a6d52";

/** Answers to runs in contexts. */
const CONTEXT_RESULT_EXAMPLES: Examples = {
  value: {
    summary: "A value",
    value: {
      code: "total + 1",
      language: "python",
      engine: "CPython 3.14.2 (Pyodide 314.0.7)",
      durationMs: 1.2,
      logs: { stdout: [], stderr: [] },
      results: [{ text: "42" }],
      executionCount: 2,
      usage: { fuelConsumed: 912_004, fuelLimit: FUEL.python, memoryBytes: 41_943_040 },
      context: {
        id: CONTEXT_ID,
        cwd: "/workspace",
        executions: 2,
        snapshotMs: 3.1,
        expiresAt: 1_769_938_200_000,
      },
    } satisfies ExecutionResult,
  },
};

/** Bodies of runs in contexts. */
const SANDBOX_EXECUTE_EXAMPLES: Examples = {
  default: { summary: "In the default context", value: { code: "total = 41" } },
  context: {
    summary: "In a context, without a variable of the sandbox",
    value: { code: "total + 1", contextId: CONTEXT_ID, envVars: { TOKEN: null } },
  },
  limits: {
    summary: "Limits lower than the service's",
    value: { code: "while True: total += 1", limits: { wallMs: 2_000 } },
  },
  stdin: {
    summary: "Standard input",
    value: { code: "total = sum(map(int, input().split()))", stdin: "40 1\n" },
  },
  replay: {
    summary: "A run that can be repeated to the byte",
    value: { code: "import random\nrandom.random()", seed: 42, clock: 1_767_225_600_000 },
  },
};

/** Bodies of contexts to create. */
const CONTEXT_EXAMPLES: Examples = {
  default: { summary: "In /workspace", value: {} },
  directory: { summary: "Elsewhere", value: { cwd: "/workspace/app", envVars: { MODE: "test" } } },
};

/** Body of a fork of a context. */
const FORK_CONTEXT_EXAMPLES: Examples = {
  fork: { summary: "A context with the same state", value: {} },
};

/** Body of a fork of a sandbox. */
const FORK_SANDBOX_EXAMPLES: Examples = {
  fork: { summary: "A second sandbox", value: { to: "second-try" } },
  checkpoint: {
    summary: "A second sandbox with the state of a checkpoint",
    value: { to: "second-try", checkpoint: "0c5d9c2e-5a55-4c39-a3e4-7d6f0d4f2a11" },
  },
};

/** Bodies of checkpoints to make. */
const CHECKPOINT_EXAMPLES: Examples = {
  named: { summary: "With a name", value: { name: "before the cleanup" } },
  default: { summary: "Without one", value: {} },
};

/** Bodies of variables to set. */
const ENV_EXAMPLES: Examples = {
  set: { summary: "One set, one unset", value: { envVars: { NAME: "Ada", OLD: null } } },
};

/** Bodies of operations on files. */
const FILE_EXAMPLES: Examples = {
  write: {
    summary: "Write a file",
    value: { op: "write", path: "notes/today.txt", content: "Hello", recursive: true },
  },
  read: {
    summary: "Read it as bytes",
    value: { op: "read", path: "notes/today.txt", encoding: "base64" },
  },
  list: { summary: "List all files", value: { op: "list", path: ".", recursive: true } },
  rename: {
    summary: "Rename a file",
    value: { op: "rename", path: "notes/today.txt", newPath: "notes/tuesday.txt" },
  },
};

/** Answer of the health route. */
const HEALTH_EXAMPLE: Examples = {
  ok: {
    summary: "All is well",
    value: {
      status: "ok",
      languages: [{ id: "javascript", state: "ready", isolates: 2, build: "javascript-3f9a" }],
      version: "0.3.0",
      commit: "9fceb02d0ae598e95dc970b74767f19372d61af8",
    },
  },
};

/** Answers of the route of usage. */
const USAGE_EXAMPLE: Examples = {
  tenant: {
    summary: "For a tenant",
    value: {
      tenant: "ann",
      since: "2026-01-31T09:00:00.000Z",
      runs: 1_204,
      fuelConsumed: 58_046_044,
      sandboxes: 3,
      bytes: 481_200,
    },
  },
};

/** Answer of the route of metrics. */
const METRICS_EXAMPLE: Examples = {
  some: {
    summary: "Runs of one tenant",
    value: "# HELP belljar_runs_total Answered runs.\n# TYPE belljar_runs_total counter\n" +
      'belljar_runs_total{tenant="2bd806c97f0e"} 1204\n',
  },
};

/** Answer of the route of readiness. */
const READY_EXAMPLE: Examples = {
  ready: { summary: "The service can work", value: { status: "ready" } },
};

/** Answers of the listing of sandboxes. */
const SANDBOX_LIST_EXAMPLES: Examples = {
  page: {
    summary: "A page that another one follows",
    value: {
      sandboxes: [{
        id: "ada",
        createdAt: "2026-01-31T09:00:00.000Z",
        lastUsed: "2026-01-31T09:30:00.000Z",
        expiresAt: 1_769_938_200_000,
        contexts: 1,
        files: 2,
        bytes: 1_024,
      }],
      cursor: "OuPtYx9pQkZ4bG9nYWRh",
      usage: {
        sandboxes: 12,
        maxSandboxes: SANDBOX_QUOTAS.maxSandboxes,
        bytes: 4_096,
        maxBytes: SANDBOX_QUOTAS.maxTenantBytes,
      },
    } satisfies SandboxList,
  },
};

const CALL = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "run_code", arguments: { language: "python", code: "6 * 7" } },
};

const CALL_ANSWER = "event: message\n" +
  'data: {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[result]\\n42"}]}}\n\n';

/** The examples of a route. */
export interface RouteExamples {
  /** Bodies of requests. */
  readonly request?: Examples;
  /** Bodies of answers. */
  readonly answer?: Examples;
}

/** The examples of each route that has some, by its id. */
export const EXAMPLES: { readonly [id: string]: RouteExamples } = {
  execute: { request: EXECUTE_EXAMPLES.javascript, answer: RESULT_EXAMPLES },
  executeLanguage: { request: EXECUTE_EXAMPLES.any, answer: RESULT_EXAMPLES },
  health: { answer: HEALTH_EXAMPLE },
  readiness: { answer: READY_EXAMPLE },
  usage: { answer: USAGE_EXAMPLE },
  metrics: { answer: METRICS_EXAMPLE },
  listSandboxes: { answer: SANDBOX_LIST_EXAMPLES },
  createContext: { request: CONTEXT_EXAMPLES },
  executeInSandbox: { request: SANDBOX_EXECUTE_EXAMPLES, answer: CONTEXT_RESULT_EXAMPLES },
  setEnvVars: { request: ENV_EXAMPLES },
  files: { request: FILE_EXAMPLES },
  forkContext: { request: FORK_CONTEXT_EXAMPLES },
  forkSandbox: { request: FORK_SANDBOX_EXAMPLES },
  createCheckpoint: { request: CHECKPOINT_EXAMPLES },
  mcp: {
    request: { call: { summary: "A call of a tool", value: CALL } },
    answer: { result: { summary: "The result of a tool", value: CALL_ANSWER } },
  },
};
