import { NO_PACKAGES } from "../shared/binding.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  type BundledLanguage as Language,
  LANGUAGES as ALL_LANGUAGES,
} from "../shared/languages.ts";
import {
  type Config,
  ConfigError,
  type Environment,
  readConfig,
  similarVariables,
} from "../service/config.ts";
import {
  ADMISSION_LIMITS,
  FUEL,
  limitsByLanguage,
  MEMORY_BYTES,
  MEMORY_CEILING,
  SANDBOX_QUOTAS,
  SHARED_CEILINGS,
} from "../shared/limits.ts";

const ALL = { available: LANGUAGES, cores: 4 };
function problemsOf(env: Environment, available: readonly Language[] = LANGUAGES) {
  return assertThrows(() => readConfig(env, { available, cores: 4 }), ConfigError).problems;
}

Deno.test("config: an empty environment gives the defaults", () => {
  const expected: Config = {
    host: "127.0.0.1",
    port: 8000,
    credentials: undefined,
    tokensFile: undefined,
    toolsFile: undefined,
    openToAll: false,
    loopbackOnly: true,
    hosted: false,
    allowedOrigins: [],
    embedOrigins: [],
    notifyHosts: [],
    languages: LANGUAGES,
    stateless: false,
    contextLanguages: ["javascript", "python", "perl", "shell"],
    accessLog: false,
    mcp: true,
    e2b: true,
    jupyter: true,
    page: true,
    kvPath: "./.belljar/data.sqlite3",
    cacheDir: "./.belljar/cache",
    packages: NO_PACKAGES,
    npmRegistry: undefined,
    packageIndex: undefined,
    wheelsDistribution: undefined,
    isolates: 4,
    isolatePerTenant: false,
    warmPreloads: false,
    limits: limitsByLanguage(),
    admission: ADMISSION_LIMITS,
    quotas: SANDBOX_QUOTAS,
    waitMs: 86_400_000,
  };
  assertEquals(readConfig({}, ALL), expected);
});

Deno.test("config: one core still gives two isolates", () => {
  assertEquals(readConfig({}, { ...ALL, cores: 1 }).isolates, 2);
});

Deno.test("config: every variable reaches its place", () => {
  const config = readConfig({
    HOST: "[::1]",
    PORT: "0",
    ALLOWED_ORIGINS: "https://a.example, http://localhost:3000",
    EMBED_ORIGINS: "https://b.example,http://localhost:3001",
    LANGUAGES: "ruby, javascript",
    STATELESS: "1",
    RUBY_CONTEXTS: "1",
    CACHE_DIR: "/tmp/cache",
    PYTHON_WHEELS: "/tmp/wheels",
    ISOLATES: "7",
    ISOLATE_PER_TENANT: "1",
    PYTHON_WARM_UP: "1",
    CODE_BYTES: "100",
    REQUEST_BYTES: "200",
    OUTPUT_BYTES: "300",
    OUTPUT_LINES: "4",
    RESULT_BYTES: "500",
    TRACEBACK_BYTES: "600",
    DISPLAY_BYTES: "650",
    WALL_MS: "700",
    STDIN_BYTES: "150",
    SNAPSHOT_BYTES: "800",
    FILE_BYTES: "900",
    WORKSPACE_BYTES: "1000",
    MEMORY_JAVASCRIPT: "67108864",
    MEMORY_PYTHON: "300000000",
    MEMORY_PERL: "200000000",
    MEMORY_RUBY: "2147483648",
    FUEL_JAVASCRIPT: "1",
    FUEL_PYTHON: "2",
    FUEL_PERL: "3",
    FUEL_RUBY: "9007199254740991",
    RUNS_PER_TENANT: "8",
    WAITING_PER_TENANT: "0",
    WAITING_PER_LANGUAGE: "9",
    CALLS_PER_TENANT: "11",
    WAITING_CALLS_PER_TENANT: "12",
    MAX_WAIT_MS: "10",
    MAX_KILLS_PER_MINUTE: "0",
    MAX_KILLED_SECONDS_PER_MINUTE: "13",
    KV_PATH: ":memory:",
    MAX_SANDBOXES: "11",
    MAX_TENANT_BYTES: "12",
    SANDBOX_IDLE_TTL_MS: "0",
    WAIT_MS: "14",
    PATH: "/bin",
  }, ALL);
  assertEquals([config.host, config.port], ["::1", 0]);
  assertEquals(config.kvPath, ":memory:");
  assertEquals(config.quotas, { maxSandboxes: 11, maxTenantBytes: 12, idleTtlMs: 0 });
  assertEquals(config.waitMs, 14);
  assertEquals(config.allowedOrigins, ["https://a.example", "http://localhost:3000"]);
  assertEquals(config.embedOrigins, ["https://b.example", "http://localhost:3001"]);
  assertEquals(config.languages, ["javascript", "ruby"]);
  const { stateless, isolatePerTenant, warmPreloads } = config;
  assertEquals([stateless, isolatePerTenant, warmPreloads], [true, true, true]);
  assertEquals(config.contextLanguages, [...LANGUAGES, "shell"]);
  assertEquals([config.cacheDir, config.packages.pythonWheels, config.isolates], [
    "/tmp/cache",
    "/tmp/wheels",
    7,
  ]);
  const shared = {
    codeBytes: 100,
    requestBytes: 200,
    outputBytes: 300,
    outputLines: 4,
    resultBytes: 500,
    tracebackBytes: 600,
    displayBytes: 650,
    wallMs: 700,
    stdinBytes: 150,
    snapshotBytes: 800,
    fileBytes: 900,
    workspaceBytes: 1_000,
  };
  const memory = {
    javascript: 2 ** 26,
    python: 299_958_272, // whole pages
    perl: 199_950_336,
    ruby: 2 ** 31,
    shell: MEMORY_BYTES.shell,
  };
  const fuel = {
    javascript: 1,
    python: 2,
    perl: 3,
    ruby: Number.MAX_SAFE_INTEGER,
    shell: FUEL.shell,
  };
  assertEquals(config.limits, limitsByLanguage(shared, fuel, memory));
  assertEquals(config.admission, {
    runsPerTenant: 8,
    waitingPerTenant: 0,
    waitingPerLanguage: 9,
    callsPerTenant: 11,
    waitingCallsPerTenant: 12,
    maxWaitMs: 10,
    killsPerMinute: 0,
    killedSecondsPerMinute: 13,
  });
});

