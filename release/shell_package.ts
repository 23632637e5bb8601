/**
 * `deno task release:shell [FOLDER]`: writes the folder of the npm package with the compiled module
 * of the shell, which `deno task shell install` takes it from. The folder is ready for `npm pack` and
 * `npm publish`.
 *
 * @module
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  CRATE_LICENCES,
  readShellModule,
  ShellModuleError,
} from "../runtimes/builder/shell_module.ts";
import { SHELL_FILE, SHELL_PACKAGE, SHELL_VERSION } from "../runtimes/builder/shell_package.ts";

const ROOT = new URL("../", import.meta.url);
const CACHE = decodeURIComponent(new URL(".belljar/cache", ROOT).pathname);
const LICENCES = "THIRD_PARTY_LICENCES.md";
const DESCRIPTION = "The shell of Belljar, a service that runs untrusted scripts, as WebAssembly";

/**
 * Writes the package into a folder.
 *
 * @throws {ShellModuleError} when the module is not compiled, or damaged.
 */
export async function writeShellPackage(folder: URL): Promise<void> {
  const module = await readShellModule(CACHE);
  await Deno.mkdir(folder, { recursive: true });
  const manifest = {
    name: SHELL_PACKAGE,
    version: SHELL_VERSION,
    description: DESCRIPTION,
    license: "MIT",
    exports: { [`./${SHELL_FILE}`]: `./${SHELL_FILE}` },
    files: [SHELL_FILE, LICENCES],
  };
  const text = (name: string, content: string) =>
    Deno.writeTextFile(new URL(name, folder), content);
  await text("package.json", `${JSON.stringify(manifest, null, 2)}\n`);
  await text("README.md", readme());
  await Deno.copyFile(new URL("LICENSE", ROOT), new URL("LICENSE", folder));
  await Deno.copyFile(CRATE_LICENCES, new URL(LICENCES, folder));
  await Deno.writeFile(new URL(SHELL_FILE, folder), module);
}

function readme(): string {
  return `# ${SHELL_PACKAGE}

${DESCRIPTION}. The package has one file of use, \`${SHELL_FILE}\`: a bash with some 150 commands,
compiled for WASI from the crate [bashkit](https://crates.io/crates/bashkit) and sources of Belljar.

In a checkout of Belljar ${SHELL_VERSION}:

\`\`\`sh
deno task shell install
\`\`\`

This downloads the package and compares the SHA-256 of the module with the one in the checkout. On a
machine without a network, name a tarball that \`npm pack ${SHELL_PACKAGE}@${SHELL_VERSION}\` made:
\`deno task shell install FILE\`. \`deno task shell build\` compiles the same bytes, with Rust.

The licences of the crates are in [${LICENCES}](${LICENCES}).
`;
}

if (import.meta.main) {
  const [folder = "dist/shell", ...more] = Deno.args;
  const tell = (line: string) => Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
  if (more.length > 0 || folder.startsWith("-")) {
    tell("Usage: deno task release:shell [FOLDER]");
    Deno.exit(2);
  }
  try {
    await writeShellPackage(pathToFileURL(`${resolve(folder)}/`));
  } catch (thrown) {
    if (!(thrown instanceof ShellModuleError)) throw thrown;
    tell(`There is no package of the shell: ${thrown.message}`);
    Deno.exit(1);
  }
}
