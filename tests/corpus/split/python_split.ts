/**
 * Python at its top-level statements, which its own `ast` finds.
 *
 * @module
 */
import { assert } from "@std/assert";
import { programNames, readProgram } from "../../runtimes/languages/python/corpus.ts";
import { linesIn, type Statement } from "./pieces.ts";
import { runOnce } from "./service_runs.ts";

const SPLITTER = Deno.readTextFileSync(new URL("./python_split.py", import.meta.url));

/** Programs of the corpus, by name. */
export function pythonPrograms(): ReadonlyMap<string, string> {
  return new Map(programNames().map((name) => [name, readProgram(name)]));
}

/** The statements of a program. */
export async function splitPython(url: string, code: string): Promise<readonly Statement[]> {
  const { results, error } = await runOnce(url, "python", SPLITTER, { PROGRAM: code });
  const isRefused = error !== undefined && /^(?:Syntax|Indentation)Error$/.test(error.name);
  if (isRefused) throw new SyntaxError(error.message);
  const json = results[0]?.json;
  assert(Array.isArray(json), JSON.stringify(error));
  const [found, prelude] = json as [readonly (readonly [number, string | null])[], string];
  const bytes = new TextEncoder().encode(code);
  const between = (from: number, to?: number) => new TextDecoder().decode(bytes.slice(from, to));
  return found.map(([start, joined], index) => ({
    text: between(index === 0 ? 0 : start, found[index + 1]?.[0]),
    prelude: prelude + linesIn(between(0, start)),
    ...(joined === null ? {} : { joined }),
  }));
}
