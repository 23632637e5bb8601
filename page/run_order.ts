/**
 * The order of the runs of a pane.
 *
 * @module
 */

/** Runs that the page keeps. */
const MAX_RUNS = 30;

/**
 * Puts the card of a run into a list: the newest is first, also when an older one is read later.
 * `number`: of the run in its context; undefined for a run that begins now.
 */
export function insertRun(list: Element, card: Element, number: number | undefined): void {
  const older = [...list.children].find((each) =>
    number === undefined || Number(numberOf(each) ?? Infinity) < number
  );
  list.insertBefore(card, older ?? null);
  while (list.childElementCount > MAX_RUNS) list.lastElementChild?.remove();
}

/** The number of a card's run in its context, once it has ended. */
function numberOf(card: Element): string | undefined {
  return card instanceof HTMLElement ? card.dataset["number"] : undefined;
}
