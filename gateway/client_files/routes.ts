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
import { makeWheel, wheelName } from "./wheel.ts";

/** A file of a client. */
interface ClientFile {
  readonly path: string;
  /** Name of the operation. */
  readonly id: string;
  /** Its media type. */
  readonly type: string;
  readonly summary: string;
  readonly make: () => Promise<Uint8Array<ArrayBuffer>>;
}

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
];

/** The paths of the clients, which need no token. */
export const CLIENT_PATHS: ReadonlySet<string> = new Set([
  LATEST_WHEEL_PATH,
  ...FILES.map(({ path }) => path),
]);

/** Nobody's account: no tenant has this name. */
const NOBODY = " ";

/** Creates the routes. */
export function clientFileRoutes(bodies: BodyBudget): readonly GatewayRoute[] {
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
      answer: fileAnswer(file, bodies),
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

function fileAnswer({ type, make }: ClientFile, bodies: BodyBudget): Answer {
  let made: Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly etag: string }> | undefined;
  const load = async () => {
    const bytes = await make();
    return { bytes, etag: `"${createHash("sha256").update(bytes).digest("hex")}"` };
  };
  return async (context) => {
    made ??= load().catch((thrown) => {
      made = undefined;
      throw thrown;
    });
    const { bytes, etag } = await made;
    const headers = { etag, "cache-control": "no-cache" };
    if (isKnown(context.req.header("if-none-match"), etag)) {
      return new Response(null, { status: 304, headers });
    }
    const length = String(bytes.length);
    const answer = bytesResponse(bytes, {
      headers: { ...headers, "content-type": type, "content-length": length },
    });
    return await deliver(answer, { open: () => bodies.open(NOBODY), owed: false });
  };
}

function isKnown(known: string | undefined, etag: string): boolean {
  return known?.split(",").some((tag) => tag.trim() === etag || tag.trim() === "*") === true;
}
