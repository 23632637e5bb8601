/**
 * Programs in the editors: each tab stores its own, and a new tab begins with the newest of the browser.
 *
 * @module
 */
import type { Language } from "@belljar/client";
import { NO_FIELDS, type RunFields } from "./run_request.ts";
import { keepForAll, newestText } from "./tab_store.ts";

/** A program and the options of its runs. */
export interface Draft {
  readonly language: Language;
  readonly code: string;
  readonly fields: RunFields;
}

/** Writing each key press of a long program would be slow. */
const WRITE_MS = 300;
const waiting = new Map<string, Draft | undefined>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** The draft that was kept under a name. */
export function storedDraft(name: string): Draft | undefined {
  keepWaiting();
  const text = newestText(nameOf(name));
  if (text === undefined) return undefined;
  try {
    const { language, code, fields } = JSON.parse(text);
    return { language, code: String(code), fields: { ...NO_FIELDS, ...fields } };
  } catch {
    return undefined; // of another version of the page
  }
}

/** Keeps a draft soon; `undefined` removes it. */
export function keepDraft(name: string, draft: Draft | undefined): void {
  waiting.set(name, draft);
  timer ??= setTimeout(keepWaiting, WRITE_MS);
}

/** Keeps what waits to be kept: before the page goes. */
export function keepWaiting(): void {
  clearTimeout(timer);
  timer = undefined;
  for (const [name, draft] of waiting) {
    keepForAll(nameOf(name), draft === undefined ? undefined : JSON.stringify(draft));
  }
  waiting.clear();
}

function nameOf(name: string): string {
  return `draft:${name}`;
}
