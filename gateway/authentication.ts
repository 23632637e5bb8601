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
import { forbidden, ServiceError } from "../shared/errors.ts";
import type { Decider } from "../client/protocol/journal.ts";
import { PAGE_HEADER } from "../client/protocol/paths.ts";

/** One token and its tenant. */
export interface Credential {
  readonly tenant: string;
  readonly token: string;
  /** `approve`: may only answer calls. `admin`: may only read usage. A tenant's when absent. */
  readonly role?: "approve" | "admin";
}

/** Returns the tenant of a request, or throws `UNAUTHORIZED`. */
export type Authenticate = (headers: Headers) => string;

/** The digests of all tokens, which can be replaced while the service runs. */
export class Tokens {
  #known: readonly KnownToken[] = [];

  constructor(credentials: readonly Credential[]) {
    this.replace(credentials);
  }

  /** From now on these are the tokens. */
  replace(credentials: readonly Credential[]): void {
    this.#known = credentials.map(({ tenant, token, role }) => ({
      tenant,
      role,
      digest: sha256(token),
    }));
  }

  /**
   * Finds the token of a request.
   *
   * @throws {ServiceError} `UNAUTHORIZED`
   */
  find(headers: Headers): Pick<Credential, "tenant" | "role"> {
    const token = bearerToken(headers.get("authorization"));
    if (token === undefined) throw unauthorized("A bearer token is needed", "");
    const digest = sha256(token);
    let found: KnownToken | undefined;
    for (const candidate of this.#known) {
      if (timingSafeEqual(candidate.digest, digest)) found = candidate;
    }
    if (found === undefined) {
      throw unauthorized("The bearer token is not known", ', error="invalid_token"');
    }
    const { tenant, role } = found;
    return role === undefined ? { tenant } : { tenant, role };
  }

  /**
   * The tenant of a token that may only approve; undefined for other tokens.
   *
   * @throws {ServiceError} `UNAUTHORIZED`
   */
  approver(headers: Headers): string | undefined {
    const { tenant, role } = this.find(headers);
    return role === "approve" ? tenant : undefined;
  }

  /** Whether a request has the token of an admin. */
  isAdmin(headers: Headers): boolean {
    return this.find(headers).role === "admin";
  }
}

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

/** Creates the check of tokens. Without tokens every caller is the default tenant. */
export function createAuthenticator(
  tokens: Tokens | readonly Credential[] | undefined,
): Authenticate {
  if (tokens === undefined) return () => DEFAULT_TENANT;
  const known = tokens instanceof Tokens ? tokens : new Tokens(tokens);
  return (headers) => {
    const { tenant, role } = known.find(headers);
    if (role === "admin") throw forbidden("A token of an admin may only read usage and metrics");
    if (role === "approve") throw forbidden("This token may only approve calls");
    return tenant;
  };
}

interface KnownToken {
  readonly tenant: string;
  readonly role: Credential["role"] | undefined;
  readonly digest: Uint8Array;
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

/** Paths of approvers: of a tenant, or below a sandbox. */
const READ = /^(?:\/languages\/[^/]+\/sandboxes\/[^/]+)?\/(?:runs(?:\/[^/]+)?|journal\/[^/]+)$/;
const ANSWER = /^(?:\/languages\/[^/]+\/sandboxes\/[^/]+)?\/runs\/[^/]+\/answers$/;

/**
 * Whether a request is one that a token of an approver may send. Such a token shows the runs that wait,
 * and approves or denies calls (docs/tools.md#approvals).
 */
export function isOfApprovers(method: string, path: string): boolean {
  return method === "POST" ? ANSWER.test(path) : method === "GET" && READ.test(path);
}

/** Who decides, of a request with a tenant's own token. */
export function deciderOf(headers: Headers): Decider {
  return headers.has(PAGE_HEADER) ? "page" : "run";
}
