/**
 * Names of scripts in stack traces: `main.js` for the first run, and distinct names for the runs
 * that follow without a reset, so that each frame identifies its script.
 *
 * @module
 */
import { WORKSPACE } from "../../../../client/protocol/paths.ts";

const FIRST = "main.js";
/** The directory that the script appears to be in. */
export const SCRIPT_PATH = `${WORKSPACE}/${FIRST}`;

let runs = 0;
let name = FIRST;

/** Begins a new run. Returns the name of its script. */
export function beginScript(): string {
  runs++;
  name = runs === 1 ? FIRST : `main-${runs}.js`;
  return name;
}

/** The name of the script that is running. */
export function scriptName(): string {
  return name;
}
