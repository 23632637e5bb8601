/**
 * `performance`: the clock of the run, marks and measures. The clock is the engine's, which
 * advances with virtual sleeps. It counts from the start of the first run, so it never goes back in
 * a context.
 *
 * @module
 */
import { DateNow, performanceNow } from "../primordials.ts";
import { sinceOrigin, timeOrigin } from "./event.ts";
import { EventTarget } from "./event_target.ts";
import { enumerateMembers, exposeInterface, INSPECT, inspectAs, setName } from "./expose.ts";
import {
  type CodedError,
  illegalConstructor,
  invalidArgument,
  missingArguments,
  nodeError,
} from "./node_error.ts";
import { structuredClone } from "./structured_clone.ts";

const CONSTRUCT = Symbol("construct");

interface Fields {
  readonly name: string;
  readonly entryType: string;
  readonly startTime: number;
  readonly duration: number;
}

/** A point or a span on the timeline. */
export class PerformanceEntry {
  readonly #fields: Fields;

  constructor(key: unknown, fields: Fields) {
    if (key !== CONSTRUCT) throw illegalConstructor();
    this.#fields = fields;
  }

  get name(): string {
    return this.#fields.name;
  }

  get entryType(): string {
    return this.#fields.entryType;
  }

  get startTime(): number {
    return this.#fields.startTime;
  }

  get duration(): number {
    return this.#fields.duration;
  }

  toJSON(): object {
    const { name, entryType, startTime, duration } = this;
    return { name, entryType, startTime, duration };
  }

  [INSPECT](...args: readonly unknown[]): unknown {
    return inspectAs(this, this.constructor?.name ?? "PerformanceEntry", this.toJSON(), args);
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function readDetail(options: unknown): unknown {
  const detail = isRecord(options) ? options["detail"] : undefined;
  return detail === undefined || detail === null ? null : structuredClone(detail);
}

function readTime(name: string, value: unknown): number {
  if (typeof value !== "number") throw invalidArgument(name, "of type number", value);
  if (value < 0) {
    const message = `${value} is not a valid timestamp`;
    throw nodeError(TypeError, "ERR_PERFORMANCE_INVALID_TIMESTAMP", message);
  }
  return value;
}

/** A point on the timeline. */
export class PerformanceMark extends PerformanceEntry {
  readonly #detail: unknown;

  constructor(name: unknown, options: unknown = undefined) {
    if (arguments.length === 0) throw missingArguments("name");
    if (options !== undefined && options !== null && !isRecord(options)) {
      throw invalidArgument("options", "of type object", options);
    }
    const given = isRecord(options) ? options["startTime"] : undefined;
    const startTime = given === undefined ? sinceOrigin() : readTime("startTime", given);
    super(CONSTRUCT, { name: `${name}`, entryType: "mark", startTime, duration: 0 });
    this.#detail = readDetail(options);
  }

  get detail(): unknown {
    return this.#detail;
  }

  override toJSON(): object {
    return { ...super.toJSON(), detail: this.#detail };
  }
}

/** A span on the timeline. */
export class PerformanceMeasure extends PerformanceEntry {
  readonly #detail: unknown;

  constructor(key: unknown, fields: Fields, detail: unknown) {
    super(key, fields);
    this.#detail = detail;
  }

  get detail(): unknown {
    return this.#detail;
  }

  override toJSON(): object {
    return { ...super.toJSON(), detail: this.#detail };
  }
}

function unknownMark(name: unknown): DOMException {
  return new DOMException(`The "${name}" performance mark has not been set`, "SyntaxError");
}

function invalidMeasure(message: string): CodedError {
  return nodeError(TypeError, "ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS", message);
}

function isKind(kind: string): (entry: PerformanceEntry) => boolean {
  return (entry) => entry.entryType === kind;
}

/** The clock and the timeline. */
export class Performance extends EventTarget {
  #entries: PerformanceEntry[] = [];

  constructor(key: unknown = undefined) {
    if (key !== CONSTRUCT) throw illegalConstructor();
    super();
  }

  now(): number {
    return sinceOrigin();
  }

  get timeOrigin(): number {
    return timeOrigin.epoch;
  }

  mark(name: unknown, options: unknown = undefined): PerformanceMark {
    if (arguments.length === 0) throw missingArguments("name");
    return this.#add(new PerformanceMark(name, options));
  }

  measure(name: unknown, start: unknown = undefined, end: unknown = undefined): PerformanceMeasure {
    if (arguments.length === 0) throw missingArguments("name");
    const options = isRecord(start) ? start : { start, end };
    if (isRecord(start) && end !== undefined) {
      throw invalidMeasure("endMark must not be specified");
    }
    const [startTime, duration] = this.#span(options);
    const fields = { name: `${name}`, entryType: "measure", startTime, duration };
    return this.#add(new PerformanceMeasure(CONSTRUCT, fields, readDetail(start)));
  }

  #span(options: Readonly<Record<string, unknown>>): readonly [start: number, duration: number] {
    const { start, end, duration } = options;
    const length = duration === undefined ? undefined : readTime("duration", duration);
    if (length !== undefined && start !== undefined && end !== undefined) {
      throw invalidMeasure("options.start, options.duration and options.end");
    }
    const from = start === undefined ? undefined : this.#time(start);
    const to = end === undefined ? undefined : this.#time(end);
    const endTime = to ??
      (length !== undefined && from !== undefined ? from + length : sinceOrigin());
    const startTime = from ?? (length !== undefined ? endTime - length : 0);
    return [startTime, endTime - startTime];
  }

  /** The time of a mark by its name, or a given time. */
  #time(value: unknown): number {
    if (typeof value === "number") return readTime("mark", value);
    const name = `${value}`;
    const mark = this.#entries.findLast((entry) => isKind("mark")(entry) && entry.name === name);
    if (mark === undefined) throw unknownMark(name);
    return mark.startTime;
  }

  #add<Entry extends PerformanceEntry>(entry: Entry): Entry {
    this.#entries.push(entry);
    return entry;
  }

  #select(test: (entry: PerformanceEntry) => boolean): PerformanceEntry[] {
    return this.#entries.filter(test).sort((a, b) => a.startTime - b.startTime);
  }