Deno.test("config: on Deno Deploy the data are in the platform's own database", () => {
  const env = { DENO_DEPLOY: "1", TOKENS: "secret" };
  assertEquals(readConfig(env, ALL).kvPath, undefined);
  assertEquals(
    readConfig({ ...env, KV_PATH: "https://kv.example" }, ALL).kvPath,
    "https://kv.example",
  );
});

Deno.test("config: the address of a runtime on another machine is refused, with advice", () => {
  const cure = "is not supported: run a service with LANGUAGES on each machine, all on one " +
    "KV_PATH, behind a proxy (docs/operating.md#several-services-for-different-languages)";
  for (const language of ["JAVASCRIPT", "PYTHON", "PERL", "RUBY"]) {
    for (const name of [`${language}_URL`, `${language}_TOKEN`]) {
      assertEquals(problemsOf({ [name]: "http://secret.example" }), [`${name} ${cure}`]);
      assertEquals(readConfig({ [name]: "" }, ALL), readConfig({}, ALL));
    }
  }
});

Deno.test("config: an empty variable counts as absent", () => {
  const env = { PORT: "", LANGUAGES: "", AUTH: "", ALLOWED_ORIGINS: "", WALL_MS: "", HOST: "" };
  assertEquals(readConfig(env, ALL), readConfig({}, ALL));
});

const bad: readonly (readonly [string, string])[] = [
  ...each("PORT", "65536", "-1", "80.5", "8e3", " 80", "http"),
  ...each("HOST", "http://localhost", "a b", "localhost:80"),
  ["AUTH", "basic"],
  ["STATELESS", "yes"],
  ["ISOLATE_PER_TENANT", "true"],
  ["PYTHON_WARM_UP", "2"],
  ["ISOLATES", "0"],
  ...each("LANGUAGES", "javascript,cobol", "JavaScript", "javascript,,perl"),
  ...each("ALLOWED_ORIGINS", "*", "https://a.example/", "a.example", "file://a"),
  ...each("EMBED_ORIGINS", "https://a.example;b", "https://*.example"),
  ["CODE_BYTES", "0"],
  ...beyond(),
  ["WALL_MS", "300001"],
  ["FUEL_JAVASCRIPT", "9007199254740992"],
  ["FUEL_RUBY", "0"],
  ["RUNS_PER_TENANT", "0"],
  ["MAX_KILLS_PER_MINUTE", "many"],
  ["MAX_SANDBOXES", "-1"],
  ["MAX_TENANT_BYTES", "1 GiB"],
  ["SANDBOX_IDLE_TTL_MS", "1h"],
  ...each(
    "TOKENS",
    "",
    "a:b,",
    ":b",
    "a:",
    "ten ant:b",
    "a@b:c",
    "a:b c",
    "a:same,b:same",
    "a:same,a:same:approve",
    "a:token:admin",
    "admin::admin",
  ),
];

