/**
 * Files that the host makes ready to load: modules and TypeScript become the body of a function.
 *
 * @module
 */
import type { HostFunction } from "../host.ts";
import { jsonText } from "../json_text.ts";
import { bare, JSONParse, ownDescriptor } from "../primordials.ts";

/** The body of a function that does what a file does. */
export interface PreparedFile {
  readonly code: string;
  /** Whether it was written as a module; else it is CommonJS. */
  readonly isModule: boolean;
  /** Whether it awaits at its top level. */
  readonly awaits: boolean;
}

/** Makes a file ready; throws its syntax error, if the host saw one. */
export type PrepareFile = (path: string, text: string) => PreparedFile;

/** What a module, or a piece of one, has in it. */
const MODULE_WORDS = /\b(?:import|export)\b/;
const TYPESCRIPT = /\.[cm]?ts$/;

/** Makes the function that asks the host. Files that can be nothing but CommonJS need no host. */
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
    if (typeof error === "string") throw new SyntaxError(`${error} (${path})`);
    if (typeof code !== "string") return asItIs;
    return { code, isModule: read("isModule") === true, awaits: read("awaits") === true };
  };
}
