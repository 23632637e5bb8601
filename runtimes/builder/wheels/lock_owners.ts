/**
 * The packages of a lock that need another one.
 *
 * @module
 */
import type { WheelsLock } from "../wheels_lock.ts";
import { parseRequirement, type Requirement } from "./requirement.ts";

/** For each package, the names of the packages that need it, with the extras in use. */
export function ownersIn(lock: WheelsLock): ReadonlyMap<string, ReadonlySet<string>> {
  const packages = new Map(lock.packages.map((wheel) => [wheel.name, wheel]));
  const owners = new Map<string, Set<string>>();
  const seen = new Set<string>();
  const pending = lock.requested.flatMap(parsed);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { name } = next;
    const wheel = packages.get(name);
    for (const extra of ["", ...next.extras]) {
      if (wheel === undefined || seen.has(`${name}[${extra}]`)) continue;
      seen.add(`${name}[${extra}]`);
      const needs = (extra === "" ? wheel.requires : wheel.extras[extra] ?? []).flatMap(parsed);
      for (const need of needs) {
        owners.set(need.name, (owners.get(need.name) ?? new Set()).add(name));
        pending.push(need);
      }
    }
  }
  return owners;
}

function parsed(text: string): readonly Requirement[] {
  const requirement = parseRequirement(text);
  return requirement === undefined ? [] : [requirement];
}
