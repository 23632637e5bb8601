/**
 * Displays as content of a result. An image is an image block. Any other display is a line with its
 * type and size, and an embedded resource with its data, besides a text that a model can read.
 *
 * @module
 */
import type { ContentBlock } from "@modelcontextprotocol/server";
import type { RunDisplay } from "./run_schemas.ts";

/** The media types of image blocks. SVG is not among those that clients show. */
const IMAGE_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/** The forms that a model reads in the text of the result, best first. */
const TEXT_TYPES: readonly string[] = ["text/markdown", "text/plain", "text/latex"];
/** The forms that are worth a resource before all others, best first. */
const RICH_TYPES: readonly string[] = ["image/svg+xml", "text/html"];
/** Types whose data is base64, except for those of XML such as SVG. */
const BINARY = /^(?:image|audio|video|font)\/(?!.*\+xml$)|^application\/(?:pdf|zip|octet-stream)$/;

/** A display as the parts of a result. */
export interface DisplayBlocks {
  /** The display without the images, which are blocks. */
  readonly rest: RunDisplay;
  /** For the model; empty if there is nothing to say. */
  readonly text: string;
  readonly images: readonly ContentBlock[];
  readonly resources: readonly ContentBlock[];
}

/** The parts of a display. `position` counts from 1; it is in the URI of the resource. */
export function displayBlocks(
  display: RunDisplay,
  position: number,
  { withResource }: { readonly withResource: boolean },
): DisplayBlocks {
  const images: ContentBlock[] = [];
  const rest: [string, unknown][] = [];
  for (const [type, data] of Object.entries(display.data)) {
    if (IMAGE_TYPES.includes(type) && typeof data === "string" && isBase64(data)) {
      images.push({ type: "image", data, mimeType: type });
    } else rest.push([type, data]);
  }
  const shown = { rest: { ...display, data: Object.fromEntries(rest) }, images };
  if (images.length > 0) return { ...shown, text: "", resources: [] };
  const text = readableText(display);
  const rich = richest(display);
  if (rich === undefined) return { ...shown, text, resources: [] };
  const { line, resource } = resourceOf(rich, `belljar://displays/${position}`);
  const resources = withResource && resource !== undefined ? [resource] : [];
  const place = resource !== undefined && !withResource ? " (only in the structured content)" : "";
  return { ...shown, text: [text, line + place].filter(Boolean).join("\n"), resources };
}

/** The text of a display. That of the last expression's value is in the result of the run. */
function readableText({ data, main }: RunDisplay): string {
  const best = TEXT_TYPES.find((type) => typeof data[type] === "string");
  return best === undefined || main === true ? "" : `[display]\n${data[best]}`;
}

interface Form {
  readonly type: string;
  readonly data: unknown;
}

/** The best form of a display that its text does not show. */
function richest({ data, main }: RunDisplay): Form | undefined {
  const texts = main === true ? ["text/plain"] : TEXT_TYPES;
  const types = Object.keys(data).filter((type) => !texts.includes(type));
  const type = RICH_TYPES.find((rich) => types.includes(rich)) ?? types[0];
  return type === undefined ? undefined : { type, data: data[type] };
}

interface ResourceParts {
  readonly line: string;
  /** Absent for what is no data of its type. */
  readonly resource?: ContentBlock;
}

function resourceOf({ type, data }: Form, uri: string): ResourceParts {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  const isBinary = typeof data === "string" && BINARY.test(type);
  if (isBinary && !isBase64(data)) {
    return { line: `[display] ${type}, without data that can be shown` };
  }
  const bytes = isBinary ? base64Bytes(text) : new TextEncoder().encode(text).length;
  const contents = isBinary ? { blob: text } : { text };
  return {
    line: `[display] ${type}, ${sizeText(bytes)}`,
    resource: { type: "resource", resource: { uri, mimeType: type, ...contents } },
  };
}

/** Clients refuse a whole result if one block is not base64. */
function isBase64(text: string): boolean {
  return text !== "" && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

function base64Bytes(text: string): number {
  return text.length / 4 * 3 - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0);
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 999_950 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
