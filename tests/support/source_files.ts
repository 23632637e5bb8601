/**
 * The source files of the project, as text.
 *
 * @module
 */
import config from "../../deno.json" with { type: "json" };

/** The folder of the project. */
export const ROOT = new URL("../../", import.meta.url);

/** A file and its text. */
export interface SourceFile {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Programs of our own, in whatever language; what `deno.json` excludes is data. */
const PROGRAM = /\.(?:tsx?|mjs|py|rb|pl|pm)$/;

/** All files of a folder, with those of its folders. */
export function sourceFiles(folder = ""): SourceFile[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].flatMap(({ name, isDirectory }) => {
    const path = `${folder}${name}`;
    if (name.startsWith(".") || config.exclude.includes(`${path}/`)) return [];
    if (isDirectory) return sourceFiles(`${path}/`);
    if (config.exclude.includes(path)) return []; // made by a program
    if (!PROGRAM.test(name)) return [];
    return [{ path, text: Deno.readTextFileSync(new URL(path, ROOT)) }];
  });
}

/** The imports of a file, with exports from others and `import()`: specifiers as written. */
export function specifiersOf({ text }: SourceFile): string[] {
  const patterns = [
    /^\s*(?:import|export)\b[^;"'`]*?\bfrom\s*["']([^"']+)["']/gm,
    /^\s*import\s*["']([^"']+)["']/gm,
    /\bimport\(\s*["']([^"']+)["']/g,
  ];
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "");
  return patterns.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name = ""]) => name));
}

/** The code without comments, strings and templates, which may say anything. */
export function bareCode(text: string): string {
  const skipped =
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/g;
  return text.replace(skipped, (part) => part.startsWith("/") ? " " : '""');
}