for (const [name, value] of bad) {
  Deno.test(`config: ${name}=${value} is refused by name, without its value`, () => {
    const problems = problemsOf({ [name]: value });
    assertEquals(problems.length, 1);
    const [problem = ""] = problems;
    assert(problem.startsWith(`${name} `), problem);
    if (value.length > 3) assert(!problem.includes(value), problem);
  });
}

Deno.test("config: all bad variables are reported at once", () => {
  const problems = problemsOf({ PORT: "x", WALL_MS: "x", TOKENS: "a:b", AUTH: "x" });
  assertEquals(problems.map((problem) => problem.split(" ")[0]), ["PORT", "AUTH", "WALL_MS"]);
});

Deno.test("config: only languages of the build can be enabled", () => {
  const facts = { available: ["javascript"] as const, cores: 2 };
  assertEquals(readConfig({}, facts).languages, ["javascript"]);
  const problems = problemsOf({ LANGUAGES: "javascript, python" }, ["javascript"]);
  assertEquals(problems, ["LANGUAGES (item 2) must be one of javascript"]);
});

Deno.test("config: a language that needs a module is enabled where the cache folder has it", () => {
  const hasModule = (language: string, cacheDir: string) =>
    language === "shell" && cacheDir === "/with";
  const facts = { available: ALL_LANGUAGES, cores: 2, hasModule };
  assertEquals(readConfig({ CACHE_DIR: "/with" }, facts).languages, ALL_LANGUAGES);
  assertEquals(readConfig({ CACHE_DIR: "/without" }, facts).languages, LANGUAGES);
  const chosen = { LANGUAGES: "perl,shell" };
  assertEquals(readConfig({ ...chosen, CACHE_DIR: "/with" }, facts).languages, ["perl", "shell"]);
  const { problems } = assertThrows(() => readConfig(chosen, facts), ConfigError);
  assertEquals(problems, [
    "LANGUAGES must not have shell: its module is not there. deno task shell build makes it",
  ]);
});

Deno.test("config: tokens belong to tenants, bare ones to the default tenant", () => {
  const { credentials: roles } = readConfig({ TOKENS: "a:x:y:approve,admin:k:admin,admin:z" }, ALL);
  assertEquals(roles, [
    { tenant: "a", token: "x:y", role: "approve" },
    { tenant: "admin", token: "k", role: "admin" },
    { tenant: "admin", token: "z" },
  ]);
  const { credentials } = readConfig({ TOKENS: "a:x, b:y:z ,bare" }, ALL);
  assertEquals(credentials, [
    { tenant: "a", token: "x" },
    { tenant: "b", token: "y:z" },
    { tenant: "default", token: "bare" },
  ]);
});

/** The settings that decide who may be served; `undefined` stands for a start that is refused. */
const access: readonly (readonly [Environment, "tokens" | "all" | "loopback" | undefined])[] = [
  [{}, "loopback"],
  [{ HOST: "localhost" }, "loopback"],
  [{ HOST: "127.8.9.1" }, "loopback"],
  [{ HOST: "::1" }, "loopback"],
  [{ HOST: "0.0.0.0" }, undefined],
  [{ HOST: "::" }, undefined],
  [{ HOST: "10.0.0.1" }, undefined],
  [{ HOST: "127.0.0.1.example" }, undefined],
  [{ HOST: "localhost.example" }, undefined],
  [{ DENO_SERVE_ADDRESS: "tcp:0.0.0.0:80" }, undefined],
  [{ DENO_SERVE_ADDRESS: "" }, undefined],
  [{ DENO_DEPLOY: "1" }, undefined],
  [{ HOST: "0.0.0.0", AUTH: "none" }, "all"],
  [{ DENO_DEPLOY: "1", AUTH: "none" }, "all"],
  [{ HOST: "0.0.0.0", TOKENS: "a:b" }, "tokens"],
  [{ DENO_DEPLOY: "1", TOKENS: "a:b" }, "tokens"],
  [{ TOKENS: "a:b" }, "tokens"],
  [{ TOKENS: "a:b", AUTH: "none" }, undefined],
];

