/**
 * Quotas and limits of single tenants. They can be replaced while the service runs.
 *
 * @module
 */
import type { Language, RunLimits } from "../client/protocol/types.ts";
import type { SandboxQuotas } from "./limits.ts";
import { checkRunLimits } from "./run_limits.ts";

/** The own quotas and limits of a tenant. What is absent is the service's. */
export interface TenantRules {
  readonly quotas?: {
    readonly maxSandboxes?: number | undefined;
    /** Bytes of everything that the tenant stores. */
    readonly maxBytes?: number | undefined;
  } | undefined;
  readonly limits?: {
    /** Units of fuel of a run. */
    readonly fuel?: { readonly [L in Language]?: number | undefined } | undefined;
    readonly wallMs?: number | undefined;
  } | undefined;
}

/** The rules by tenant. */
export class Tenants {
  #rules: ReadonlyMap<string, TenantRules>;

  constructor(rules: ReadonlyMap<string, TenantRules> = new Map()) {
    this.#rules = rules;
  }

  /** From now on these are the rules. */
  replace(rules: ReadonlyMap<string, TenantRules>): void {
    this.#rules = rules;
  }

  /** The quotas of a tenant. */
  quotas(tenant: string, common: SandboxQuotas): SandboxQuotas {
    const { quotas } = this.#rules.get(tenant) ?? {};
    if (quotas === undefined) return common;
    const { maxSandboxes = common.maxSandboxes, maxBytes = common.maxTenantBytes } = quotas;
    return { ...common, maxSandboxes, maxTenantBytes: maxBytes };
  }

  /**
   * The limits of a run of a tenant: those that the request asks for, else the tenant's own, if it has
   * some.
   *
   * @throws {ServiceError} `VALIDATION_FAILED` when the request asks for more than the tenant has.
   */
  limits(
    tenant: string,
    language: Language,
    asked: RunLimits | undefined,
  ): RunLimits | undefined {
    const { fuel, wallMs } = this.#rules.get(tenant)?.limits ?? {};
    const own = { fuel: fuel?.[language], wallMs };
    if (own.fuel === undefined && own.wallMs === undefined) return asked;
    checkRunLimits(asked, { fuel: own.fuel ?? Infinity, wallMs: own.wallMs ?? Infinity });
    return {
      ...(own.fuel === undefined ? {} : { fuel: own.fuel }),
      ...(own.wallMs === undefined ? {} : { wallMs: own.wallMs }),
      ...asked,
    };
  }
}
