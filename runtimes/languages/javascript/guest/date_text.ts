/**
 * Dates as text with the name of the time zone, as V8 writes them. The engine's zone is UTC.
 *
 * @module
 */
import { defineHidden, StringPrototypeEndsWith, uncurryThis } from "./primordials.ts";

const ZONE_TAIL = "GMT+0000";
const ZONE_NAME = " (Coordinated Universal Time)";

/** Replaces the engine's methods. */
export function installDateText(): void {
  const { toString, toTimeString } = Date.prototype;
  for (const [name, method] of Object.entries({ toString, toTimeString })) {
    const native = uncurryThis<unknown, [], string>(method);
    const holder = {
      [name](this: unknown): string {
        const text = native(this);
        return StringPrototypeEndsWith(text, ZONE_TAIL) ? `${text}${ZONE_NAME}` : text;
      },
    };
    const worded: unknown = holder[name];
    if (typeof worded !== "function") continue;
    defineHidden(Date.prototype, name, worded);
  }
}
