/**
 * The host side of loading the guest's own files: a module, or a TypeScript file, becomes the body
 * of a function that QuickJS can run.
 *
 * A request is JSON: `{"code","typescript"}`. The reply is JSON too:
 * `{"code","isModule","awaits"}`, or `{"error"}` with the text of a syntax error.
 *
 * @module
 */
import type { HostService } from "./host_calls.ts";
import type { PreparedFile, Preparer } from "./source/prepare.ts";

/** Longer files are treated as CommonJS. In characters. */
const MAX_CHARS = 1 << 20;
// Fuel at 10,000 units per microsecond: parsing takes 0.2 µs per character, TypeScript twice that.
const CALL_FUEL = 350_000;
const CHARACTER_FUEL = 6_000;

interface Request {
  readonly code: string;
  readonly typescript: boolean;
}

function readRequest(text: string): Request {
  const said: unknown = JSON.parse(text);
  const { code, typescript }: Record<string, unknown> = { ...Object(said) };
  return { code: typeof code === "string" ? code : "", typescript: typescript === true };
}

function answer(preparer: Preparer, text: string): PreparedFile | { readonly error: string } {
  const { code, typescript } = readRequest(text);
  if (code.length > MAX_CHARS) return { code, isModule: false, awaits: false };
  const prepared = preparer.prepareFile(code, { typescript });
  return typeof prepared === "string" ? { error: prepared } : prepared;
}

/** Makes the service. */
export function createModuleService(preparer: Preparer): HostService {
  return {
    fuel: (requestChars) => CALL_FUEL + CHARACTER_FUEL * Math.min(requestChars, MAX_CHARS),
    workFuel: () => 0,
    call(request) {
      try {
        return JSON.stringify(answer(preparer, request));
      } catch {
        return undefined; // a guest that runs out of memory can send half a request
      }
    },
  };
}
