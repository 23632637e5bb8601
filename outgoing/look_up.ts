/**
 * Names become addresses that a connection may go to.
 *
 * @module
 */
import { promises as dns } from "node:dns";
import type { LookupFunction } from "node:net";
import { type AllowedAddress, judgeAddress } from "./addresses.ts";
import { MAX_ADDRESSES } from "./limits.ts";

/** All addresses of a name. Rejects for a name without any. */
export type LookUp = (name: string) => Promise<readonly string[]>;

/** Looks a name up as the system does. */
export const systemLookUp: LookUp = async (name) => {
  const found = await dns.lookup(name, { all: true });
  return found.map(({ address }) => address);
};

/** A name or an address that requests may not go to. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

/** The port and the scheme of a target, and the rules for its addresses. */
export interface AddressRules {
  readonly port: number;
  readonly isEncrypted: boolean;
  readonly allowed: readonly AllowedAddress[];
  /** Called with a name and the address of it that is refused. */
  readonly refused: (name: string, address: string) => void;
}

/**
 * Addresses of a name in their plain spelling. One of them that is not allowed refuses the name:
 * an answer with public and private addresses is an attack or a fault.
 *
 * @throws {AddressRefused} if an address is not allowed
 */
async function allowedAddresses(name: string, lookUp: LookUp, rules: AddressRules) {
  const found = await lookUp(name);
  if (found.length === 0 || found.length > MAX_ADDRESSES) {
    throw new Error(`The name has ${found.length} addresses`);
  }
  return found.map((address) => {
    const judged = judgeAddress({ address, ...rules }, rules.allowed);
    if (judged !== undefined) return { address: judged, family: judged.includes(":") ? 6 : 4 };
    rules.refused(name, address);
    throw new AddressRefused();
  });
}

/** The look-up that a socket does when it connects: it gets judged addresses, or an error. */
export function judgedLookUp(lookUp: LookUp, rules: AddressRules): LookupFunction {
  return (name, { all = false }, callback) => {
    allowedAddresses(name, lookUp, rules).then((addresses) => {
      const [first] = addresses;
      if (all) callback(null, addresses);
      else callback(null, first?.address ?? "", first?.family);
    }, (thrown) => callback(thrown instanceof Error ? thrown : new Error("No address"), []));
  };
}
