/**
 * Names of scripts in stack traces: `main.js` for the first run, and names of their own for the
 * runs that follow without a reset, so that each frame tells which of the scripts it is in.
 *
 * @module
 */
import { WORKSPACE } from "../../../../client/protocol/paths.ts";

const FIRST = "main.js";
/** Where the script seems to lie. */
export const SCRIPT_PATH = `${WORKSPACE}/${FIRST}`;

let runs = 0;
let name = FIRST;

/** A new run begins; gives the name of its script. */
export function beginScript(): string {
  runs++;
  name = runs === 1 ? FIRST : `main-${runs}.js`;
  return name;
}

/** The name of the script that is running. */
export function scriptName(): string {
  return name;
}
