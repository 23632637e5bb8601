/**
 * Names of an MCP server's tools, as programs know them (docs/tools.md#mcp-servers).
 *
 * @module
 */
import { CALL_LIMITS } from "../shared/call_limits.ts";

/**
 * The whole names of a server's tools, by their own names, in the server's order. `shown` gives the text
 * of a name that programs may see.
 */
export function wholeNames(
  server: string,
  own: readonly string[],
  shown: (name: string) => string = (name) => name,
): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const names = new Map<string, string>();
  for (const name of own) {
    if (names.has(name)) continue;
    const base = identifier(shown(name)).slice(0, CALL_LIMITS.nameLength - server.length - ROOM);
    let unique = base;
    for (let n = 2; taken.has(unique); n++) unique = `${base}_${n}`;
    taken.add(unique);
    names.set(name, `${server}.${unique}`);
  }
  return names;
}

/** Characters for the dot and for `_1000`. */
const ROOM = 6;

function identifier(name: string): string {
  const text = name.replace(/[^A-Za-z0-9_]/gu, "_");
  return text === "" || /^[0-9]/.test(text) ? `_${text}` : text;
}
