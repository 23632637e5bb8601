/**
 * The request to the driver, in Python's `marshal` format. C code alone reads this format, so a
 * guest's changes to the library have no effect.
 *
 * @module
 */
import type { RunRequest } from "../../../engine/engine.ts";
import type { ProgramCalls } from "../../../engine/program_calls.ts";
import { joinBytes } from "../../../../shared/join_bytes.ts";

const TYPE = { tuple: "(".charCodeAt(0), text: "u".charCodeAt(0) };
const SIZE_BYTES = 4;
/** No text of UTF-8 ends with it. `marshal` ignores what follows a value. */
const WANTS_REPR = Uint8Array.of(0xff);

type Value = string | readonly Value[];

const encoder = new TextEncoder();

function sized(type: number, size: number): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(1 + SIZE_BYTES);
  head[0] = type;
  new DataView(head.buffer).setUint32(1, size, true);
  return head;
}

function chunksOf(value: Value): Uint8Array<ArrayBuffer>[] {
  if (typeof value === "string") {
    const bytes = encoder.encode(value);
    return [sized(TYPE.text, bytes.length), bytes];
  }
  return [sized(TYPE.tuple, value.length), ...value.flatMap(chunksOf)];
}

/**
 * `process`: the process ends with the run. `run`: a context continues after it. `input`: the same, and
 * the run has standard input.
 */
export type RunKind = "process" | "run" | "input";

/** The declarations of the caller of a run, as JSON. */
function declaredText({ head: { tools, interactive } }: ProgramCalls): string {
  return JSON.stringify({ tools: tools ?? null, interactive });
}

/**
 * A tuple: the code, a tuple of names and values of variables, and the kind; in a run with calls also
 * what its caller declared. A notebook adds a word to the kind. For the kind `run` without that word the third item is left out, so that the drivers of all images
 * accept the tuple. Behind the tuple, a byte asks for the own form of the value, which the drivers of
 * earlier images do not see.
 */
export function encodeRequest(
  { code, env, notebook = false, repr = false, calls }: Pick<
    RunRequest,
    "code" | "env" | "notebook" | "repr" | "calls"
  >,
  kind: RunKind,
): Uint8Array<ArrayBuffer> {
  const variables = [...env].flat();
  const words = notebook ? `${kind} notebook` : kind;
  const isShort = words === "run" && calls === undefined;
  const declared = calls === undefined ? [] : [declaredText(calls)];
  const tuple = chunksOf(isShort ? [code, variables] : [code, variables, words, ...declared]);
  return joinBytes(repr ? [...tuple, WANTS_REPR] : tuple);
}
