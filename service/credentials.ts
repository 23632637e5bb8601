/**
 * The text form of a token, in `TOKENS`: `token`, `tenant:token`, `tenant:token:approve`, or
 * `admin:token:admin`.
 *
 * @module
 */
import type { Credential } from "../gateway/authentication.ts";
import { DEFAULT_TENANT } from "../shared/binding.ts";

/** The name of a tenant. */
export const TENANT_PATTERN = /^[A-Za-z0-9._-]{1,63}$/;
/** A token. */
export const TOKEN_PATTERN = /^[\x21-\x7e]+$/;
const ADMIN = "admin";
const APPROVE = "approve";
/** A shorter token can be guessed. */
const SAFE_LENGTH = 16;

/** Reads one token; undefined when it has another form. */
export function credential(item: string): Credential | undefined {
  const [, tenant = DEFAULT_TENANT, rest = ""] = /^(?:([^:]*):)?(.*)$/s.exec(item) ?? [];
  const [, token = "", ending] = /^(.*?)(?::(approve|admin))?$/s.exec(rest) ?? [];
  if (!TENANT_PATTERN.test(tenant) || !TOKEN_PATTERN.test(token)) return undefined;
  if (ending === undefined) return { tenant, token };
  if (ending === APPROVE) return { tenant, token, role: APPROVE };
  return tenant === ADMIN ? { tenant, token, role: ADMIN } : undefined;
}

/** Whether no token occurs twice. */
export function haveDistinctTokens(credentials: readonly Credential[]): boolean {
  return new Set(credentials.map(({ token }) => token)).size === credentials.length;
}

/** The number of tokens that are too short to be safe. */
export function countShort(credentials: readonly Credential[]): number {
  return credentials.filter(({ token }) => token.length < SAFE_LENGTH).length;
}
