/** Reading the bodies of requests to the fake service. */
import type { JsonValue } from "../../../client/protocol/types.ts";
import { refused } from "./errors.ts";

export type Body = { readonly [key: string]: JsonValue };

export async function readBody(request: Request): Promise<Body> {
  if (request.headers.get("content-type") !== "application/json") {
    throw refused("Content-Type must be application/json", 415);
  }
  const value: JsonValue = await request.json();
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refused("The body must be an object");
  }
  return Object.assign(Object.create(null), value);
}

export function text(body: Body, key: string): string {
  const value = body[key];
  if (typeof value !== "string") throw refused(`${key} must be a string`);
  return value;
}

export function optionalText(body: Body, key: string): string | undefined {
  return body[key] === undefined ? undefined : text(body, key);
}

export function readCode(body: Body): string {
  const code = text(body, "code");
  if (code === "") throw refused("code must not be empty");
  if (new TextEncoder().encode(code).length > 64 * 1024) {
    throw refused("code is larger than 65536 bytes", 413);
  }
  return code;
}

const MOST = { fuel: 50_000_000, wallMs: 30_000 };

/** The fuel of a run. */
export function readFuel({ limits = {} }: Body): number {
  const asked = Object.assign({ ...MOST }, limits);
  for (const name of ["fuel", "wallMs"] as const) {
    const most = MOST[name];
    if (asked[name] > most) throw refused(`limits.${name} must be at most ${most}`);
  }
  return asked.fuel;
}

/** Standard input of a run. */
export function readStdin(body: Body): string {
  const stdin = optionalText(body, "stdin") ?? "";
  if (new TextEncoder().encode(stdin).length > 64 * 1024) {
    throw refused("stdin is larger than 65536 bytes", 413);
  }
  return stdin;
}

/** Variables of one scope; null unsets. */
export function readLayer(body: Body): ReadonlyMap<string, string | null> {
  const value = body["envVars"] ?? {};
  if (typeof value !== "object" || Array.isArray(value)) throw refused("envVars must be an object");
  return new Map(
    Object.entries(value).map(([name, item]) => {
      if (!/^[A-Za-z_]\w*$/.test(name)) {
        throw refused(`Invalid environment variable name '${name}'`);
      }
      if (item !== null && typeof item !== "string") throw refused(`The value of '${name}'`);
      return [name, item];
    }),
  );
}
