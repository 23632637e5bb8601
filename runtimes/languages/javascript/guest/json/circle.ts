/**
 * Describes the circle in a value that cannot be JSON, in V8's words.
 *
 * @module
 */
import { proxyDetails } from "../inspect/proxies.ts";
import {
  ArrayIsArray,
  createList,
  type List,
  MathMax,
  MathMin,
  ObjectGetPrototypeOf,
  ObjectKeys,
  ownDescriptor,
  WeakSetPrototypeAdd,
  WeakSetPrototypeHas,
} from "../primordials.ts";

const HEADER = "Converting circular structure to JSON";
/** Number of objects of the circle that are named before and after the omitted ones. */
const NAMED_FIRST = 2;
const NAMED_LAST = 1;
const MAX_DEPTH = 2000;

/** An object on the path down, and the key it was found under. */
interface Step {
  readonly key: string;
  readonly value: object;
  readonly keys: readonly string[];
  next: number;
}

function constructorName(value: object): string {
  let holder: object | null = value;
  while (holder !== null) {
    const constructor: unknown = ownDescriptor(holder, "constructor")?.value;
    if (typeof constructor === "function") {
      const name: unknown = ownDescriptor(constructor, "name")?.value;
      if (typeof name === "string" && name !== "") return name;
    }
    holder = ObjectGetPrototypeOf(holder);
  }
  return "Object";
}

/** Whether the object's JSON comes from its own data, and reading that runs no code. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null || proxyDetails(value) !== undefined) {
    return false;
  }
  let holder: object | null = value;
  while (holder !== null) {
    if (ownDescriptor(holder, "toJSON") !== undefined) return false;
    holder = ObjectGetPrototypeOf(holder);
  }
  return true;
}

function stepTo(key: string, value: object): Step {
  return { key, value, keys: ObjectKeys(value), next: 0 };
}

function keyText(step: { readonly key: string }, holder: object): string {
  if (ArrayIsArray(holder)) return `index ${step.key}`;
  return step.key === "" ? "<anonymous>" : `property '${step.key}'`;
}

/** The lines that show the circle from its first object to `key`, which leads back to it. */
function circleText(steps: List<Step>, from: number, key: string): string {
  const first = steps[from];
  if (first === undefined) return HEADER;
  const start = constructorName(first.value);
  let text = `${HEADER}\n    --> starting at object with constructor '${start}'`;
  const prefixEnd = MathMin(steps.length, from + NAMED_FIRST + 1);
  const suffixStart = MathMax(prefixEnd, steps.length - NAMED_LAST);
  for (let i = from + 1; i < steps.length; i++) {
    const step = steps[i];
    const holder = steps[i - 1]?.value;
    if (step === undefined || holder === undefined) continue;
    if (i >= prefixEnd && i < suffixStart) {
      if (i === prefixEnd) text += "\n    |     ...";
      continue;
    }
    const name = constructorName(step.value);
    text += `\n    |     ${keyText(step, holder)} -> object with constructor '${name}'`;
  }
  const last = steps[steps.length - 1]?.value ?? first.value;
  return `${text}\n    --- ${keyText({ key }, last)} closes the circle`;
}

function indexOf(steps: List<Step>, value: object): number {
  for (let i = 0; i < steps.length; i++) if (steps[i]?.value === value) return i;
  return -1;
}

/** The description of the first circle in `value`. */
export function describeCircle(value: unknown): string {
  if (!isPlain(value)) return HEADER;
  const done = new WeakSet<object>();
  const steps = createList<Step>();
  steps[0] = stepTo("", value);
  while (steps.length > 0 && steps.length < MAX_DEPTH) {
    const step = steps[steps.length - 1];
    if (step === undefined) break;
    const key = step.keys[step.next++];
    if (key === undefined) {
      WeakSetPrototypeAdd(done, step.value);
      steps.length--;
      continue;
    }
    const next: unknown = ownDescriptor(step.value, key)?.value;
    if (!isPlain(next) || WeakSetPrototypeHas(done, next)) continue;
    const from = indexOf(steps, next);
    if (from >= 0) return circleText(steps, from, key);
    steps[steps.length] = stepTo(key, next);
  }
  return HEADER;
}
