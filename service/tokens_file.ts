/**
 * The file of tenants, `TOKENS_FILE`: their tokens, quotas and limits, and the tokens of admins
 * (docs/operating.md#tokens). It is read again when it changes.
 *
 * @module
 */
import { z } from "zod";
import type { Credential } from "../gateway/authentication.ts";
import type { LimitsByLanguage } from "../shared/limits.ts";
import { LANGUAGES } from "../shared/languages.ts";
import type { TenantRules } from "../shared/tenants.ts";
import { TENANT_PATTERN, TOKEN_PATTERN } from "./credentials.ts";

/** The content of the file. */
export interface TokensFile {
  readonly credentials: readonly Credential[];
  readonly rules: ReadonlyMap<string, TenantRules>;
}

/** The longest token, in characters. */
const MAX_TOKEN = 1_024;

/**
 * The schema of the file. A tenant's limits are at most those of the service. `others`: tokens that it
 * must not hold.
 */
export function tokensFileSchema(
  limits: LimitsByLanguage,
  others: readonly Credential[],
): z.ZodType<TokensFile, unknown> {
  const token = z.string("must be a string").regex(TOKEN_PATTERN, "must be printable ASCII")
    .max(MAX_TOKEN, `must have at most ${MAX_TOKEN} characters`);
  const tokens = z.array(token, "must be a list of tokens");
  const most = Math.max(...LANGUAGES.map((language) => limits[language].wallMs));
  const fuel = Object.fromEntries(LANGUAGES.map((language) => [
    language,
    amount(1, limits[language].fuel).exactOptional(),
  ]));
  const tenant = z.strictObject({
    tokens: tokens.default([]),
    approve: tokens.default([]),
    quotas: z.strictObject({
      maxSandboxes: amount(0, Number.MAX_SAFE_INTEGER).exactOptional(),
      maxBytes: amount(0, Number.MAX_SAFE_INTEGER).exactOptional(),
    }, "must be an object").exactOptional(),
    limits: z.strictObject({
      fuel: z.strictObject(fuel, "must be an object").exactOptional(),
      wallMs: amount(1, most).exactOptional(),
    }, "must be an object").exactOptional(),
  }, "must be an object");
  const name = z.string().regex(
    TENANT_PATTERN,
    "is no name of a tenant: 1 to 63 of A-Z, a-z, 0-9, dot, _ and -",
  );
  return z.strictObject({
    tenants: z.record(name, tenant, "must be an object").default({}),
    admin: tokens.default([]),
  }, "must be an object").check(({ value, issues }) => {
    if (issues.length > 0) return;
    const seen = new Set(others.map(({ token }) => token));
    for (const { credential: { token }, path } of tokensIn(value)) {
      const message = "is another token already";
      if (seen.has(token)) issues.push({ code: "custom", path: [...path], message, input: value });
      seen.add(token);
    }
  }).transform((value) => ({
    credentials: tokensIn(value).map(({ credential }) => credential),
    rules: new Map(
      Object.entries(value.tenants).map(([tenant, { quotas, limits }]) => [
        tenant,
        { quotas, limits },
      ]),
    ),
  }));
}

function amount(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.int(message).min(min, message).max(max, message);
}

/** A token and its place in the file. */
interface PlacedToken {
  readonly credential: Credential;
  readonly path: readonly (string | number)[];
}

function tokensIn({ tenants, admin }: {
  readonly tenants: {
    readonly [tenant: string]: {
      readonly tokens: readonly string[];
      readonly approve: readonly string[];
    };
  };
  readonly admin: readonly string[];
}): readonly PlacedToken[] {
  const placed = (
    tokens: readonly string[],
    terms: Omit<Credential, "token">,
    ...path: readonly string[]
  ) => tokens.map((token, n) => ({ credential: { ...terms, token }, path: [...path, n] }));
  return [
    ...Object.entries(tenants).flatMap(([tenant, { tokens, approve }]) => [
      ...placed(tokens, { tenant }, "tenants", tenant, "tokens"),
      ...placed(approve, { tenant, role: "approve" }, "tenants", tenant, "approve"),
    ]),
    ...placed(admin, { tenant: "admin", role: "admin" }, "admin"),
  ];
}
