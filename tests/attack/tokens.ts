/**
 * The tenants: one attacks, the other wants its short requests answered.
 *
 * @module
 */

/** Token of the tenant that attacks. */
export const ATTACKER = "alpha";
/** Token of the other one. */
export const CALM = "beta";
/** Both, as variables of the service. */
export const TENANTS = { TOKENS: `a:${ATTACKER},b:${CALM}` };

/** The header of a caller; none without a token. */
export function tokenHeader(token: string | undefined): { readonly [name: string]: string } {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}
