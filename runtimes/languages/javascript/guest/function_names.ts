/**
 * Names of functions. The bundler renames some to keep them apart, and functions that other
 * functions create have no name.
 *
 * @module
 */
import { setName } from "./web/expose.ts";

const MAX_DEPTH = 3;

function isWrong(name: unknown, key: string): boolean {
  if (name === "") return true;
  if (typeof name !== "string" || !name.startsWith(key)) return false;
  return name.length > key.length && Number.isInteger(Number(name.slice(key.length)));
}

function nameMember(key: string, value: unknown): void {
  if (typeof value !== "function" || !isWrong(value.name, key)) return;
  if (Object.getOwnPropertyDescriptor(value, "name")?.configurable !== false) setName(value, key);
}

/** Names a module's functions, and the methods of its classes, after their keys. */
export function nameFunctions(holder: unknown, seen: Set<unknown>, depth = 0): void {
  const isHolder = (typeof holder === "object" && holder !== null) || typeof holder === "function";
  if (!isHolder || seen.has(holder) || depth > MAX_DEPTH) return;
  seen.add(holder);
  for (const key of Object.getOwnPropertyNames(holder)) {
    const value: unknown = Object.getOwnPropertyDescriptor(holder, key)?.value;
    if (value === Function.prototype) continue;
    nameMember(key, value);
    nameFunctions(value, seen, depth + 1);
  }
}
