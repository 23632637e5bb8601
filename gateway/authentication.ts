/**
 * Authentication: `Authorization: Bearer <token>` identifies a tenant.
 *
 * The service keeps only SHA-256 digests of the tokens. It compares each request with all of them,
 * each in constant time, so that timing reveals nothing about a token.
 *
 * @module
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { DEFAULT_TENANT } from "../shared/binding.ts";
import { ServiceError } from "../shared/errors.ts";

/** One token and its tenant. */
export interface Credential {
  readonly tenant: string;
  readonly token: string;
}

/** Returns the tenant of a request, or throws `UNAUTHORIZED`. */
export type Authenticate = (headers: Headers) => string;

/** Whether a caller without a token is served. */
export function isOpen(authenticate: Authenticate): boolean {
  try {
    authenticate(new Headers());
    return true;
  } catch (thrown) {
    if (thrown instanceof ServiceError) return false;
    throw thrown;
  }
}

/** Creates the check of tokens. Without credentials every caller is the default tenant. */
export function createAuthenticator(
  credentials: readonly Credential[] | undefined,
): Authenticate {
  if (credentials === undefined) return () => DEFAULT_TENANT;
  const known = credentials.map(({ tenant, token }) => ({
    tenant,
    digest: sha256(token),
  }));
  return (headers) => {
    const token = bearerToken(headers.get("authorization"));
    if (token === undefined) throw unauthorized("A bearer token is needed", "");
    const tenant = tenantOf(sha256(token), known);
    if (tenant === undefined) {
      throw unauthorized(
        "The bearer token is not known",
        ', error="invalid_token"',
      );
    }
    return tenant;
  };
}

interface KnownToken {
  readonly tenant: string;
  readonly digest: Uint8Array;
}

function tenantOf(
  digest: Uint8Array,
  known: readonly KnownToken[],
): string | undefined {
  let tenant: string | undefined;
  for (const candidate of known) {
    if (timingSafeEqual(candidate.digest, digest)) tenant = candidate.tenant;
  }
  return tenant;
}

function sha256(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

function bearerToken(authorization: string | null): string | undefined {
  return /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? "")?.[1];
}

function unauthorized(message: string, parameters: string): ServiceError {
  return new ServiceError("UNAUTHORIZED", message, {
    headers: { "www-authenticate": `Bearer realm="belljar"${parameters}` },
  });
}
