/**
 * The host side of error messages: reads from the source what an engine error is about, and its
 * position. Sources and positions come from the guest and can be forged; a forged request gets a
 * useless reply, which affects only that guest.
 *
 * A request is JSON: `{"kind","name","line","column"}` for the running script, plus
 * `"source","startLine","startColumn"` for a function with that text. The reply is
 * `line:column:text`, or nothing.
 *
 * The other request is `{"kind":"stack","name","ours","script","frames"}`, with the frames of a
 * stack as text, the class of the error, and whether the guest environment made it. The reply is
 * the text with call positions as V8 reports them.
 *
 * @module
 */
import type { HostService } from "./host_calls.ts";
import { type FaultKind, findFault } from "./source/error_places.ts";
import { FramePlaces, MAX_FRAMES } from "./source/frame_places.ts";
import { FunctionSource } from "./source/function_source.ts";

const KINDS: ReadonlySet<string> = new Set<FaultKind>([
  ...["call", "property", "name", "iterate", "destructure"] as const,
  ...["constant", "assign", "delete", "in", "argument", "second argument", "push"] as const,
  "assertion",
]);
const MAX_NAME_CHARS = 200;
/** Longer functions, in characters, are not analysed; no script is longer. */
const MAX_SOURCE_CHARS = 65_536;
const MAX_KEPT_SOURCES = 32;
/**
 * Kinds of failed calls. The engine counts their columns from 0 in the first line, from 1 in the
 * others.
 */
const OF_CALLS: ReadonlySet<FaultKind> = new Set([
  "call",
  "argument",
  "second argument",
  "push",
  "assertion",
]);
const NUL = "\0";
// Fuel at 10,000 units per microsecond: parsing takes 0.2 µs per character, searching 0.05 µs
// per node, several times.
const CALL_FUEL = 50_000;
const CHARACTER_FUEL = 20;
const PARSE_FUEL = 2_000;
const NODE_FUEL = 2_000;
/** Fuel for a node and a frame. */
const FRAME_NODE_FUEL = 150;
const STACK = "stack";

interface Request {
  readonly kind: FaultKind;
  readonly name: string;
  readonly line: number;
  readonly column: number;
  /** The text of a function; absent for the script. */
  readonly source?: string;
  readonly startLine: number;
  readonly startColumn: number;
}

function isKind(value: unknown): value is FaultKind {
  return typeof value === "string" && KINDS.has(value);
}

function positive(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : 1;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a guest that runs out of memory can send half a request
  }
}

interface StackRequest {
  readonly script: string;
  readonly frames: string;
  /** The class of an error that the guest made. */
  readonly errorName: string | undefined;
}

function readStackRequest(said: object): StackRequest | undefined {
  const { kind, name, ours, script, frames }: Record<string, unknown> = { ...said };
  if (kind !== STACK || typeof frames !== "string" || typeof script !== "string") return undefined;
  const errorName = typeof name === "string" && ours !== true ? name : undefined;
  return { script, frames, errorName };
}

function readRequest(said: object): Request | undefined {
  const { kind, name, line, column, source, startLine, startColumn }: Record<string, unknown> = {
    ...said,
  };
  if (!isKind(kind) || typeof name !== "string" || name.length > MAX_NAME_CHARS) return undefined;
  const isFromZero = line === 1 && OF_CALLS.has(kind);
  return {
    kind,
    name,
    line: positive(line),
    column: positive(column) + (isFromZero ? 1 : 0),
    ...(typeof source === "string" ? { source } : {}),
    startLine: positive(startLine),
    startColumn: positive(startColumn),
  };
}

/** Finds what errors are about, and where. */
export interface PlaceService extends HostService {
  /** Drops earlier sources. Call it before each run, with its script. */
  beginRun(script: string): void;
}

class Places implements PlaceService {
  #script = "";
  #lines: readonly string[] | undefined;
  #frames: FramePlaces | undefined;
  #owed = 0;
  readonly #sources = new Map<string, FunctionSource | undefined>();

  beginRun(script: string): void {
    this.#script = script;
    this.#lines = undefined;
    this.#frames = undefined;
    this.#owed = 0;
    this.#sources.clear();
  }

  fuel(requestChars: number): number {
    return CALL_FUEL + CHARACTER_FUEL * requestChars;
  }

  workFuel(): number {
    const units = this.#owed;
    this.#owed = 0;
    return units;
  }

  call(text: string): string | undefined {
    const said = parse(text);
    if (typeof said !== "object" || said === null) return undefined;
    const stack = readStackRequest(said);
    if (stack !== undefined) return this.#correctedStack(stack);
    const request = readRequest(said);
    if (request === undefined) return undefined;
    const script = this.#parsed(
      "script",
      this.#script,
      () => FunctionSource.ofScript(this.#script),
    );
    const { source: own } = request;
    const source = own === undefined ? script : this.#function(own, request);
    return source === undefined ? undefined : this.#find(request, source, script);
  }

  #correctedStack({ script, frames, errorName }: StackRequest): string {
    if (this.#frames === undefined) {
      this.#owed += this.#script.length * PARSE_FUEL;
      this.#frames = FramePlaces.of(this.#script);
    }
    const lines = frames.split("\n");
    this.#owed += Math.min(lines.length, MAX_FRAMES) * this.#frames.size * FRAME_NODE_FUEL;
    return this.#frames.corrected(lines, script, errorName).join("\n").replaceAll(NUL, "");
  }

  #function(text: string, { startLine, startColumn }: Request): FunctionSource | undefined {
    const key = `${startLine}:${startColumn}:${text}`;
    return this.#parsed(key, text, () => {
      const column = this.#columnOf(text, startLine, startColumn);
      return FunctionSource.ofFunction(text, { line: startLine, column });
    });
  }

  /** The column where a function begins; the engine's is wrong for arrow functions after a `(`. */
  #columnOf(text: string, line: number, column: number): number {
    const end = text.indexOf("\n");
    const head = end < 0 ? text : text.slice(0, end);
    this.#lines ??= this.#script.split("\n");
    const found = this.#lines[line - 1] ?? "";
    if (found.startsWith(head, column - 1)) return column;
    const at = found.indexOf(head);
    return at < 0 ? column : at + 1;
  }

  #find(
    request: Request,
    source: FunctionSource,
    script: FunctionSource | undefined,
  ): string | undefined {
    const sources = script === undefined || script === source ? [source] : [source, script];
    for (const { nodes } of sources) this.#owed += nodes.length * NODE_FUEL;
    const found = findFault(sources, source.offsetOf(request), request);
    if (found === undefined) return undefined;
    const { line, column } = source.positionOf(found.offset);
    return `${line}:${column}:${found.text.replaceAll(NUL, "")}`;
  }

  #parsed(
    key: string,
    text: string,
    parse: () => FunctionSource | undefined,
  ): FunctionSource | undefined {
    if (text.length > MAX_SOURCE_CHARS) return undefined;
    if (this.#sources.has(key)) return this.#sources.get(key);
    if (this.#sources.size >= MAX_KEPT_SOURCES) this.#sources.clear();
    this.#owed += text.length * PARSE_FUEL;
    const parsed = parse();
    this.#sources.set(key, parsed);
    return parsed;
  }
}

/** Makes the service. */
export function createPlaceService(): PlaceService {
  return new Places();
}
