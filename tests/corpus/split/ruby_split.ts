/**
 * Ruby at its top-level statements, which its own `Prism` finds.
 *
 * @module
 */
import { assert } from "@std/assert";
import { linesIn, type Statement } from "./pieces.ts";
import { readArchive } from "../archive.ts";
import { runOnce } from "./service_runs.ts";

const SPLITTER = Deno.readTextFileSync(new URL("./ruby_split.rb", import.meta.url));

/** Programs of the corpus, by name. */
export function rubyPrograms(): ReadonlyMap<string, string> {
  return new Map([...readArchive("ruby")].filter(([name]) => name.endsWith(".rb")));
}

/** The statements of a program. Its first comments hold for all of them. */
export async function splitRuby(url: string, code: string): Promise<readonly Statement[]> {
  const { results, error } = await runOnce(url, "ruby", SPLITTER, { PROGRAM: code });
  if (error?.name === "SyntaxError") throw new SyntaxError(error.message);
  const json = results[0]?.json;
  assert(Array.isArray(json), JSON.stringify(error));
  const [found, comments] = json as [readonly (readonly [number, string | null])[], string];
  const bytes = new TextEncoder().encode(code);
  const between = (from: number, to?: number) => new TextDecoder().decode(bytes.slice(from, to));
  return found.map(([start, joined], index) => ({
    text: between(index === 0 ? 0 : start, found[index + 1]?.[0]),
    prelude: comments + linesIn(between(0, start)).slice(linesIn(comments).length),
    ...(joined === null ? {} : { joined }),
  }));
}
