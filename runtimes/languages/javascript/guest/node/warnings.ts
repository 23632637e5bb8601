/**
 * `process.emitWarning`: warnings go to standard error and to listeners.
 *
 * @module
 */
import type { EventLoop } from "../event_loop.ts";
import { createList } from "../primordials.ts";
import { invalidArgument } from "../web/node_error.ts";
import type { Emitter } from "./events.ts";

/** `process.emitWarning`. */
export type WarnFunction = (warning: unknown, ...rest: readonly unknown[]) => void;

interface Details {
  readonly type: string;
  readonly code: string | undefined;
  readonly detail: string | undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The type, code and detail of a warning, as separate arguments or as options. */
function readDetails(args: readonly unknown[]): Details {
  const first = args[0];
  if (typeof first === "object" && first !== null && !Array.isArray(first)) {
    const read = (key: string) => text(Reflect.get(first, key));
    return { type: read("type") ?? "Warning", code: read("code"), detail: read("detail") };
  }
  return { type: text(first) ?? "Warning", code: text(args[1]), detail: undefined };
}

function toError(warning: unknown, details: Details): Error {
  if (warning instanceof Error) return warning;
  if (typeof warning !== "string") {
    throw invalidArgument("warning", "of type string or an instance of Error", warning);
  }
  const error = new Error(warning);
  error.name = details.type;
  const { code, detail } = details;
  return Object.assign(error, code === undefined ? {} : { code }, detail ? { detail } : {});
}

function warningText(error: Error): string {
  const code: unknown = Reflect.get(error, "code");
  const detail: unknown = Reflect.get(error, "detail");
  const head = `(node:1) ${typeof code === "string" ? `[${code}] ` : ""}`;
  return `${head}${error.name}: ${error.message}\n${
    typeof detail === "string" ? `${detail}\n` : ""
  }`;
}

/** Creates `process.emitWarning`. A deprecation with a code is reported once. */
export function createWarn(parts: {
  readonly process: Emitter;
  readonly loop: EventLoop;
  readonly print: (text: string) => void;
}): WarnFunction {
  return (warning, ...rest) => {
    const error = toError(warning, readDetails(rest));
    if (error.name === "DeprecationWarning" && Reflect.get(parts.process, "noDeprecation")) return;
    parts.loop.addTick(() => {
      parts.print(warningText(error));
      parts.process.emit("warning", error);
    }, createList<unknown>());
  };
}
