/**
 * `diagnostics_channel`: named channels that pass messages to their subscribers at once.
 *
 * @module
 */
import { invalidArgument, requireFunction } from "../web/node_error.ts";

type Key = string | symbol;
type Subscriber = (message: unknown, name: Key) => void;

/** A subscriber's exception ends the run like an uncaught one, and does not disturb the publisher. */
function report(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

class Channel {
  readonly name: Key;
  #subscribers: readonly Subscriber[] = [];

  constructor(name: Key) {
    this.name = name;
  }

  get hasSubscribers(): boolean {
    return this.#subscribers.length > 0;
  }

  subscribe(subscriber: Subscriber): void {
    requireFunction("subscription", subscriber);
    this.#subscribers = [...this.#subscribers, subscriber];
  }

  unsubscribe(subscriber: Subscriber): boolean {
    const at = this.#subscribers.indexOf(subscriber);
    this.#subscribers = this.#subscribers.filter((_, index) => index !== at);
    return at >= 0;
  }

  publish(message: unknown): void {
    for (const subscriber of this.#subscribers) {
      try {
        subscriber(message, this.name);
      } catch (error) {
        report(error);
      }
    }
  }
}

const channels = new Map<Key, Channel>();

function channel(name: Key): Channel {
  const known = channels.get(name);
  if (known !== undefined) return known;
  if (typeof name !== "string" && typeof name !== "symbol") {
    throw invalidArgument("channel", "one of type string or symbol", name);
  }
  const made = new Channel(name);
  channels.set(name, made);
  return made;
}

/** The module. */
export const diagnosticsChannel = {
  Channel,
  channel,
  hasSubscribers: (name: Key): boolean => channels.get(name)?.hasSubscribers ?? false,
  subscribe: (name: Key, subscriber: Subscriber): void => channel(name).subscribe(subscriber),
  unsubscribe: (name: Key, subscriber: Subscriber): boolean =>
    channel(name).unsubscribe(subscriber),
};
