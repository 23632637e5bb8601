/**
 * Markdown of strangers as elements: headings, paragraphs, lists, quotations, code, emphasis and
 * links to web addresses. HTML and images stay the text that they are.
 *
 * @module
 */
import { parser } from "@lezer/markdown";
import { type Child, el } from "./dom.ts";

type Node = ReturnType<typeof parser.parse>["topNode"];

const PARSER = parser.configure({
  remove: ["HTMLBlock", "HTMLTag", "LinkReference", "Image", "SetextHeading", "IndentedCode"],
});
/** Below this depth, the source is shown as it is. */
const MAX_DEPTH = 20;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&amp;", "&"],
  ["&quot;", '"'],
  ["&nbsp;", "\u00a0"],
]);

/** Levels of headings as elements; each is at most one below the one before it. */
const HEADINGS = ["h2", "h3", "h4", "h5"] as const;

/** The text, and the level of its last heading. */
interface Source {
  readonly text: string;
  level: number;
}

/** The elements of a text in Markdown, for a place below an `h2`. */
export function markdownView(text: string): HTMLElement {
  const blocks = blocksOf(PARSER.parse(text).topNode, { text, level: 0 }, 0);
  return el("div", { class: "markdown" }, ...blocks);
}

function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

function blocksOf(node: Node, source: Source, depth: number): Child[] {
  if (depth > MAX_DEPTH) return [source.text.slice(node.from, node.to)];
  return childrenOf(node).map((child) => block(child, source, depth + 1));
}

function block(node: Node, source: Source, depth: number): Child {
  const { text } = source;
  if (node.name.startsWith("ATXHeading")) {
    const level = Math.min(Number(node.name.at(-1)), source.level + 1, HEADINGS.length - 1);
    source.level = level;
    return el(HEADINGS[level] ?? "h5", {}, ...inline(node, text, depth));
  }
  switch (node.name) {
    case "Blockquote":
      return el("blockquote", {}, ...blocksOf(node, source, depth));
    case "BulletList":
      return el("ul", {}, ...blocksOf(node, source, depth));
    case "OrderedList":
      return el("ol", {}, ...blocksOf(node, source, depth));
    case "ListItem":
      return el("li", {}, ...blocksOf(node, source, depth));
    case "FencedCode":
      return codeBlock(node, text);
    case "HorizontalRule":
      return el("hr");
    case "ListMark":
    case "QuoteMark":
      return undefined;
    default:
      return el("p", {}, ...inline(node, text, depth));
  }
}

function codeBlock(node: Node, text: string): HTMLElement {
  const code = childrenOf(node).filter(({ name }) => name === "CodeText")
    .map(({ from, to }) => text.slice(from, to)).join("");
  return el(
    "pre",
    { tabindex: 0, role: "region", "aria-label": "Code of the task" },
    el("code", {}, code),
  );
}

/** The text between the children, and the children. Marks of the syntax are left out. */
function inline(node: Node, text: string, depth: number): Child[] {
  if (depth > MAX_DEPTH) return [text.slice(node.from, node.to)];
  const parts: Child[] = [];
  let at = node.from;
  for (const child of childrenOf(node)) {
    parts.push(text.slice(at, child.from), span(child, text, depth + 1));
    at = child.to;
  }
  return [...parts, text.slice(at, node.to)];
}

function span(node: Node, text: string, depth: number): Child {
  const source = text.slice(node.from, node.to);
  switch (node.name) {
    case "Emphasis":
      return el("em", {}, ...inline(node, text, depth));
    case "StrongEmphasis":
      return el("strong", {}, ...inline(node, text, depth));
    case "InlineCode":
      return el("code", {}, ...inline(node, text, depth));
    case "Link":
    case "Autolink":
      return link(node, text) ?? source;
    case "HardBreak":
      return el("br");
    case "Escape":
      return source.slice(1);
    case "Entity":
      return ENTITIES.get(source) ?? source;
    default:
      return node.name.endsWith("Mark") ? undefined : source;
  }
}

/** A link to a web address, which says where it leads; undefined for any other one. */
function link(node: Node, text: string): HTMLElement | undefined {
  const address = node.getChild("URL");
  if (address === null) return undefined;
  const url = URL.parse(text.slice(address.from, address.to));
  if (url === null || !["https:", "http:"].includes(url.protocol)) return undefined;
  const [open, close] = node.getChildren("LinkMark");
  const label = node.name === "Autolink" || open === undefined || close === undefined
    ? url.href
    : text.slice(open.to, close.from);
  return el(
    "a",
    { href: url.href, target: "_blank", rel: "noopener noreferrer nofollow", title: url.href },
    label,
  );
}
