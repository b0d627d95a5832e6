// Delivers a lobby's events to the program. The invariant: they are delivered one after the other, each
// judgement after the check of its commitment, and none after the end of the connection. [contract 5.9, 12]
import type { ApiError } from './api-error.ts';
import { createCommitments } from './commitment.ts';
import type { EventPosition, LobbyMessage } from './live.ts';
import type { LobbyPosition } from './lobby-connection.ts';
import { createRepeatedEvents } from './repeated-events.ts';

export interface EventDeliveryOptions {
  /** The last event that the program was given before, by an earlier connection. */
  position: LobbyPosition | undefined;
  /** The connection has ended. */
  isOver(): boolean;
  onEvent(event: LobbyMessage): void;
  /** A snapshot has repeated an event that the program was given before. */
  onRepeated(event: LobbyMessage): void;
  /** A round is judged; its commitment is not checked yet. */
  onJudged(questionId: string): void;
  /** The service has lost events that were delivered here, and maybe an answer with them. */
  onLoss(): void;
  /** The commitment of a judgement is broken. */
  onFailure(error: ApiError): void;
}

export interface EventDelivery {
  /** Runs a step after all earlier ones, unless the connection has ended. */
  enqueue(step: () => void | Promise<void>): void;
  /** @param last the last event of the connection, this one included */
  deliver(event: LobbyMessage, last: EventPosition | undefined): void;
  /** @returns where a later client resumes */
  position(): LobbyPosition | undefined;
}

export function createEventDelivery(options: EventDeliveryOptions): EventDelivery {
  let { position } = options;
  let delivered = Promise.resolve();
  const commitments = createCommitments(position?.commitment);
  const repeated = createRepeatedEvents(position);

  function enqueue(step: () => void | Promise<void>): void {
    delivered = delivered.then(() => (options.isOver() ? undefined : step())).catch(options.onFailure);
  }

  async function deliver(event: LobbyMessage, last: EventPosition | undefined): Promise<void> {
    if (event.type === 'game:question') commitments.note(event.question);
    if (event.type === 'game:answer_result') {
      options.onJudged(event.questionId);
      await commitments.check(event);
      if (options.isOver()) return;
    }
    if (isOtherHistory(event, position)) {
      repeated.clear();
      options.onLoss();
    }
    position = last && { ...last, commitment: commitments.last() };
    if (repeated.isRepeated(event)) options.onRepeated(event);
    else options.onEvent(event);
  }

  return { enqueue, deliver: (event, last) => enqueue(() => deliver(event, last)), position: () => position };
}

function isOtherHistory(event: LobbyMessage, known: EventPosition | undefined): boolean {
  return known !== undefined && 'seq' in event && event.seq <= known.seq && event.mark !== known.mark;
}
