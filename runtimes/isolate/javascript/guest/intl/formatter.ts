/**
 * What every constructor of `Intl` does: it reads locales and options, has them checked, and keeps
 * them for what its methods ask.
 *
 * @module
 */
import { OPTIONS, readLocales, readOptions } from "./options.ts";
import type { Argument, IntlSend } from "./request.ts";

/** A service with its locales and options settled. */
export type Formatter = (method: string, ...args: readonly Argument[]) => unknown;

/**
 * Settles locales and options; they are checked here and now, as constructors do. `check` looks
 * at the options after the locales are read.
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
