/**
 * Links that hold a program or an exercise, or name a sandbox or a run. All stand in the fragment, which is sent to
 * nobody.
 *
 * @module
 */
import type { Language } from "@belljar/client";
import { type Exercise, exerciseOf, exerciseText } from "./exercise.ts";
import { knownLanguage } from "./language_names.ts";
import { packText, unpackJson } from "./packed_text.ts";

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
  /** The overview of the sandboxes that were made from one. */
  | { readonly kind: "class"; readonly name: string }
  | { readonly kind: "run"; readonly id: string }
  | { readonly kind: "program"; readonly packed: string }
  | { readonly kind: "exercise"; readonly packed: string }
  /** The form that makes an exercise. */
  | { readonly kind: "new-exercise" }
  /** An operation of the interface; without an id: the first. */
  | { readonly kind: "operation"; readonly id: string };

const SANDBOX = "sandbox=";
const CLASS = "class=";
const RUN = "run=";
const PROGRAM = "program=";
const SANDBOXES = "sandboxes";
const OPERATION = "operation";
const EXERCISE = "exercise=";
const NEW_EXERCISE = "new-exercise";

/** Contents of the fragment of an address. */
export function placeOf(fragment: string): Place {
  const text = fragment.replace(/^#/, "");
  if (text === SANDBOXES) return { kind: "sandboxes" };
  if (text.startsWith(PROGRAM)) return { kind: "program", packed: text.slice(PROGRAM.length) };
  if (text.startsWith(SANDBOX)) {
    const name = decoded(text.slice(SANDBOX.length));
    if (name !== undefined && name !== "") return { kind: "sandbox", name };
  }
  if (text.startsWith(CLASS)) {
    const name = decoded(text.slice(CLASS.length));
    if (name !== undefined && name !== "") return { kind: "class", name };
  }
  if (text.startsWith(RUN)) {
    const id = decoded(text.slice(RUN.length));
    if (id !== undefined && id !== "") return { kind: "run", id };
  }
  if (text.startsWith(EXERCISE)) return { kind: "exercise", packed: text.slice(EXERCISE.length) };
  if (text === NEW_EXERCISE) return { kind: "new-exercise" };
  if (text === OPERATION) return { kind: "operation", id: "" };
  if (text.startsWith(`${OPERATION}=`)) {
    return { kind: "operation", id: decoded(text.slice(OPERATION.length + 1)) ?? "" };
  }
  return { kind: "stateless" };
}

/** The fragment that shows a place. */
export function fragmentOf(place: Exclude<Place, { kind: "program" }>): string {
  if (place.kind === "sandbox") return `#${SANDBOX}${encodeURIComponent(place.name)}`;
  if (place.kind === "class") return `#${CLASS}${encodeURIComponent(place.name)}`;
  if (place.kind === "exercise") return `#${EXERCISE}${place.packed}`;
  if (place.kind === "new-exercise") return `#${NEW_EXERCISE}`;
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
  return new URL(`#${PROGRAM}${await packText(json)}`, page).href;
}

/** The address of a page with an exercise in it. */
export async function exerciseLink(page: string, exercise: Exercise): Promise<string> {
  const packed = await packText(exerciseText(exercise));
  return new URL(fragmentOf({ kind: "exercise", packed }), page).href;
}

/** The exercise of a link; undefined when the link is damaged. */
export async function exerciseIn(packed: string): Promise<Exercise | undefined> {
  return exerciseOf(await unpackJson(packed));
}

/** The program of a link; undefined when the link is damaged. */
export async function programIn(packed: string): Promise<LinkedProgram | undefined> {
  return checked(await unpackJson(packed));
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
