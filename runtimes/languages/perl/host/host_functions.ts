/**
 * The guest's requests to the host: the orders of classes, and alarms. All other requests are
 * system calls.
 *
 * @module
 */
import { BUFFER, IN_BUFFER, PENDING_SIGNAL, RESOLVE_C3 } from "./added_parts.ts";
import { type MethodOrders, MethodResolution } from "./method_orders.ts";
import type { ZeroPerl } from "./zeroperl.ts";

/** Perl functions that call the host, by number. */
const NAMES = [
  "Belljar::choose_order",
  "Belljar::order_of",
  "Belljar::changes_of",
  "Belljar::ring_in",
];
const [CHOOSE_ORDER, ORDER_OF, CHANGES_OF, RING_IN] = [0, 1, 2, 3];

/**
 * Fuel that counts as a second until an alarm, so that a program is always interrupted at the same
 * place. It is a little less than an empty loop uses in a second.
 */
const ALARM_FUEL_PER_SECOND = 6e9;
/** Maximum seconds of an alarm; no fuel lasts that long. */
const MAX_ALARM_SECONDS = 1e8;

/** The functions, for one interpreter. */
export class HostFunctions {
  readonly #perl: ZeroPerl;
  readonly #methods: MethodResolution;

  constructor(perl: ZeroPerl, orders: MethodOrders) {
    this.#perl = perl;
    this.#methods = new MethodResolution(perl, orders);
    perl.answer = (id, count, list) => this.#answer(id, count, list);
  }

  /** Registers the functions with Perl, in an interpreter from which an image is made. */
  register(): void {
    for (const [id, name] of NAMES.entries()) {
      const text = this.#perl.allocate(new TextEncoder().encode(`${name}\0`));
      this.#perl.call("zeroperl_register_function", id, text);
      this.#perl.call("free", text);
    }
  }

  /** The function to call when the alarm goes off: a variable that refers to it. */
  setAlarmHandler(variable: string): void {
    const handle = this.#perl.variable(variable);
    const handler = this.#perl.view.getUint32(handle, true);
    this.#perl.view.setUint32(this.#perl.call(BUFFER) + IN_BUFFER.alarmHandler, handler, true);
  }

  /** Called after the program slept: an active alarm is due that much earlier. */
  slept(ms: number): void {
    const { view } = this.#perl;
    const at = this.#perl.call(BUFFER) + IN_BUFFER.alarm;
    view.setBigInt64(at, view.getBigInt64(at, true) + fuelOf(ms / 1_000), true);
  }

  #answer(id: number, count: number, list: number): number {
    if (id === RESOLVE_C3) return this.#methods.resolve(count);
    const { view } = this.#perl;
    // each argument is a handle of a scalar
    const [first = 0, second = 0] = [0, 1].map((index) =>
      index < count ? view.getUint32(list + 4 * index, true) : 0
    );
    if (first === 0) return 0;
    const scalar = view.getUint32(first, true);
    switch (id) {
      case CHOOSE_ORDER:
        return this.#number(this.#methods.choose(scalar, second !== 0));
      case ORDER_OF:
        return this.#number(this.#methods.isC3(scalar));
      case CHANGES_OF:
        return this.#number(this.#methods.changesOf(scalar));
      case RING_IN:
        this.#ringIn(this.#perl.number(first));
        return 0;
      default:
        return 0;
    }
  }

  #number(value: number | boolean): number {
    return this.#perl.call("zeroperl_new_int", Number(value));
  }

  /** Sets the alarm; 0 seconds cancels it. */
  #ringIn(seconds: number): void {
    const perl = this.#perl;
    const isSet = seconds > 0;
    perl.view.setUint32(perl.call(PENDING_SIGNAL), Number(isSet), true);
    const left = BigInt(perl.fuel.value) - fuelOf(isSet ? seconds : 0);
    perl.view.setBigInt64(perl.call(BUFFER) + IN_BUFFER.alarm, left, true);
  }
}

function fuelOf(seconds: number): bigint {
  return BigInt(Math.round(Math.min(seconds, MAX_ALARM_SECONDS) * ALARM_FUEL_PER_SECOND));
}
