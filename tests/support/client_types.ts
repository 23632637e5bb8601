/**
 * Writes the types of the client as one file, `gateway/client_files/client.d.ts`:
 * `deno task client:types`. It needs the npm packages of `tests/adapters/packages`, in the folder that
 * the first argument names.
 *
 * @module
 */
const [
  packages = new URL("../../.belljar/test-clients", import.meta.url).pathname,
  target = new URL("../../gateway/client_files/client.d.ts", import.meta.url).pathname,
] = Deno.args;
const CLIENT = new URL("../../client/", import.meta.url).pathname;
const PROJECT = {
  compilerOptions: {
    target: "esnext",
    module: "esnext",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    noEmit: true,
    lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"],
    strict: true,
    exactOptionalPropertyTypes: true,
    types: [],
    skipLibCheck: true,
  },
  files: [`${CLIENT}mod.ts`],
};

const folder = await Deno.makeTempDir();
try {
  const project = `${folder}/tsconfig.json`;
  await Deno.writeTextFile(project, JSON.stringify(PROJECT));
  const { success, stdout, stderr } = await new Deno.Command("node", {
    args: [
      `${packages}/node_modules/dts-bundle-generator/dist/bin/dts-bundle-generator.js`,
      "--project",
      project,
      "--no-banner",
      "--export-referenced-types=false",
      "-o",
      target,
      `${CLIENT}mod.ts`,
    ],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(new Uint8Array([...stdout, ...stderr])));
} finally {
  await Deno.remove(folder, { recursive: true });
}
