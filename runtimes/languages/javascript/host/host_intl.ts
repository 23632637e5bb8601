/**
 * The host side of the guest's `Intl`. QuickJS has none; the host process has V8's, with all of
 * ICU. The guest's classes send one JSON request per call and get JSON text back.
 *
 * - The default locale is `en-US` and the default time zone UTC; every other locale of ICU and
 *   every IANA time zone works, because ICU does the work.
 * - A request names a service, a method, options and arguments that are on the allow-list of
 *   `host_intl_services.ts`, each of bounded size, so a call takes bounded time. No part of it is
 *   evaluated. A reply is plain JSON, so no object of this process is reachable from it.
 * - ICU's errors are returned as name and message. `RangeError` and `TypeError` are the guest's own
 *   mistakes; any other error has a fixed text.
 * - Formatters are cached by service, locales and options; the least recently used is dropped
 *   first. Formatted results are never kept, and no reply depends on earlier requests of others.
 *
 * Costs: {@link intlFuel} is charged before a call is made. The cost of making a formatter is
 * charged in addition, once for each formatter that a run uses; that of a range, of a lunar
 * calendar and of the reply's length, with each call.
 *
 * @module
 */
import type { HostService } from "./host_calls.ts";
import {
  type IntlRequest,
  IntlRequestError,
  MAX_REQUEST_LENGTH,
  pickOptions,
  readIntlRequest,
} from "./host_intl_request.ts";
import { INTL_SERVICES, type IntlMethods } from "./host_intl_services.ts";

/** Parts of the host that the service uses. */
interface IntlHostHooks {
  /** Charges the current run fuel for making a formatter. */
  charge(units: number): void;
  /**
   * Collects garbage (`globalThis.gc` under `--expose-gc`). V8 does not count the 30 KB of ICU
   * memory that a formatter holds, so it does not collect many formatters in a small heap in time.
   */
  collectGarbage?(): void;
}

const MAX_CACHED_FORMATTERS = 128;
const FORMATTERS_PER_COLLECTION = 256;
const MAX_MESSAGE_LENGTH = 1_000;

// Fuel at 10,000 to 20,000 units per microsecond, about the rate of guest code. A call takes 4 µs
// here and as much at the border, and 50–100 ns per character; making a formatter takes 0.02–0.3 ms,
// 10 µs more for each locale after the first, and one for ranges of dates, patterns included, 1 ms.
// A range takes 50–100 µs each time, and so does a date of a calendar that follows the moon.
const CALL_FUEL = 100_000;
const CHARACTER_FUEL = 750;
const REPLY_CHARACTER_FUEL = 300;
const FORMATTER_FUEL = 4_000_000;
const LOCALE_FUEL = 150_000;
const DATE_RANGE_FUEL = 26_000_000;
const RANGE_FUEL = 1_500_000;
const LUNAR_FUEL = 1_500_000;
const LUNAR = /chinese|dangi|hebrew|islamic/i;

/**
 * Fuel to charge for a request, by its length in UTF-16 units (or bytes of UTF-8), before it is
 * served; a request too long to be served costs no more than the longest.
 */
export function intlFuel(requestLength: number): number {
  return CALL_FUEL + CHARACTER_FUEL * Math.min(requestLength, MAX_REQUEST_LENGTH);
}

/** Caches the most recently used formatters. */
class FormatterCache {
  readonly #entries = new Map<string, IntlMethods>();

  get(key: string): IntlMethods | undefined {
    const found = this.#entries.get(key);
    if (found === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, found);
    return found;
  }

