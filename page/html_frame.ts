/**
 * A guest's HTML in a frame without script, without an origin, and without any request.
 *
 * There are two frames. The outer one is a document of the service's own (`frame.html`), whose
 * policy allows inline styles and images in `data:`, and nothing else. The inner one is the
 * guest's. A document made of text inherits the policy of the document around it: so it is put into
 * the outer frame, not into the page, whose policy would take its styles away. Its own sandbox
 * takes away script, forms, popups, navigation of others, and the origin.
 *
 * @module
 */
import { el } from "./dom.ts";

/** Permissions of the inner frame: none. */
const SANDBOX = "";
/** Permissions with which the page reaches into the outer frame, which runs no script either. */
const OUTER_SANDBOX = "allow-same-origin";

/** A plain look for plain HTML, which the guest's own styles override. */
const LOOK = `<!DOCTYPE html><meta charset="utf-8"><style>
body{margin:8px;font:14px/1.5 system-ui,sans-serif;color:#1a1d23;background:#fff}
table{border-collapse:collapse;font-size:13px}
th,td{padding:3px 10px;border-bottom:1px solid #e3e6ea;text-align:left}
th{color:#4a5260;font-weight:600}
pre,code{font-family:ui-monospace,monospace}
</style>`;

/** Elements that are nothing without something that they load, or that change what others load. */
const LOADS =
  "applet, base, embed, fencedframe, frame, frameset, iframe, link, meta, object, portal, script";

const ROW_PX = 30;
const LINE_PX = 22;
const MARGIN_PX = 32;
const MIN_PX = 72;
const MAX_PX = 480;

/** Shows HTML. The title names the frame. */
export function htmlFrame(html: string, title: string): HTMLElement {
  const outer = el("iframe", {
    title,
    src: document.body.dataset["frame"] ?? "",
    sandbox: OUTER_SANDBOX,
    referrerpolicy: "no-referrer",
  });
  const box = el("div", { class: "frame" }, outer);
  box.style.height = `${likelyHeight(html)}px`;
  outer.addEventListener("load", () => {
    const inside = outer.contentDocument; // null when something else was loaded
    if (inside === null || inside.querySelector("iframe") !== null) return;
    const inner = inside.createElement("iframe");
    inner.title = title;
    inner.setAttribute("sandbox", SANDBOX);
    inner.referrerPolicy = "no-referrer";
    inner.srcdoc = LOOK + quiet(html, inside);
    inside.body.append(inner);
  });
  return box;
}

/**
 * The HTML without what could only try to load something. The policy refuses that, but a browser
 * may look up the name of a host, or open a connection to it, before it asks the policy: and a name
 * can carry a message. It is parsed in the outer document, which runs no script.
 */
function quiet(html: string, outer: Document): string {
  const view = outer.defaultView;
  if (view === null) return "";
  const parsed = new view.DOMParser().parseFromString(html, "text/html");
  removeLoads(parsed);
  return parsed.documentElement.outerHTML;
}

function removeLoads(root: ParentNode): void {
  for (const element of root.querySelectorAll(LOADS)) element.remove();
  for (const link of root.querySelectorAll("a, area")) {
    const address = link.getAttribute("href") ?? link.getAttribute("xlink:href");
    for (const name of ["href", "xlink:href", "ping"]) link.removeAttribute(name);
    if (address !== null && !address.startsWith("#")) link.setAttribute("title", address);
  }
  for (const template of root.querySelectorAll("template")) removeLoads(template.content);
}

/** Scripts cannot measure the contents of the frame. The reader can change its height. */
function likelyHeight(html: string): number {
  const rows = html.match(/<tr\b/gi)?.length ?? 0;
  const lines = html.match(/<(?:p|li|br|h[1-6]|div|pre|hr)\b/gi)?.length ?? 0;
  const drawn = /<(?:svg|img|canvas|video)\b/i.test(html) ? MAX_PX : 0;
  const height = Math.max(drawn, rows * ROW_PX + lines * LINE_PX + MARGIN_PX);
  return Math.min(MAX_PX, Math.max(MIN_PX, height));
}
