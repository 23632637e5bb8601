/**
 * Files that the host prepares for loading: modules and TypeScript become the body of a function.
 *
 * @module
 */
import type { HostFunction } from "../host.ts";
import { jsonText } from "../json_text.ts";
import { bare, JSONParse, ownDescriptor } from "../primordials.ts";

/** A file as the body of a function. */
export interface PreparedFile {
  readonly code: string;
  /** Whether it was written as a module; else it is CommonJS. */
  readonly isModule: boolean;
  /** Whether it awaits at its top level. */
  readonly awaits: boolean;
}

/** Prepares a file; throws its syntax error, if the host found one. */
export type PrepareFile = (path: string, text: string) => PreparedFile;

/** Matches text that only a module, or a fragment of one, contains. */
const MODULE_WORDS = /\b(?:import|export)\b/;
const TYPESCRIPT = /\.[cm]?ts$/;

/** Makes the function that asks the host. Files that can only be CommonJS need no host. */
export function createPrepareFile(host: HostFunction): PrepareFile {
  return (path, text) => {
    const typescript = TYPESCRIPT.test(path);
    const asItIs = { code: text, isModule: false, awaits: false };
    if (path.endsWith(".cjs") || !typescript && !MODULE_WORDS.test(text)) return asItIs;
    const reply = host("module", jsonText(bare({ code: text, typescript })) ?? "");
    if (reply === undefined) return asItIs;
    const said: object = JSONParse(reply);
    const read = (name: string): unknown => ownDescriptor(said, name)?.value;
    const [error, code] = [read("error"), read("code")];
    if (typeof error === "string") throw new SyntaxError(`${error} of ${path}`);
    if (typeof code !== "string") return asItIs;
    return { code, isModule: read("isModule") === true, awaits: read("awaits") === true };
  };
}