  add(key: string, methods: IntlMethods): void {
    this.#entries.set(key, methods);
    if (this.#entries.size <= MAX_CACHED_FORMATTERS) return;
    const oldest = this.#entries.keys().next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }
}

/**
 * The formatters that a run has paid for: the keys that it used last, as many as the cache holds. A
 * run's price does not depend on what others left in the cache, so its fuel is the same every time.
 * Every formatter listed here is in the cache.
 */
class PaidFormatters {
  readonly #keys = new Set<string>();

  /** Records a use. Returns whether it has to be paid for. */
  use(key: string): boolean {
    const paid = this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size > MAX_CACHED_FORMATTERS) {
      const [oldest = ""] = this.#keys;
      this.#keys.delete(oldest);
    }
    return !paid;
  }

  clear(): void {
    this.#keys.clear();
  }
}

class IntlHost {
  readonly #paid = new PaidFormatters();
  readonly #cache = new FormatterCache();
  readonly #hooks: IntlHostHooks;
  #opened = 0;

  constructor(hooks: IntlHostHooks) {
    this.#hooks = hooks;
  }

  /** The value that a request asks for. Throws the error that the guest gets. */
  serve(text: string): unknown {
    const request = readIntlRequest(text);
    const reply = this.#formatter(request)?.(request.method, request.args);
    if (reply === undefined) throw new IntlRequestError("TypeError", "Unknown Intl method");
    return reply.value ?? null;
  }

  #formatter(request: IntlRequest): IntlMethods | undefined {
    const service = INTL_SERVICES.get(request.service);
    if (service === undefined) return undefined;
    const options = pickOptions(request.options, service.options);
    // A date formatter prepares for ranges when it first formats one, and keeps that data.
    const range = request.method.startsWith("formatRange");
    const key = JSON.stringify([request.service, range, request.locales, options]);
    if (!service.cached || this.#paid.use(key)) {
      const more = LOCALE_FUEL * Math.max(0, request.locales.length - 1);
      this.#hooks.charge((range ? DATE_RANGE_FUEL : FORMATTER_FUEL) + more);
    }
    if (range || request.method === "selectRange") this.#hooks.charge(RANGE_FUEL);
    if (request.service === "DateTimeFormat" && LUNAR.test(key)) this.#hooks.charge(LUNAR_FUEL);
    const found = this.#cache.get(key);
    if (found !== undefined) return found;
    if (++this.#opened % FORMATTERS_PER_COLLECTION === 0) this.#hooks.collectGarbage?.();
    const methods = service.open(request.locales, options);
    if (service.cached) this.#cache.add(key, methods);
    return methods;
  }

  /** Begins a run, which has paid for nothing yet. */
  beginRun(): void {
    this.#paid.clear();
  }
}

/** The error message for a guest; an invalid locale gets V8's wording. */
function describeError(error: unknown): { readonly name: string; readonly message: string } {
  const known = error instanceof RangeError || error instanceof TypeError ||
    error instanceof IntlRequestError;
  if (!known) return { name: "Error", message: "Intl failed" };
  const message = error.message.startsWith("Invalid language tag")
    ? "Incorrect locale information provided"
    : error.message.slice(0, MAX_MESSAGE_LENGTH);
  return { name: error.name, message };
}

function answer(host: IntlHost, request: string): string {
  try {
    return JSON.stringify({ value: host.serve(request) });
  } catch (error) {
    return JSON.stringify({ error: describeError(error) });
  }
}

/** The service in the form that the engine uses, with its price. */
export interface IntlService extends HostService {
  /** Answers a request: JSON text in, JSON text out. Never throws. */
  readonly call: (request: string) => string;
  /** Call it before each run. */
  beginRun(): void;
}

/** Makes the service; `collectGarbage` is `globalThis.gc` where it is exposed. */
export function createIntlService(collectGarbage?: () => void): IntlService {
  let owed = 0;
  const host = new IntlHost({
    charge: (units) => void (owed += units),
    ...(collectGarbage === undefined ? {} : { collectGarbage }),
  });
  return {
    fuel: intlFuel,
    call: (request) => {
      const reply = answer(host, request);
      owed += REPLY_CHARACTER_FUEL * reply.length;
      return reply;
    },
    beginRun: () => host.beginRun(),
    workFuel: () => {
      const units = owed;
      owed = 0;
      return units;
    },
  };
}
