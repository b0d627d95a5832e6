// Sends a player's messages, and sends them again after a lost connection or an outage of a store.
import type { ClientMessage, ErrorMessage } from './types.ts';

/** How long to wait before sending again, ms, where the refusal doesn't say it. */
const RETRY_MS = 500;
/** The `ref` of an answer that is sent again because it may have been lost. Its refusal is not reported. */
const RESENT_REF = 'again';

type PlayerMessage = Exclude<ClientMessage, { type: 'lobby:join' | 'game:ready' }>;
type AnswerMessage = Extract<PlayerMessage, { type: 'game:answer' }>;

export interface Outbox {
  send(message: PlayerMessage): void;
  answer(questionId: string, given: { optionId: number } | { text: string }): void;
  /** The round of this question is judged: its answer need not be sent again. */
  noteJudged(questionId: string): void;
  /**
   * Sends again what may not have arrived.
   * @param after `connection`: there is one again; `loss`: the service has lost what it had accepted
   */
  flush(after?: 'connection' | 'loss'): void;
  /** Sends a message again that may be accepted later. @returns whether the refusal needn't be reported */
  handleRefusal(error: ErrorMessage): boolean;
  stop(): void;
}

/** @param transmit returns whether there is a connection */
export function createOutbox(transmit: (message: ClientMessage) => boolean): Outbox {
  /** The messages that wait for a connection, by their JSON: the same message is sent once. */
  const unsent = new Map<string, PlayerMessage>();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  /** The first answer to the open question. */
  let answer: AnswerMessage | null = null;
  let isAnswerSent = false;
  let isJudged = false;

  function send(message: PlayerMessage): void {
    const isSent = transmit({ ref: message.type, ...message });
    // A `lobby:leave` is sent again until it is confirmed, which ends the connection.
    if (isSent && message.type !== 'lobby:leave') return;
    const text = JSON.stringify(message);
    // Deleting it first moves a repeated message behind those that were sent meanwhile.
    unsent.delete(text);
    unsent.set(text, message);
  }

  function sendAnswer(): void {
    if (!answer || isJudged) return;
    const ref = isAnswerSent ? RESENT_REF : answer.type;
    isAnswerSent = transmit({ ...answer, ref }) || isAnswerSent;
  }

  function later(delayMs: number, resend: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      resend();
    }, delayMs);
    timers.add(timer);
  }

  return {
    send,
    answer(questionId, given) {
      if (answer?.questionId === questionId) {
        // The service refuses a second answer, and the program gets the refusal.
        transmit({ type: 'game:answer', questionId, ...given, ref: 'game:answer' });
        return;
      }
      answer = { type: 'game:answer', questionId, ...given };
      isAnswerSent = isJudged = false;
      sendAnswer();
    },
    noteJudged(questionId) {
      if (answer?.questionId === questionId) isJudged = true;
    },
    flush(after = 'connection') {
      if (after === 'loss') isJudged = false;
      const messages = [...unsent.values()];
      unsent.clear();
      for (const message of messages) send(message);
      sendAnswer();
    },
    handleRefusal({ ref, code, reason, retryAfterMs = RETRY_MS }) {
      const isPassing = code >= 500 || code === 429;
      if (ref === 'lobby:leave') {
        if (isPassing) later(retryAfterMs, () => send({ type: 'lobby:leave' }));
        return isPassing || reason === 'NOT_IN_LOBBY';
      }
      const isResent = ref === RESENT_REF;
      if ((isResent || ref === 'game:answer') && isPassing && answer) {
        later(retryAfterMs, sendAnswer);
        return true;
      }
      if (isResent) answer = null;
      return isResent;
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
