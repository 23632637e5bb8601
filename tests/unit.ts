/**
 * Runs the tests that need no built engine and no service of its own process: `deno task test:unit`.
 *
 * A test file qualifies by what it imports, so there is no list to maintain. Files whose tests take
 * seconds are left to `deno task test`.
 */

const ROOT = new URL("../", import.meta.url);
/** Tests that import one of these build an engine or start a process. */
const HEAVY = new RegExp(
  "^(?:main\\.ts|service/local_env\\.ts" +
    "|tests/support/(?:built|program|service|process)\\.ts|tests/client/deno_command\\.ts" +
    "|tests/store/processes_test\\.ts|tests/store/lease_again_test\\.ts" +
    "|runtimes/build/(?:cache|main|javascript|python|perl|ruby)\\.ts" +
    "|runtimes/pool/isolate_process\\.ts)$",
);
const SLOW =
  /(?:fuzz|random|store_gone|crash|differential|mutation|equivalence|hostile|largest|snapshotter|recursion|quickjs|host_calls|host_hash|workspace_mirror|program|blobs|lease|queued_body|output_collector)\w*_test\.ts$|\/(?:hostile|openapi|remote)\//;

function testFiles(folder: string): string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].flatMap(({ name, isDirectory }) => {
    const path = `${folder}${name}`;
    if (isDirectory) return testFiles(`${path}/`);
    return name.endsWith("_test.ts") ? [path] : [];
  });
}

/** Paths of our own modules that a module imports, or that it starts by their path. */
function importsOf(path: string): string[] {
  const text = Deno.readTextFileSync(new URL(path, ROOT));
  const named = text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|new URL\()["'](\.[^"']+\.ts)["']/g);
  return [...named].map(([, specifier = ""]) =>
    new URL(specifier, new URL(path, ROOT)).pathname.slice(ROOT.pathname.length)
  );
}

function isHeavy(path: string, seen = new Set<string>()): boolean {
  if (HEAVY.test(path)) return true;
  if (seen.has(path)) return false;
  seen.add(path);
  return importsOf(path).some((other) => isHeavy(other, seen));
}

const files = testFiles("tests/").filter((path) => !SLOW.test(path) && !isHeavy(path)).sort();
/** More groups than cores, because some tests wait. */
const GROUPS = 2 * navigator.hardwareConcurrency;

/**
 * Modules that import the files, a part of them each: what they share is loaded once for a module
 * instead of once for a file, which would take longer than the tests.
 */
function writeGroups(folder: string): string[] {
  return Array.from({ length: GROUPS }, (_, group) => {
    const path = `${folder}/group_${group}_test.ts`;
    const members = files.filter((_, index) => index % GROUPS === group);
    const imports = members.map((file) => `import ${JSON.stringify(new URL(file, ROOT).href)};\n`);
    Deno.writeTextFileSync(path, imports.join(""));
    return path;
  });
}

const folder = Deno.makeTempDirSync();
let code = 1;
try {
  const config = new URL("deno.json", ROOT).pathname;
  const command = new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "--allow-all",
      "--parallel",
      "--no-check",
      `--config=${config}`,
      ...Deno.args,
      ...writeGroups(folder),
    ],
    env: { DENO_JOBS: String(GROUPS) },
    cwd: ROOT,
  });
  ({ code } = await command.spawn().status);
} finally {
  Deno.removeSync(folder, { recursive: true });
}
Deno.exit(code);
