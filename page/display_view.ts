/**
 * Displays of a run. A guest has written them: images are data of image elements, HTML
 * goes into a frame, everything else is text.
 *
 * @module
 */
import type { Display, JsonValue } from "@belljar/client";
import { el } from "./dom.ts";
import { htmlFrame } from "./html_frame.ts";
import { jsonText } from "./json_text.ts";
import { longText } from "./output_view.ts";

/** Media types that are shown, the best one first. */
const SHOWN = [
  "image/svg+xml",
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "text/html",
  "text/markdown",
  "application/json",
  "text/latex",
  "text/plain",
] as const;

const NAMES: { readonly [type: string]: string } = {
  "image/svg+xml": "SVG",
  "image/png": "PNG",
  "image/jpeg": "JPEG",
  "image/gif": "GIF",
  "image/webp": "WebP",
  "text/html": "HTML",
  "text/markdown": "Markdown",
  "application/json": "JSON",
  "text/latex": "LaTeX",
  "text/plain": "Text",
};

const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;
const MAX_TEXT = 20_000;

/** Shows an entry. The label names the run that it belongs to. */
export function displayView({ data }: Display, label: string): HTMLElement {
  const types = Object.keys(data);
  const known = SHOWN.filter((type) => Object.hasOwn(data, type));
  const forms = known.length > 0 ? known : types.slice(0, 1);
  const body = el("div", { class: "display-body" });
  const show = (type: string) => {
    body.replaceChildren(formOf(type, data[type] ?? null, label));
  };
  const [best = ""] = forms;
  show(best);
  if (forms.length < 2) return el("figure", { class: "display" }, body);
  const choice = el(
    "select",
    { "aria-label": `Form of what ${label} shows` },
    ...forms.map((type) => el("option", { value: type }, nameOf(type))),
  );
  choice.addEventListener("change", () => show(choice.value));
  return el("figure", { class: "display" }, el("div", { class: "display-head" }, choice), body);
}

function formOf(type: string, value: JsonValue, label: string): HTMLElement {
  if (typeof value === "string") {
    if (type === "image/svg+xml") return image(svgUrl(value), `SVG image of ${label}`, value);
    if (type.startsWith("image/") && Object.hasOwn(NAMES, type) && BASE64.test(value)) {
      const alt = `${nameOf(type)} image of ${label}`;
      return image(`data:${type};base64,${value.replace(/\s/g, "")}`, alt, value);
    }
    if (type === "text/html") return htmlFrame(value, `HTML of ${label}`);
    return text(type, value, label);
  }
  return text(type, jsonText(value), label);
}

function svgUrl(source: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source.toWellFormed())}`;
}

/** An image element runs no script and loads nothing, whatever the image is. */
function image(src: string, alt: string, source: string): HTMLElement {
  const made = el("img", { alt, src, class: "picture" });
  const box = el("div", { class: "paper" }, made);
  made.addEventListener("error", () => {
    box.replaceChildren(
      el("p", { class: "hint" }, "This image cannot be shown. Its source:"),
      el(
        "pre",
        { class: "output", tabindex: 0, role: "region", "aria-label": alt },
        longText(source),
      ),
    );
  });
  return box;
}

function text(type: string, value: string, label: string): HTMLElement {
  return el(
    "pre",
    {
      class: "output",
      tabindex: 0,
      role: "region",
      "aria-label": `${nameOf(type)} of ${label}`,
    },
    longText(value, MAX_TEXT),
  );
}

function nameOf(type: string): string {
  return NAMES[type] ?? type;
}
