/**
 * Notebooks (`.ipynb`) of contexts: which language one has, and its cells. A notebook of a stranger
 * may have anything in it, so each part is checked before it is used.
 *
 * @module
 */
import type { Language } from "@belljar/client";
import { notebookLanguage } from "../client/protocol/language_names.ts";

/** A cell of a notebook. */
export interface Cell {
  readonly kind: "code" | "markdown";
  readonly source: string;
}

/** The language of a notebook, of those that are there; undefined when it names none of them. */
export function languageOf(
  notebook: unknown,
  languages: readonly Language[],
): Language | undefined {
  const metadata = fieldOf(notebook, "metadata");
  const [info, spec] = [fieldOf(metadata, "language_info"), fieldOf(metadata, "kernelspec")];
  for (const name of [fieldOf(info, "name"), fieldOf(spec, "language"), fieldOf(spec, "name")]) {
    if (typeof name !== "string") continue;
    const language = notebookLanguage(name);
    if (language !== undefined && languages.includes(language)) return language;
  }
  return undefined;
}

/** The cells of code and Markdown. */
export function notebookCells(notebook: unknown): readonly Cell[] {
  const cells = fieldOf(notebook, "cells");
  if (!Array.isArray(cells)) return [];
  return cells.flatMap((cell): readonly Cell[] => {
    const kind = fieldOf(cell, "cell_type");
    if (kind !== "code" && kind !== "markdown") return [];
    return [{ kind, source: sourceOf(fieldOf(cell, "source")) }];
  });
}

/** A text, or the list of its lines with their ends. */
function sourceOf(source: unknown): string {
  if (typeof source === "string") return source;
  if (!Array.isArray(source)) return "";
  return source.filter((line) => typeof line === "string").join("");
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}
