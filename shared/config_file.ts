/**
 * Files of the operator: JSON with comments and trailing commas. They are checked as a whole, each
 * fault is told by its place, and they are read again when they change.
 *
 * @module
 */
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { z } from "zod";

/** Longest file, in bytes. */
const MAX_BYTES = 1024 * 1024;
/** A change is seen after at most so long, in milliseconds. */
const LOOK_MS = 1_000;

/** A file whose content is right, or its faults: each names the file, the place and the reason. */
export type FileContent<T> = { readonly value: T } | { readonly faults: readonly string[] };

/** Reads a file and checks it. Faults hold no values of it. */
export async function readConfigFile<T>(
  path: string,
  schema: z.ZodType<T, unknown>,
): Promise<FileContent<T>> {
  try {
    const { size } = await Deno.stat(path);
    if (size > MAX_BYTES) return { faults: [`${path}: is larger than ${MAX_BYTES} bytes`] };
    return parseConfig(path, await Deno.readTextFile(path), schema);
  } catch (thrown) {
    const reason = thrown instanceof Deno.errors.NotFound ? "is not there" : "cannot be read";
    return { faults: [`${path}: ${reason}`] };
  }
}

/** Parses the text of a file and checks it. `path` is what faults call it. */
export function parseConfig<T>(
  path: string,
  text: string,
  schema: z.ZodType<T, unknown>,
): FileContent<T> {
  const errors: ParseError[] = [];
  const faults: string[] = [];
  let value: unknown;
  try {
    const tree = parseTree(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true });
    if (errors.length > 0) return { faults: errors.map((error) => syntaxFault(path, text, error)) };
    value = tree === undefined ? undefined : valueOf(tree, [], (at, reason) => {
      faults.push(`${path}: ${pointer(at)}: ${reason}`);
    });
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return { faults: [`${path}: is nested too deeply`] };
  }
  if (faults.length > 0) return { faults };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { value: parsed.data };
  return { faults: parsed.error.issues.flatMap((issue) => faultsOf(path, issue)) };
}

function syntaxFault(path: string, text: string, { error, offset }: ParseError): string {
  const before = text.slice(0, offset).split("\n");
  const column = (before.at(-1)?.length ?? 0) + 1;
  return `${path}:${before.length}:${column}: ${printParseErrorCode(error)}`;
}

type Place = readonly (string | number)[];

type OnFault = (at: Place, reason: string) => void;

/** The value of a node. */
function valueOf(node: Node, at: Place, onFault: OnFault): unknown {
  const { type, children = [] } = node;
  if (type === "array") {
    return children.map((child, index) => valueOf(child, [...at, index], onFault));
  }
  if (type !== "object") return node.value;
  const entries = new Map<string, unknown>();
  for (const { children: [key, value] = [] } of children) {
    const name = String(key?.value);
    const place = [...at, name];
    if (name === "__proto__") onFault(place, "cannot be a name");
    if (entries.has(name)) onFault(place, "is there twice");
    entries.set(name, value === undefined ? undefined : valueOf(value, place, onFault));
  }
  return Object.fromEntries(entries);
}

function faultsOf(path: string, issue: z.core.$ZodIssue): readonly string[] {
  const at = issue.path.map((part) => typeof part === "number" ? part : String(part));
  if (issue.code === "invalid_key") {
    return issue.issues.map(({ message }) => `${path}: ${pointer(at)}: ${message}`);
  }
  if (issue.code !== "unrecognized_keys") return [`${path}: ${pointer(at)}: ${issue.message}`];
  return issue.keys.map((key) => `${path}: ${pointer([...at, key])}: is unknown`);
}

/** A JSON pointer (RFC 6901), but for that of the whole: `/`. */
function pointer(at: Place): string {
  if (at.length === 0) return "/";
  return at.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Follows the changes of a file. */
export interface FileWatcher<T> {
  /** The signature of the content that was read before. */
  readonly known: string;
  /** Called with each content that is right. */
  readonly loaded: (value: T) => void;
  /** Called with the faults of one that is not. */
  readonly refused: (faults: readonly string[]) => void;
}

/** Reads a file again when it changes, also by renaming another one, until it is closed. */
export function watchConfigFile<T>(
  path: string,
  schema: z.ZodType<T, unknown>,
  { known: before, loaded, refused }: FileWatcher<T>,
): { close(): void } {
  let known = before;
  let isReading = false;
  const look = async () => {
    if (isReading) return;
    isReading = true;
    try {
      const now = await fileSignature(path);
      if (now === known) return;
      known = now;
      const content = await readConfigFile(path, schema);
      if ("value" in content) loaded(content.value);
      else refused(content.faults);
    } finally {
      isReading = false;
    }
  };
  const timer = setInterval(look, LOOK_MS);
  Deno.unrefTimer(timer);
  return { close: () => clearInterval(timer) };
}

/** A text that differs after each change of a file. */
export async function fileSignature(path: string): Promise<string> {
  try {
    const { mtime, size, ino } = await Deno.stat(path);
    return `${mtime?.getTime()} ${size} ${ino}`;
  } catch {
    return "";
  }
}
