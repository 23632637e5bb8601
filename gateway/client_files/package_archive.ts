/**
 * The JavaScript client as an npm package, for `npm install http://host/client.tgz`. The same files
 * give the same bytes.
 *
 * @module
 */
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";

const CLIENT = new URL("../../client/", import.meta.url);
const READABLE = 0o644;
/** Of all files: npm keeps times, and a build time would change the bytes. */
const TIME = new Date(0);

/** The files of the client as they are served. */
export interface ClientModule {
  readonly program: Uint8Array<ArrayBuffer>;
  readonly declarations: Uint8Array<ArrayBuffer>;
}

/** Makes the package of a version. */
export async function makePackage(
  version: string,
  { program, declarations }: ClientModule,
): Promise<Uint8Array<ArrayBuffer>> {
  const files = {
    "package.json": new TextEncoder().encode(`${JSON.stringify(manifest(version), null, 2)}\n`),
    "README.md": await Deno.readFile(new URL("README.md", CLIENT)),
    "LICENSE": await Deno.readFile(new URL("LICENSE", CLIENT)),
    "client.mjs": program,
    "client.d.ts": declarations,
  };
  const tar = await packTar(
    Object.entries(files).map(([name, body]) => ({
      header: { name: `package/${name}`, size: body.length, mode: READABLE, mtime: TIME },
      body,
    })),
  );
  return new Uint8Array(gzipSync(tar, { level: 9 }));
}

function manifest(version: string) {
  return {
    name: "@belljar/client",
    version,
    description: "The typed client of Belljar, a service that runs untrusted scripts",
    license: "MIT",
    type: "module",
    exports: { ".": { types: "./client.d.ts", default: "./client.mjs" } },
    types: "./client.d.ts",
    sideEffects: false,
    files: ["client.mjs", "client.d.ts"],
  };
}
