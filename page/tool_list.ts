/**
 * The operator's tools that the reader's programs may call.
 *
 * @module
 */
import type { AvailableTool } from "../client/protocol/calls.ts";
import { button, el, fill } from "./dom.ts";
import { plain } from "./format.ts";
import type { Service } from "./service.ts";

const MAX_SHOWN = 200;

/** Creates the list. It is hidden where there are no tools. `onUse`: gives a tool to the program. */
export function toolList(service: Service, onUse: (name: string) => void): HTMLElement {
  const count = el("span", { class: "count" });
  const list = el("ul", { class: "tool-list" });
  const element = el(
    "details",
    { class: "fields", hidden: true },
    el("summary", {}, "Tools of the operator", count),
    list,
  );
  service.tools().then((tools) => {
    element.hidden = tools.length === 0;
    count.textContent = String(tools.length);
    fill(list, ...tools.slice(0, MAX_SHOWN).map((tool) => item(tool, onUse)));
  }, () => undefined); // the page tells of a service that does not answer
  return element;
}

function item(
  { name, description = "", approval, inputSchema }: AvailableTool,
  onUse: (name: string) => void,
): HTMLElement {
  const parameters = inputSchema["properties"];
  const names = typeof parameters === "object" && parameters !== null
    ? Object.keys(parameters).map(plain)
    : [];
  return el(
    "li",
    {},
    el("code", {}, `${name}(${names.join(", ")})`),
    approval === "always" && el("span", { class: "count" }, "needs an approval"),
    button("Use", () => onUse(name), { class: "quiet small", "aria-label": `Use ${name}` }),
    description !== "" && el("p", { class: "hint" }, plain(description)),
  );
}
