/**
 * Kinds of files by their names: which editor or preview they get.
 *
 * @module
 */
import type { Language } from "@belljar/client";

/** A preview beside the text of a file, or in its place. */
export type Preview = "image" | "csv" | "json";

/** How a file is shown. */
export interface FileKind {
  /** The language in which the file can run, and by which its text is coloured. */
  readonly language?: Language;
  readonly preview?: Preview;
  /** Media type of an image. */
  readonly mediaType?: string;
  /** Between the columns of a table. */
  readonly separator?: string;
}

const LANGUAGES: { readonly [extension: string]: Language } = {
  py: "python",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  ts: "javascript",
  mts: "javascript",
  pl: "perl",
  pm: "perl",
  rb: "ruby",
  sh: "shell",
  bash: "shell",
};

const IMAGES: { readonly [extension: string]: string } = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  svg: "image/svg+xml",
};

/** The kind of a file. */
export function fileKind(path: string): FileKind {
  const extension = /\.([a-z0-9]{1,8})$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  if (Object.hasOwn(LANGUAGES, extension)) return { language: LANGUAGES[extension] ?? "python" };
  if (Object.hasOwn(IMAGES, extension)) {
    return { preview: "image", mediaType: IMAGES[extension] ?? "" };
  }
  if (extension === "csv") return { preview: "csv", separator: "," };
  if (extension === "tsv") return { preview: "csv", separator: "\t" };
  return extension === "json" || extension === "ipynb" ? { preview: "json" } : {};
}
