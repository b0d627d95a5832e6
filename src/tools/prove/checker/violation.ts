// Describes what is wrong, with the event that it is about.
import type { ServerEvent } from '../../../client/types.ts';
import type { Violation } from '../history.ts';

/** The part of an event that names it. */
export type NamedEvent = Pick<ServerEvent, 'type' | 'seq'>;

/** @param event the event that is wrong; left out if it is something else */
export function violationOf(kind: string, text: string, event?: NamedEvent): Violation {
  return { kind, text, ...(event && { event: `${event.type}, number ${event.seq}` }) };
}
