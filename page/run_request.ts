/**
 * The options of a run, as they are typed.
 *
 * @module
 */
import type { StatelessRunCodeOptions } from "@belljar/client";

/** The fields, as text. */
export interface RunFields {
  readonly stdin: string;
  /** One `NAME=value` a line. */
  readonly variables: string;
  readonly fuel: string;
  readonly wallMs: string;
  readonly seed: string;
  readonly clock: string;
  /** Names of functions that the program calls and the reader answers, one a line. */
  readonly tools: string;
  /** Names of the operator's tools, or patterns such as `crm.*`, one a line. */
  readonly operatorTools: string;
}

/** Nothing typed. */
export const NO_FIELDS: RunFields = {
  stdin: "",
  variables: "",
  fuel: "",
  wallMs: "",
  seed: "",
  clock: "",
  tools: "",
  operatorTools: "",
};

/** A field that cannot be used. The message names it. */
export class FieldError extends Error {
  override readonly name = "FieldError";
}

type FieldOptions = Pick<
  StatelessRunCodeOptions,
  "stdin" | "envVars" | "limits" | "seed" | "clock" | "operatorTools"
>;

/** The options that the fields mean. Throws a {@link FieldError}. */
export function optionsOf(fields: RunFields): FieldOptions {
  const fuel = numberIn(fields.fuel, "Fuel");
  const wallMs = numberIn(fields.wallMs, "Time");
  const seed = numberIn(fields.seed, "Seed");
  const clock = clockIn(fields.clock);
  const envVars = variablesIn(fields.variables);
  const operatorTools = linesOf(fields.operatorTools);
  return {
    ...(fields.stdin === "" ? {} : { stdin: fields.stdin }),
    ...(Object.keys(envVars).length === 0 ? {} : { envVars }),
    ...(fuel === undefined && wallMs === undefined ? {} : {
      limits: {
        ...(fuel === undefined ? {} : { fuel }),
        ...(wallMs === undefined ? {} : { wallMs }),
      },
    }),
    ...(seed === undefined ? {} : { seed }),
    ...(clock === undefined ? {} : { clock }),
    ...(operatorTools.length === 0 ? {} : { operatorTools }),
  };
}

/** The variables of a text with one `NAME=value` a line. Throws a {@link FieldError}. */
function variablesIn(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(lines.map((line) => {
    const at = line.indexOf("=");
    if (at < 1) throw new FieldError(`Variables: write NAME=value, not “${line.slice(0, 40)}”`);
    return [line.slice(0, at).trim(), line.slice(at + 1)];
  }));
}

function numberIn(text: string, name: string): number | undefined {
  const plain = text.replace(/[\s_,]/g, "");
  if (plain === "") return undefined;
  const number = Number(plain);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new FieldError(`${name}: write a whole number`);
}

/** Milliseconds, or a date. */
function clockIn(text: string): number | undefined {
  const plain = text.trim();
  if (plain === "") return undefined;
  const time = /^\d+$/.test(plain) ? Number(plain) : Date.parse(plain);
  if (Number.isSafeInteger(time) && time >= 0) return time;
  throw new FieldError(
    "Clock: write a date such as 2026-01-01T00:00:00Z, or milliseconds since 1970",
  );
}

const TOOL_NAME = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;

/** The names of the functions that the reader answers. Throws a {@link FieldError}. */
export function toolNames({ tools }: RunFields): readonly string[] {
  const names = linesOf(tools);
  const wrong = names.find((name) => !TOOL_NAME.test(name));
  if (wrong === undefined) return names;
  throw new FieldError(`Calls: write a name such as crm.find, not “${wrong.slice(0, 40)}”`);
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

/** The fields of a program that may call one more tool of the operator. */
export function withTool(fields: RunFields, name: string): RunFields {
  const names = new Set([...linesOf(fields.operatorTools), name]);
  return { ...fields, operatorTools: [...names].join("\n") };
}
