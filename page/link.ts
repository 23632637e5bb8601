/**
 * Links that hold a program, or name a sandbox or a run. Both stand in the fragment, which is sent to
 * nobody.
 *
 * @module
 */
import type { Language } from "@belljar/client";
import { knownLanguage } from "./language_names.ts";

/** A program in a link. */
export interface LinkedProgram {
  readonly language: Language;
  readonly code: string;
  readonly stdin: string;
}

/** Contents of an address. */
export type Place =
  | { readonly kind: "stateless" }
  | { readonly kind: "sandboxes" }
  | { readonly kind: "sandbox"; readonly name: string }
  | { readonly kind: "run"; readonly id: string }
  | { readonly kind: "program"; readonly packed: string }
  /** An operation of the interface; without an id: the first. */
  | { readonly kind: "operation"; readonly id: string };

const SANDBOX = "sandbox=";
const RUN = "run=";
const PROGRAM = "program=";
const SANDBOXES = "sandboxes";
const OPERATION = "operation";
/** Longest text in a link once it is unpacked, in bytes: more than a run can be. */
const MAX_UNPACKED = 256 * 1024;

/** Contents of the fragment of an address. */
export function placeOf(fragment: string): Place {
  const text = fragment.replace(/^#/, "");
  if (text === SANDBOXES) return { kind: "sandboxes" };
  if (text.startsWith(PROGRAM)) return { kind: "program", packed: text.slice(PROGRAM.length) };
  if (text.startsWith(SANDBOX)) {
    const name = decoded(text.slice(SANDBOX.length));
    if (name !== undefined && name !== "") return { kind: "sandbox", name };
  }
  if (text.startsWith(RUN)) {
    const id = decoded(text.slice(RUN.length));
    if (id !== undefined && id !== "") return { kind: "run", id };
  }
  if (text === OPERATION) return { kind: "operation", id: "" };
  if (text.startsWith(`${OPERATION}=`)) {
    return { kind: "operation", id: decoded(text.slice(OPERATION.length + 1)) ?? "" };
  }
  return { kind: "stateless" };
}

/** The fragment that shows a place. */
export function fragmentOf(place: Exclude<Place, { kind: "program" }>): string {
  if (place.kind === "sandbox") return `#${SANDBOX}${encodeURIComponent(place.name)}`;
  if (place.kind === "run") return `#${RUN}${encodeURIComponent(place.id)}`;
  if (place.kind === "operation") {
    return place.id === "" ? `#${OPERATION}` : `#${OPERATION}=${encodeURIComponent(place.id)}`;
  }
  return place.kind === "sandboxes" ? `#${SANDBOXES}` : "";
}

/** The address of a page with a program in it. */
export async function linkTo(
  page: string,
  { language, code, stdin }: LinkedProgram,
): Promise<string> {
  const json = JSON.stringify({ language, code, ...(stdin === "" ? {} : { stdin }) });
  const packed = new Blob([json]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const text = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return new URL(`#${PROGRAM}${text}`, page).href;
}

/** The program of a link; undefined when the link is damaged. */
export async function programIn(packed: string): Promise<LinkedProgram | undefined> {
  try {
    const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return checked(JSON.parse(await unpacked(bytes)));
  } catch {
    return undefined;
  }
}

async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for (let length = 0;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.length;
    if (length > MAX_UNPACKED) {
      await reader.cancel();
      throw new RangeError("The program is too long");
    }
    text += decoder.decode(value, { stream: true });
  }
}

function checked(value: unknown): LinkedProgram | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { language: id, code, stdin = "" } = value as Record<string, unknown>;
  const language = knownLanguage(id);
  if (language === undefined || typeof code !== "string" || typeof stdin !== "string") {
    return undefined;
  }
  return { language, code, stdin };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