  getEntries(): PerformanceEntry[] {
    return this.#select(() => true);
  }

  getEntriesByName(name: unknown, type: unknown = undefined): PerformanceEntry[] {
    if (arguments.length === 0) throw missingArguments("name");
    const wanted = `${name}`;
    return this.#select((entry) =>
      entry.name === wanted && (type === undefined || entry.entryType === type)
    );
  }

  getEntriesByType(type: unknown): PerformanceEntry[] {
    if (arguments.length === 0) throw missingArguments("type");
    return this.#select(isKind(`${type}`));
  }

  clearMarks(name: unknown = undefined): void {
    this.#clear("mark", name);
  }

  clearMeasures(name: unknown = undefined): void {
    this.#clear("measure", name);
  }

  #clear(kind: string, name: unknown): void {
    const wanted = name === undefined ? undefined : `${name}`;
    this.#entries = this.#entries.filter((entry) =>
      entry.entryType !== kind || (wanted !== undefined && entry.name !== wanted)
    );
  }

  toJSON(): object {
    return { timeOrigin: this.timeOrigin };
  }

  override [INSPECT](...args: readonly unknown[]): unknown {
    return inspectAs(this, "Performance", { timeOrigin: this.timeOrigin }, args);
  }
}

/** Makes the clock count from now on, unless it already does; called when a run begins. */
export function beginTimeOrigin(): void {
  if (timeOrigin.begun) return;
  timeOrigin.begun = true;
  timeOrigin.value = performanceNow();
  timeOrigin.epoch = DateNow();
}

/** The origin of the context's other runs, during a run with a clock of its own. */
const others = { value: 0, epoch: 0, begun: false };

/**
 * Around a run whose caller sets the clock, in a context: the run has an origin of its own, and
 * later runs have the previous one.
 */
export function setTimeOrigin(begins: boolean): void {
  const [from, to] = begins ? [timeOrigin, others] : [others, timeOrigin];
  to.value = from.value;
  to.epoch = from.epoch;
  to.begun = from.begun;
  if (begins) timeOrigin.begun = false;
}

/** Prepares the classes for guests, and makes the only clock. */
export function createPerformance(): Performance {
  exposeInterface(Performance, "Performance");
  setName(PerformanceEntry, "PerformanceEntry");
  enumerateMembers(PerformanceEntry.prototype);
  exposeInterface(PerformanceMark, "PerformanceMark");
  exposeInterface(PerformanceMeasure, "PerformanceMeasure");
  return new Performance(CONSTRUCT);
}
