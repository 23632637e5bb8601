/**
 * The regular expressions in the sources of the product.
 *
 * @module
 */
import { transformSync } from "@swc/wasm-typescript";
import { parse } from "acorn";
import { walkNodes } from "./syntax_nodes.ts";

const ROOT = new URL("../../", import.meta.url);

/** A regular expression, and where it is. */
export interface SourcePattern {
  readonly path: string;
  readonly pattern: RegExp;
}

/** The regular expressions of some folders. */
export interface SourcePatterns {
  readonly literals: readonly SourcePattern[];
  /** Files that make one from text, with how often they do. */
  readonly made: readonly string[];
}

function sourcesIn(folder: string): readonly string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].flatMap(({ name, isDirectory }) => {
    const path = `${folder}${name}`;
    if (isDirectory) return sourcesIn(`${path}/`);
    return name.endsWith(".ts") && !name.endsWith(".d.ts") ? [path] : [];
  });
}

/** Finds them in all sources below the folders, except those that begin with one of `except`. */
export function patternsIn(
  folders: readonly string[],
  except: readonly string[],
): SourcePatterns {
  const literals: SourcePattern[] = [];
  const made: string[] = [];
  const paths = folders.flatMap(sourcesIn).filter((path) =>
    !except.some((start) => path.startsWith(start))
  );
  for (const path of paths) {
    const text = Deno.readTextFileSync(new URL(path, ROOT));
    const { code } = transformSync(text, { mode: "transform" });
    const program = parse(code, { ecmaVersion: "latest", sourceType: "module" });
    for (const node of walkNodes(program)) {
      if (node["type"] === "Literal" && node["value"] instanceof RegExp) {
        literals.push({ path, pattern: node["value"] });
      }
      const { callee } = node;
      const isRegExp = typeof callee === "object" && callee !== null && "name" in callee &&
        callee.name === "RegExp";
      if (isRegExp) made.push(path);
    }
  }
  return { literals, made };
}