for (const [env, served] of access) {
  Deno.test(`config: ${JSON.stringify(env)} serves ${served ?? "nobody"}`, () => {
    if (served === undefined) {
      const [problem = ""] = problemsOf(env);
      assert(/^(TOKENS|AUTH) /.test(problem), problem);
      return;
    }
    const config = readConfig(env, ALL);
    assertEquals(config.credentials !== undefined, served === "tokens");
    assertEquals(config.loopbackOnly, served === "loopback");
    assertEquals(config.hosted, "DENO_DEPLOY" in env);
  });
}

/** Each size that may be raised, with its maximum. */
function maxima(): readonly (readonly [name: string, bytes: number])[] {
  return [
    ["CODE_BYTES", SHARED_CEILINGS.codeBytes],
    ["REQUEST_BYTES", SHARED_CEILINGS.requestBytes],
    ["STDIN_BYTES", SHARED_CEILINGS.stdinBytes],
    ["FILE_BYTES", SHARED_CEILINGS.fileBytes],
    ["WORKSPACE_BYTES", SHARED_CEILINGS.workspaceBytes],
    ["SNAPSHOT_BYTES", SHARED_CEILINGS.snapshotBytes],
    ...LANGUAGES.map((language) => [`MEMORY_${language.toUpperCase()}`, MEMORY_CEILING] as const),
  ];
}

/** Values of them that are refused. */
function beyond(): readonly (readonly [string, string])[] {
  return maxima().flatMap(([name, most]) =>
    each(name, `${most + 1}`, "1 GiB", "1e6", "-1", "0x10")
  );
}

function each(name: string, ...values: readonly string[]): readonly (readonly [string, string])[] {
  return values.map((value) => [name, value]);
}

Deno.test("config: every size may be as large as its maximum, and names it beyond", () => {
  const all = Object.fromEntries(maxima().map(([name, most]) => [name, String(most)]));
  const { limits } = readConfig(all, ALL);
  assertEquals(limits.python.memoryBytes, 2 ** 31);
  assertEquals([limits.ruby.fileBytes, limits.ruby.workspaceBytes], [2 ** 28, 2 ** 30]);
  assertEquals(limits.perl.snapshotBytes, 2 ** 28);
  for (const [name, most] of maxima()) {
    const [problem = ""] = problemsOf({ ...all, [name]: `${most + 1}` });
    assert(problem.startsWith(`${name} `) && problem.endsWith(` to ${most}`), problem);
  }
});

Deno.test("config: a memory is not smaller than the default", () => {
  for (const language of LANGUAGES) {
    const name = `MEMORY_${language.toUpperCase()}`;
    const least = MEMORY_BYTES[language];
    assertEquals(readConfig({ [name]: `${least}` }, ALL).limits[language].memoryBytes, least);
    const [problem = ""] = problemsOf({ [name]: `${least - 1}` });
    assert(problem.includes(` from ${least} to `), problem);
  }
});

Deno.test("config: a limit that exceeds the one around it is refused, and names both", () => {
  const cases: readonly (readonly [Environment, string])[] = [
    [{ CODE_BYTES: "98305" }, "CODE_BYTES must not be more than REQUEST_BYTES"],
    [{ REQUEST_BYTES: "65535" }, "CODE_BYTES must not be more than REQUEST_BYTES"],
    [{ STDIN_BYTES: "98305" }, "STDIN_BYTES must not be more than REQUEST_BYTES"],
    [{ FILE_BYTES: "16777217" }, "FILE_BYTES must not be more than WORKSPACE_BYTES"],
    [{ WORKSPACE_BYTES: "1000" }, "FILE_BYTES must not be more than WORKSPACE_BYTES"],
  ];
  for (const [env, expected] of cases) {
    const problems = problemsOf(env);
    assert(problems.some((problem) => problem.startsWith(expected)), problems.join());
  }
  readConfig({ CODE_BYTES: "98305", REQUEST_BYTES: "98305" }, ALL);
});

Deno.test("config: unknown variables that begin like one of ours are found, by name", () => {
  const env = {
    MEMORY_PHYTON: "1",
    FILE_BITES: "2",
    MAX_TENANTS: "3",
    PATH: "/bin",
    HOSTNAME: "a",
    FUEL_PYTHON: "1",
    WORKSPACE_BYTES: "16777216",
  };
  assertEquals(similarVariables(env, ALL), ["FILE_BITES", "MAX_TENANTS", "MEMORY_PHYTON"]);
});
