/**
 * Programs of others that tests point at the service. They are in the folder that `TEST_CLIENTS`
 * names, `.belljar/test-clients` when it names none; `.ci/run` fetches them. Where they are missing,
 * their tests are left out.
 *
 * @module
 */

const FOLDER = Deno.env.get("TEST_CLIENTS") ??
  new URL("../../.belljar/test-clients", import.meta.url).pathname;

/** Python with the packages of `tests/adapters/packages/requirements.txt`. */
export const PYTHON = `${FOLDER}/venv/bin/python`;
/** The folder with the packages of `tests/adapters/packages/package.json`, for `node`. */
export const NODE_PACKAGES = FOLDER;

/** The need of a test: one of the files that are there when it can run. */
const FILES = {
  "Python packages": PYTHON,
  "npm packages": `${FOLDER}/node_modules/.package-lock.json`,
  "package deepagents": pythonPackage("deepagents"),
  "package jupyter_kernel_client": pythonPackage("jupyter_kernel_client"),
  "package jupyterlab": pythonPackage("jupyterlab"),
  "package nbconvert": pythonPackage("nbconvert"),
  "package bash-tool": `${FOLDER}/node_modules/bash-tool/package.json`,
} as const;

/** The folder of a Python package. The folder above it has the name of the interpreter's version. */
function pythonPackage(name: string): string {
  const lib = `${FOLDER}/venv/lib`;
  const versions = isThere(lib) ? [...Deno.readDirSync(lib)].map((entry) => entry.name) : [];
  return `${lib}/${versions.find((entry) => entry.startsWith("python"))}/site-packages/${name}`;
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** A test with clients of others; left out, with a line that says so, where they are not there. */
export function clientTest(
  name: string,
  needs: keyof typeof FILES,
  fn: (test: Deno.TestContext) => Promise<void>,
): void {
  const ignore = !isThere(FILES[needs]);
  const label = ignore
    ? `${name} (needs TEST_CLIENTS with the ${needs} of tests/adapters/packages)`
    : name;
  Deno.test({ name: label, ignore, fn });
}
