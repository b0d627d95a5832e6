// Distinguishes a new event from one that a snapshot repeats and the program has had before. [contract 5.9]
import type { EventPosition, LobbyMessage } from './seen-events.ts';

export interface RepeatedEvents {
  /** Notes the event. @returns whether one with the same content was noted before */
  isRepeated(event: LobbyMessage): boolean;
  /** Another history begins, in which everything is new. */
  clear(): void;
}

/** @param known the `lobby:state` or later event that an earlier client of the program has given */
export function createRepeatedEvents(known?: EventPosition): RepeatedEvents {
  const lastIdentities = new Map<string, string>();
  if (known) lastIdentities.set('lobby:state', `${known.seq} ${known.mark}`);
  return {
    isRepeated(event) {
      const identity = identityOf(event);
      if (identity === null) return false;
      const isRepeated = lastIdentities.get(event.type) === identity;
      lastIdentities.set(event.type, identity);
      return isRepeated;
    },
    clear: () => lastIdentities.clear(),
  };
}

/** @returns the identity of a message's content among those of its type; null where it is always new */
function identityOf(event: LobbyMessage): string | null {
  switch (event.type) {
    case 'lobby:state':
      return `${event.seq} ${event.mark}`;
    case 'game:question':
      return event.question.questionId;
    case 'game:answer_result':
      return event.questionId;
    case 'game:finished':
      return event.gameId;
    default:
      return null;
  }
}
