/**
 * The events of a run that has ended, as they are stored: a JSON array. Lines that follow each other in
 * one stream are one element, `[stream, ...lines]`, so that short lines take little. Any other event is
 * an element without its number.
 *
 * @module
 */
import type { NumberedEvent, OutputEvent, ProgramEvent } from "../client/protocol/run_events.ts";

type StoredEvents = ([stream: OutputEvent["type"], ...lines: string[]] | ProgramEvent)[];

/** The text of events. */
export function eventsText(events: readonly NumberedEvent[]): string {
  const stored: StoredEvents = [];
  for (const { id: _, ...event } of events) {
    const last = stored.at(-1);
    if (event.type !== "stdout" && event.type !== "stderr") stored.push(event);
    else if (Array.isArray(last) && last[0] === event.type) last.push(event.text);
    else stored.push([event.type, event.text]);
  }
  return JSON.stringify(stored);
}

/** The events of a text, numbered from 1. The service has written it, so its shape is known. */
export function eventsIn(text: string): readonly NumberedEvent[] {
  const stored: StoredEvents = JSON.parse(text);
  const events = stored.flatMap((one): readonly ProgramEvent[] => {
    if (!Array.isArray(one)) return [one];
    const [type, ...lines] = one;
    return lines.map((text) => ({ type, text }));
  });
  return events.map((event, index) => ({ ...event, id: index + 1 }));
}
