/**
 * The divider between a program and its runs: dragged, or moved by the arrow keys.
 *
 * @module
 */
import { el } from "./dom.ts";

const KEY = "belljar:divider";
/** Percent of the pane that the program may have. */
const [LEAST, MOST, USUAL, STEP] = [20, 80, 50, 5];
/** The parts of a pane: beside each other, or one below the other. */
const FORMS = ["row", "column"] as const;
type Form = typeof FORMS[number];

/** Creates the divider of a pane. The browser stores where it stands, for each form. */
export function divider(pane: HTMLElement): HTMLElement {
  const element = el("div", {
    class: "divider",
    role: "separator",
    tabindex: 0,
    "aria-label": "Size of the program",
    "aria-orientation": "vertical",
    "aria-valuemin": LEAST,
    "aria-valuemax": MOST,
    "aria-valuenow": USUAL,
    title: "Drag, or use the arrow keys. Double-click or press Home to reset.",
  });
  const form = (): Form => getComputedStyle(pane).flexDirection === "row" ? "row" : "column";
  const place = (at: Form, share: number | undefined) => {
    if (share === undefined) pane.style.removeProperty(`--share-${at}`);
    else pane.style.setProperty(`--share-${at}`, `${share}%`);
    pane.classList.toggle(`divided-${at}`, share !== undefined);
    element.setAttribute("aria-valuenow", String(Math.round(share ?? USUAL)));
  };
  const move = (share: number | undefined) => {
    const at = form();
    const within = share === undefined ? undefined : Math.min(MOST, Math.max(LEAST, share));
    place(at, within);
    remember(at, within);
  };
  for (const at of FORMS) {
    const share = remembered(at);
    if (share !== undefined) place(at, share);
  }
  element.addEventListener("focus", () => {
    const isRow = form() === "row";
    element.setAttribute("aria-orientation", isRow ? "vertical" : "horizontal");
  });
  element.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    element.focus();
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointermove", (event) => {
    if (!element.hasPointerCapture(event.pointerId)) return;
    const { left, top, width, height } = pane.getBoundingClientRect();
    move(
      form() === "row"
        ? 100 * (event.clientX - left) / width
        : 100 * (event.clientY - top) / height,
    );
  });
  element.addEventListener("dblclick", () => move(undefined));
  element.addEventListener("keydown", (event) => {
    const present = Number(element.getAttribute("aria-valuenow"));
    if (["ArrowLeft", "ArrowUp"].includes(event.key)) move(present - STEP);
    else if (["ArrowRight", "ArrowDown"].includes(event.key)) move(present + STEP);
    else if (event.key === "Home") move(undefined);
    else return;
    event.preventDefault();
  });
  return element;
}

function remembered(form: Form): number | undefined {
  try {
    const share = Number.parseFloat(localStorage.getItem(`${KEY}-${form}`) ?? "");
    return share >= LEAST && share <= MOST ? share : undefined;
  } catch {
    return undefined;
  }
}

function remember(form: Form, share: number | undefined): void {
  try {
    if (share === undefined) localStorage.removeItem(`${KEY}-${form}`);
    else localStorage.setItem(`${KEY}-${form}`, String(share));
  } catch {
    return; // not allowed: it holds for this view
  }
}
