/**
 * The error of a program that uses a global of other environments, such as `WebAssembly`, says that
 * it is absent here.
 *
 * @module
 */
import { bare, dataDescriptor, ownDescriptor, ReflectDefineProperty } from "./primordials.ts";

const NOTE = ": it is not available here";

/** The engine's messages. */
const MESSAGES: Readonly<Record<string, boolean>> = bare({
  "WebAssembly is not defined": true,
  "Worker is not defined": true,
  "WebSocket is not defined": true,
  "EventSource is not defined": true,
  "XMLHttpRequest is not defined": true,
  "PerformanceObserver is not defined": true,
  "PerformanceObserverEntryList is not defined": true,
  "PerformanceResourceTiming is not defined": true,
});

/** Completes the message of an error that the engine made. */
export function explainAbsence(error: object): void {
  const message: unknown = ownDescriptor(error, "message")?.value;
  if (typeof message !== "string" || MESSAGES[message] !== true) return;
  ReflectDefineProperty(error, "message", dataDescriptor(message + NOTE));
}
