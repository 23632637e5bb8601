/**
 * The global `tools` of a run whose caller declares functions: `await tools.crm.find({ q })` calls one
 * and gives its value. The globals exist only in such runs, unless the program has variables of
 * these names.
 *
 * @module
 */
import type { CallerWaits, WaitEnd } from "./event_loop.ts";
import type { HostFunction } from "./host.ts";
import { argumentsText, NotSayable } from "./tool_arguments.ts";
import {
  append,
  bare,
  createList,
  dataDescriptor,
  defineHidden,
  JSONParse,
  type List,
  MapPrototypeDelete,
  MapPrototypeGet,
  MapPrototypeGetSize,
  MapPrototypeSet,
  ObjectKeys,
  ownDescriptor,
  ReflectApply,
  ReflectDefineProperty,
  ReflectDeleteProperty,
  ReflectGet,
  ReflectHas,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
} from "./primordials.ts";
import { nearestNames } from "./near_names.ts";

/** A declared tool. */
export interface ToolHead {
  readonly name: string;
}

interface Pending {
  readonly name: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Failure {
  readonly kind: "tool" | "denied" | "expired";
  readonly message: string;
  readonly data?: unknown;
}

/** Digits of large integers, in objects by key or index like the value that has them. */
type IntegerPlaces = string | { readonly [key: string]: IntegerPlaces };

interface WithIntegers {
  readonly value: unknown;
  readonly integers: IntegerPlaces;
}

const MAX_PENDING = 64;

class ToolError extends Error {
  readonly tool: unknown;
  readonly data: unknown;

  constructor(message?: string, tool?: unknown, data?: unknown) {
    super(message);
    this.tool = tool;
    this.data = data;
  }

  /** Whether nobody knows if the call took place: `data` says so. */
  get unknown(): boolean {
    const { data } = this;
    return typeof data === "object" && data !== null &&
      ownDescriptor(data, "unknown")?.value === true;
  }
}
class ToolDenied extends ToolError {}
class ToolExpired extends ToolError {}
const CLASSES = bare({ tool: ToolError, denied: ToolDenied, expired: ToolExpired });
defineHidden(ToolError.prototype, "name", "ToolError");
defineHidden(ToolDenied.prototype, "name", "ToolDenied");
defineHidden(ToolExpired.prototype, "name", "ToolExpired");

const NativeBigInt = BigInt;
const NativeMap = Map;
const NativePromise = Promise;
const NativeProxy = Proxy;

/** A global that a run has defined. */
interface Defined {
  readonly name: string;
  readonly value: unknown;
}

/** The tools of the present run. */
export class Tools implements CallerWaits {
  readonly #host: HostFunction;
  #pending = new NativeMap<number, Pending>();
  /** Whether no run has had tools since the last one without. */
  #isUnused = true;
  #calls = 0;
  /** No call before this one is without an answer. */
  #oldest = 1;
  #names: List<string> = createList<string>();
  #defined: List<Defined> = createList<Defined>();
  /** The object of the present run; the functions of earlier ones call nobody. */
  #present: object = {};

  constructor(host: HostFunction) {
    this.#host = host;
  }

