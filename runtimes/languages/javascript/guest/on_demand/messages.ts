/**
 * `MessageChannel`, `MessagePort`, `MessageEvent` and `BroadcastChannel`. All ports are in this one
 * program; a message is a clone that arrives later.
 *
 * @module
 */
import { INSPECT, inspectAs } from "../web/expose.ts";
import { missingArguments, nodeError } from "../web/node_error.ts";
import { environment } from "./environment.ts";

function member(init: unknown, name: string, fallback: unknown): unknown {
  const value: unknown = init === undefined || init === null
    ? undefined
    : Reflect.get(Object(init), name);
  return value === undefined ? fallback : value;
}

/** An event with a message. */
export class MessageEvent extends Event {
  readonly #init: unknown;

  constructor(type: string, init: unknown = undefined) {
    super(type, Object(init));
    this.#init = init;
  }

  get data(): unknown {
    return member(this.#init, "data", null);
  }

  get origin(): string {
    return `${member(this.#init, "origin", "")}`;
  }

  get lastEventId(): string {
    return `${member(this.#init, "lastEventId", "")}`;
  }

  get source(): unknown {
    return member(this.#init, "source", null);
  }

  get ports(): unknown {
    return member(this.#init, "ports", []);
  }
}

type Listener = (event: Event) => void;

/** Defines `onmessage` and its like on a class. */
function defineHandler(prototype: object, type: string, onSet: (self: EventTarget) => void): void {
  const handlers = new WeakMap<object, { listener: Listener; handler: unknown }>();
  Object.defineProperty(prototype, `on${type}`, {
    configurable: true,
    enumerable: true,
    get(this: object): unknown {
      return handlers.get(this)?.handler ?? null;
    },
    set(this: EventTarget, handler: unknown) {
      const known = handlers.get(this);
      if (known !== undefined) this.removeEventListener(type, known.listener);
      handlers.delete(this);
      if (typeof handler !== "function") return;
      const listener = (event: Event) => void Reflect.apply(handler, this, [event]);
      handlers.set(this, { listener, handler });
      this.addEventListener(type, listener);
      onSet(this);
    },
  });
}

interface Message {
  readonly data: unknown;
  readonly ports: readonly unknown[];
}

let connect: (first: MessagePort, second: MessagePort) => void;
let mayConstruct = false;

function newPort(): MessagePort {
  mayConstruct = true;
  try {
    return new MessagePort();
  } finally {
    mayConstruct = false;
  }
}

/** Ports among what is transferred stay what they are, as all ports are in one program. */
function splitTransfer(
  options: unknown,
): { ports: readonly MessagePort[]; transfer: readonly Transferable[] } {
  const list: unknown = Array.isArray(options) ? options : member(options, "transfer", []);
  const all: readonly unknown[] = [...list as Iterable<unknown>];
  const isPort = (value: unknown): value is MessagePort => value instanceof MessagePort;
  return {
    ports: all.filter(isPort),
    transfer: all.filter((value) => !isPort(value)) as Transferable[],
  };
}

/** One end of a channel. */
export class MessagePort extends EventTarget {
  #other: MessagePort | undefined;
  #queue: readonly Message[] = [];
  #isStarted = false;
  #isClosed = false;
  readonly #added = new Map<unknown, Listener>();

  static {
    connect = (first, second) => {
      first.#other = second;
      second.#other = first;
    };
  }

  constructor() {
    if (!mayConstruct) {
      throw nodeError(TypeError, "ERR_CONSTRUCT_CALL_INVALID", "Constructor cannot be called");
    }
    super();
  }

  postMessage(message: unknown, options: unknown = undefined): void {
    if (arguments.length === 0) throw missingArguments("message");
    const { ports, transfer } = splitTransfer(options);
    const data: unknown = structuredClone(message, { transfer: [...transfer] });
    if (this.#other !== undefined) this.#other.#receive({ data, ports });
  }

  #receive(message: Message): void {
    if (this.#isClosed) return;
    this.#queue = [...this.#queue, message];
    if (this.#isStarted) this.#deliverLater();
  }

  #deliverLater(): void {
    environment.defer(() => {
      const [message, ...rest] = this.#queue;
      if (message === undefined || this.#isClosed) return;
      this.#queue = rest;
      this.dispatchEvent(new MessageEvent("message", message));
    });
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    for (const _ of this.#queue) this.#deliverLater();
  }

  close(): void {
    if (this.#isClosed) return;
    const other = this.#other;
    environment.defer(() => {
      this.#end();
      if (other !== undefined) other.#end();
    });
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#queue = [];
    this.dispatchEvent(new Event("close"));
  }

  #add(type: string, callback: unknown, once: boolean): this {
    const listener = (event: Event) => {
      const args = event instanceof MessageEvent ? [event.data] : [];
      Reflect.apply(Object(callback), this, args);
    };
    this.#added.set(callback, listener);
    this.addEventListener(type, listener, { once });
    if (type === "message") this.start();
    return this;
  }

  on(type: string, callback: unknown): this {
    return this.#add(type, callback, false);
  }

  addListener(type: string, callback: unknown): this {
    return this.#add(type, callback, false);
  }

  once(type: string, callback: unknown): this {
    return this.#add(type, callback, true);
  }

  off(type: string, callback: unknown): this {
    const listener = this.#added.get(callback);
    if (listener !== undefined) this.removeEventListener(type, listener);
    return this;
  }

  removeListener(type: string, callback: unknown): this {
    return this.off(type, callback);
  }

  ref(): void {}

  unref(): void {}

  hasRef(): boolean {
    return false;
  }

  [INSPECT](...args: readonly unknown[]): unknown {
    return inspectAs(this, "MessagePort", { active: !this.#isClosed, refed: this.hasRef() }, args);
  }
}

/** Two ports that receive what the other one posts. */
export class MessageChannel {
  readonly port1 = newPort();
  readonly port2 = newPort();

  constructor() {
    connect(this.port1, this.port2);
  }
}

const channels = new Map<string, BroadcastChannel[]>();

/** Receives what all other channels of its name post. */
export class BroadcastChannel extends EventTarget {
  readonly #name: string;
  #isClosed = false;

  constructor(name: unknown) {
    if (arguments.length === 0) throw missingArguments("name");
    super();
    this.#name = `${name}`;
    channels.set(this.#name, [...channels.get(this.#name) ?? [], this]);
  }

  get name(): string {
    return this.#name;
  }

  postMessage(message: unknown): void {
    if (arguments.length === 0) throw missingArguments("message");
    if (this.#isClosed) throw new DOMException("BroadcastChannel is closed.", "InvalidStateError");
    for (const other of channels.get(this.#name) ?? []) {
      if (other === this) continue;
      const data: unknown = structuredClone(message);
      environment.defer(() => {
        if (!other.#isClosed) other.dispatchEvent(new MessageEvent("message", { data }));
      });
    }
  }

  close(): void {
    this.#isClosed = true;
    channels.set(this.#name, (channels.get(this.#name) ?? []).filter((one) => one !== this));
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  [INSPECT](...args: readonly unknown[]): unknown {
    return inspectAs(this, "BroadcastChannel", { name: this.#name, active: !this.#isClosed }, args);
  }
}

/** Defines the properties that take a function. */
export function defineHandlers(): void {
  const start = (self: EventTarget) => {
    if (self instanceof MessagePort) self.start();
  };
  for (const { prototype } of [MessagePort, BroadcastChannel]) {
    defineHandler(prototype, "message", start);
    defineHandler(prototype, "messageerror", () => {});
  }
  defineHandler(MessagePort.prototype, "close", () => {});
}
