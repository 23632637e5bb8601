/**
 * The clients, as the service serves those of its own version. They need no token, because they
 * hold nothing. Each file is made with the first request for it.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { bytesResponse } from "../../shared/responses.ts";
import type { BodyBudget } from "../body_budget.ts";
import { SERVICE_VERSION } from "../health.ts";
import type { Answer, GatewayRoute } from "../route.ts";
import { deliver } from "../slow_readers.ts";
import type { PageFile } from "../../shared/page_file.ts";
import { makePackage } from "./package_archive.ts";
import { makeWheel, wheelName } from "./wheel.ts";

/** A file of a client. */
interface ClientFile {
  readonly path: string;
  /** Name of the operation. */
  readonly id: string;
  /** Its media type. */
  readonly type: string;
  readonly summary: string;
  /** Headers besides the common ones. */
  readonly headers?: { readonly [name: string]: string };
  readonly make: (built: BuiltFiles) => Promise<Uint8Array<ArrayBuffer>>;
}

/** Loads the files that the builder has made. Rejects where there are none. */
export type BuiltFiles = () => Promise<readonly PageFile[]>;

/** The path of the wheel, under the name that pip wants. */
export const WHEEL_PATH: string = `/${wheelName(SERVICE_VERSION)}`;
const LATEST_WHEEL_PATH = "/client.whl";

const FILES: readonly ClientFile[] = [
  {
    path: WHEEL_PATH,
    id: "pythonClient",
    type: "application/octet-stream",
    summary: "The Python client",
    make: () => makeWheel(SERVICE_VERSION),
  },
  {
    path: "/client.mjs",
    id: "javascriptClient",
    type: "text/javascript",
    summary: "The JavaScript client as one module",
    headers: { "x-typescript-types": "./client.d.ts" },
    make: program,
  },
  {
    path: "/client.d.ts",
    id: "typescriptClient",
    type: "application/typescript",
    summary: "The types of the JavaScript client",
    make: declarations,
  },
  {
    path: "/client.tgz",
    id: "npmClient",
    type: "application/gzip",
    summary: "The JavaScript client as an npm package",
    make: async (built) =>
      await makePackage(SERVICE_VERSION, {
        program: await program(built),
        declarations: await declarations(),
      }),
  },
];

async function program(built: BuiltFiles): Promise<Uint8Array<ArrayBuffer>> {
  const file = (await built()).find(({ path }) => path === "client.mjs");
  if (file === undefined) throw new TypeError("The client is not among the built files");
  return file.bytes;
}

async function declarations(): Promise<Uint8Array<ArrayBuffer>> {
  return await Deno.readFile(new URL("client.d.ts", import.meta.url));
}

/** The paths of the clients, which need no token. */
export const CLIENT_PATHS: ReadonlySet<string> = new Set([
  LATEST_WHEEL_PATH,
  ...FILES.map(({ path }) => path),
]);

/** Nobody's account: no tenant has this name. */
const NOBODY = " ";

/** Creates the routes. */
export function clientFileRoutes(
  bodies: BodyBudget,
  built: BuiltFiles = noFiles,
): readonly GatewayRoute[] {
  const common = { method: "get", tag: "Service", errors: ["common"], open: true } as const;
  return [
    ...FILES.map((file): GatewayRoute => ({
      ...common,
      path: file.path,
      id: file.id,
      summary: file.summary,
      description: "Of the service's own version. Needs no token.",
      success: { description: "The file.", mediaType: file.type, schema: z.string() },
      others: [{ status: 304, description: "The caller has it." }],
      answer: fileAnswer(file, bodies, built),
    })),
    {
      ...common,
      path: LATEST_WHEEL_PATH,
      id: "latestPythonClient",
      summary: "The Python client, under a lasting name",
      description: "`pip install` follows it. Needs no token.",
      success: { status: 302, description: "The path of the wheel is in `Location`." },
      answer: (context) => context.redirect(WHEEL_PATH),
    },
  ];
}

function noFiles(): Promise<never> {
  return Promise.reject(new TypeError("This service has no built files"));
}

function fileAnswer(
  { type, headers: own = {}, make }: ClientFile,
  bodies: BodyBudget,
  built: BuiltFiles,
): Answer {
  let made: Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly etag: string }> | undefined;
  const load = async () => {
    const bytes = await make(built);
    return { bytes, etag: `"${createHash("sha256").update(bytes).digest("hex")}"` };
  };
  return async (context) => {
    made ??= load().catch((thrown) => {
      made = undefined;
      throw thrown;
    });
    const { bytes, etag } = await made;
    const headers = { ...own, etag, "cache-control": "no-cache" };
    if (isKnown(context.req.header("if-none-match"), etag)) {
      return new Response(null, { status: 304, headers });
    }
    const length = String(bytes.length);
    const answer = bytesResponse(bytes, {
      headers: { ...headers, "content-type": contentType(type), "content-length": length },
    });
    return await deliver(answer, { open: () => bodies.open(NOBODY), owed: false });
  };
}

function contentType(type: string): string {
  return type.endsWith("script") ? `${type}; charset=utf-8` : type;
}

function isKnown(known: string | undefined, etag: string): boolean {
  return known?.split(",").some((tag) => tag.trim() === etag || tag.trim() === "*") === true;
}
