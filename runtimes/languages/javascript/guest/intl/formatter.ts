/**
 * The work of every `Intl` constructor: it reads locales and options, has the host check them, and
 * keeps them for its methods' requests.
 *
 * @module
 */
import { OPTIONS, readLocales, readOptions } from "./options.ts";
import type { Argument, IntlSend } from "./request.ts";

/** A service with fixed locales and options. */
export type Formatter = (method: string, ...args: readonly Argument[]) => unknown;

/**
 * Reads locales and options and has them checked immediately, as constructors do. `check` is called
 * with the options after the locales are read.
 */
export function openFormatter(
  send: IntlSend,
  service: keyof typeof OPTIONS,
  locales: unknown,
  options: unknown,
  check?: (options: unknown) => void,
): Formatter {
  const list = readLocales(locales);
  check?.(options);
  const bag = readOptions(options, OPTIONS[service]);
  send(service, "resolvedOptions", list, bag);
  return (method, ...args) => send(service, method, list, bag, ...args);
}
