/**
 * The packages of a language that the operator of the service has added.
 *
 * @module
 */
import type { LanguageListing } from "@belljar/client";
import { el, fill } from "./dom.ts";

/** The list, closed at first. It is hidden for a language without such packages. */
export interface PackageList {
  readonly element: HTMLDetailsElement;
  packages: LanguageListing["packages"];
}

/** Creates the list. */
export function packageList(): PackageList {
  const count = el("span", { class: "count" });
  const names = el("p", { class: "package-names" });
  const element = el(
    "details",
    { class: "fields", hidden: true },
    el("summary", {}, "Packages", count),
    names,
  );
  let shown: LanguageListing["packages"];
  return {
    element,
    get packages() {
      return shown;
    },
    set packages(packages) {
      shown = packages;
      element.hidden = packages === undefined;
      count.textContent = String(packages?.length ?? 0);
      fill(names, (packages ?? []).map(({ name, version }) => `${name} ${version}`).join(", "));
    },
  };
}
