/**
 * `Event` and `CustomEvent` of the DOM Standard, with Node's behaviour.
 *
 * @module
 */
import { performanceNow } from "../primordials.ts";
import { defineConstants, exposeInterface, INSPECT, inspectAs } from "./expose.ts";
import { invalidArgument, missingArguments } from "./node_error.ts";

/** The dispatch state of an event, out of the guest's reach. */
interface Dispatch {
  target: object | null;
  dispatching: boolean;
  stopped: boolean;
  stoppedAtOnce: boolean;
  passive: boolean;
  trusted: boolean;
}

let dispatchOf: (event: Event) => Dispatch;

/**
 * The origin of all time stamps, on the engine's clock and in milliseconds since the epoch; set
 * when a run begins.
 */
export const timeOrigin = { value: 0, epoch: 0, begun: false };

/** Milliseconds since the run began. */
export function sinceOrigin(): number {
  return performanceNow() - timeOrigin.value;
}

function readFlag(init: unknown, name: string): boolean {
  return init !== null && init !== undefined && Boolean(Reflect.get(Object(init), name));
}

/** Something that happened. */
export class Event {
  #type: string;
  #bubbles: boolean;
  #cancelable: boolean;
  readonly #composed: boolean;
  readonly #timeStamp = sinceOrigin();
  #canceled = false;
  readonly #dispatch: Dispatch = {
    target: null,
    dispatching: false,
    stopped: false,
    stoppedAtOnce: false,
    passive: false,
    trusted: false,
  };

  static {
    dispatchOf = (event) => event.#dispatch;
  }

  constructor(type: unknown, init: unknown = undefined) {
    if (arguments.length === 0) throw missingArguments("type");
    if (init !== undefined && init !== null && typeof init !== "object") {
      throw invalidArgument("options", "of type object", init);
    }
    this.#bubbles = readFlag(init, "bubbles");
    this.#cancelable = readFlag(init, "cancelable");
    this.#composed = readFlag(init, "composed");
    this.#type = `${type}`;
  }

  initEvent(type: unknown, bubbles: unknown = false, cancelable: unknown = false): void {
    if (arguments.length === 0) throw missingArguments("type");
    if (this.#dispatch.dispatching) return;
    this.#type = `${type}`;
    this.#bubbles = Boolean(bubbles);
    this.#cancelable = Boolean(cancelable);
  }

  stopImmediatePropagation(): void {
    this.#dispatch.stopped = true;
    this.#dispatch.stoppedAtOnce = true;
  }

  preventDefault(): void {
    if (this.#cancelable && !this.#dispatch.passive) this.#canceled = true;
  }

  get target(): object | null {
    return this.#dispatch.target;
  }

  get currentTarget(): object | null {
    return this.#dispatch.dispatching ? this.#dispatch.target : null;
  }

  get srcElement(): object | null {
    return this.#dispatch.target;
  }

  get type(): string {
    return this.#type;
  }

  get cancelable(): boolean {
    return this.#cancelable;
  }

  get defaultPrevented(): boolean {
    return this.#canceled;
  }

  get timeStamp(): number {
    return this.#timeStamp;
  }

  composedPath(): object[] {
    const { dispatching, target } = this.#dispatch;
    return dispatching && target !== null ? [target] : [];
  }

  get returnValue(): boolean {
    return !this.#canceled;
  }

  get bubbles(): boolean {
    return this.#bubbles;
  }

  get composed(): boolean {
    return this.#composed;
  }

  get eventPhase(): number {
    return this.#dispatch.dispatching ? 2 : 0;
  }

  get cancelBubble(): boolean {
    return this.#dispatch.stopped;
  }

  set cancelBubble(value: unknown) {
    if (value) this.#dispatch.stopped = true;
  }

  stopPropagation(): void {
    this.#dispatch.stopped = true;
  }

  get isTrusted(): boolean {
    return this.#dispatch.trusted;
  }

  [INSPECT](...args: readonly unknown[]): unknown {
    const name = this.constructor?.name ?? "Event";
    const { type, defaultPrevented, cancelable, timeStamp } = this;
    return inspectAs(this, name, { type, defaultPrevented, cancelable, timeStamp }, args);
  }
}

/** An event with a value. */
export class CustomEvent extends Event {
  readonly #detail: unknown;

  constructor(type: unknown, init: unknown = undefined) {
    if (arguments.length === 0) throw missingArguments("type");
    super(type, init);
    const detail: unknown = (init as { detail?: unknown } | null | undefined)?.detail;
    this.#detail = detail ?? null;
  }

  get detail(): unknown {
    return this.#detail;
  }
}

/** The dispatch state of an event. Throws a TypeError for anything that is not an event. */
export function eventDispatch(event: Event): Dispatch {
  return dispatchOf(event);
}

/** An event made by the platform. */
export function trustedEvent(type: string): Event {
  const event = new Event(type);
  dispatchOf(event).trusted = true;
  return event;
}

/** Prepares the classes for guests. */
export function exposeEvents(): void {
  exposeInterface(Event, "Event");
  exposeInterface(CustomEvent, "CustomEvent");
  for (const constructor of [Event, CustomEvent]) {
    Object.defineProperty(constructor, "length", { value: 1 });
  }
  defineConstants(Event, { NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 });
}