  get pending(): number {
    return MapPrototypeGetSize(this.#pending);
  }

  /** Begins a run with these tools; undefined: without the globals. */
  begin(heads: ArrayLike<ToolHead> | undefined): void {
    if (heads === undefined && this.#isUnused) return;
    this.#isUnused = heads === undefined;
    this.#pending = new NativeMap();
    this.#calls = 0;
    this.#oldest = 1;
    this.#names = createList<string>();
    this.#present = {};
    this.#removeGlobals();
    if (heads === undefined) return;
    for (let i = 0; i < heads.length; i++) append(this.#names, heads[i]?.name ?? "");
    this.#define("tools", this.#folder(""));
    this.#define("ToolError", ToolError);
    this.#define("ToolDenied", ToolDenied);
    this.#define("ToolExpired", ToolExpired);
  }

  wait(input: boolean, ms: number | undefined): WaitEnd {
    let calls = "";
    while (
      MapPrototypeGet(this.#pending, this.#oldest) === undefined && this.#oldest < this.#calls
    ) {
      this.#oldest++;
    }
    for (let number = this.#oldest; number <= this.#calls; number++) {
      if (MapPrototypeGet(this.#pending, number) === undefined) continue;
      calls += calls === "" ? `${number}` : `,${number}`;
    }
    if (input) calls += calls === "" ? "input" : ",input";
    const line = this.#host("call", `wait ${calls === "" ? "-" : calls} ${ms ?? "-"}`);
    if (line === undefined || line === "") return "refused";
    if (line === "elapsed\n") return "elapsed";
    if (line === "input\n") return "input";
    this.#settle(line);
    return "answered";
  }

  /** Settles the promise of the call that a line answers. */
  #settle(line: string): void {
    const first = StringPrototypeIndexOf(line, " ");
    const second = StringPrototypeIndexOf(line, " ", first + 1);
    const number = +StringPrototypeSlice(line, first + 1, second);
    const pending = MapPrototypeGet(this.#pending, number) as Pending | undefined;
    MapPrototypeDelete(this.#pending, number);
    if (pending === undefined) return;
    const answer: unknown = JSONParse(StringPrototypeSlice(line, second + 1));
    if (line[0] === "v") return pending.resolve(answer);
    if (line[0] === "i") {
      const { value, integers } = answer as WithIntegers;
      return pending.resolve(withIntegers(value, integers));
    }
    const { kind, message, data } = answer as Failure;
    pending.reject(new CLASSES[kind](message, pending.name, data));
  }

  /** A variable of the program's own stays. */
  #define(name: string, value: unknown): void {
    if (ownDescriptor(globalThis, name) !== undefined) return;
    append(this.#defined, { name, value });
    ReflectDefineProperty(globalThis, name, dataDescriptor(value));
  }

  /** Takes away the globals of the run before, unless the program has given them other values. */
  #removeGlobals(): void {
    for (let i = 0; i < this.#defined.length; i++) {
      const { name, value } = this.#defined[i] ?? bare({ name: "", value: undefined });
      if (ownDescriptor(globalThis, name)?.value === value) ReflectDeleteProperty(globalThis, name);
    }
    this.#defined = createList<Defined>();
  }

  /**
   * An object with the tools below a name, and the folders of tools. `awaited`: without a tool named
   * `then`, so that a promise can be resolved with it.
   */
  #folder(path: string, awaited = false): object {
    const folder = {};
    const prefix = path === "" ? "" : `${path}.`;
    for (let i = 0; i < this.#names.length; i++) {
      const name = this.#names[i] ?? "";
      if (StringPrototypeIndexOf(name, prefix) !== 0) continue;
      const rest = StringPrototypeSlice(name, prefix.length);
      const dot = StringPrototypeIndexOf(rest, ".");
      const key = dot < 0 ? rest : StringPrototypeSlice(rest, 0, dot);
      if (ownDescriptor(folder, key) !== undefined) continue;
      const isThen = dot < 0 && key === "then";
      if (isThen && awaited) continue;
      const value = isThen
        ? this.#then(name, path)
        : dot < 0
        ? this.#tool(name)
        : this.#folder(`${prefix}${key}`);
      ReflectDefineProperty(folder, key, dataDescriptor(value, true));
    }
    return this.#withOthers(folder, prefix);
  }

  /**
   * An object on which every other name is that of a tool which is not declared: its call says so. A
   * name that the language looks for is none, so that the object is no promise.
   */
  #withOthers(folder: object, prefix: string): object {
    return new NativeProxy(
      folder,
      bare({
        get: (target: object, key: PropertyKey) => {
          const isOther = typeof key === "string" && key !== "then" && key !== "toJSON" &&
            !ReflectHas(target, key);
          return isOther ? this.#undeclared(`${prefix}${key}`) : ReflectGet(target, key);
        },
      }),
    );
  }

  #tool(name: string): (...args: unknown[]) => Promise<unknown> {
    const present = this.#present;
    const tool = (...args: unknown[]) => {
      const isPresent = present === this.#present;
      return isPresent ? this.#call(name, args) : refuse("The run of this tool has ended", name);
    };
    defineHidden(tool, "name", name);
    return tool;
  }

  /** A tool named `then`. A promise that looks for the method of that name gets the folder itself. */
  #then(name: string, path: string): (...args: unknown[]) => unknown {
    const tool = this.#tool(name);
    const then = (...args: unknown[]) => {
      const resolve = args[0];
      return typeof resolve === "function"
        ? ReflectApply(resolve, undefined, [this.#folder(path, true)])
        : ReflectApply(tool, undefined, args);
    };
    defineHidden(then, "name", name);
    return then;
  }

  /** Stands for a name that is not declared, or for a folder of such names. */
  #undeclared(name: string): object {
    const near = nearestNames(name, this.#names);
    const hint = near === "" ? "" : `. Did you mean ${near}?`;
    const message = `There is no tool "${name}"${hint}`;
    return this.#withOthers(() => refuse(message, name), `${name}.`);
  }

  #call(name: string, args: ArrayLike<unknown>): Promise<unknown> {
    let text: string;
    try {
      text = argumentsText(args);
    } catch (error) {
      if (error instanceof NotSayable) return refuse(error.message, name);
      return refuse(`The arguments cannot be written as JSON: ${messageOf(error)}`, name);
    }
    if (this.pending >= MAX_PENDING) {
      return refuse(`At most ${MAX_PENDING} calls may be without an answer at a time`, name);
    }
    const number = this.#calls + 1;
    if (this.#host("call", `call ${number} ${name} ${text}`) === undefined) {
      return refuse("The arguments of a call have at most 65536 bytes of JSON", name);
    }
    this.#calls = number;
    return new NativePromise((resolve, reject) => {
      MapPrototypeSet(this.#pending, number, bare({ name, resolve, reject }));
    });
  }
}

/** The value with BigInts in their places. Both are fresh from JSON. */
function withIntegers(value: unknown, integers: IntegerPlaces): unknown {
  if (typeof integers === "string") return NativeBigInt(integers);
  const object = value as object;
  const keys = ObjectKeys(integers);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? "";
    const places = ownDescriptor(integers, key)?.value as IntegerPlaces;
    const part = withIntegers(ownDescriptor(object, key)?.value, places);
    ReflectDefineProperty(object, key, dataDescriptor(part, true));
  }
  return object;
}

function refuse(message: string, tool: string): Promise<never> {
  return new NativePromise((_resolve, reject) => reject(new ToolError(message, tool)));
}

function messageOf(error: unknown): string {
  const message = ReflectGet(Object(error), "message");
  return typeof message === "string" ? message : "an error without a message";
}
