// Sends a player's messages, and sends them again after a lost connection or an outage of a store.
import { isPassing } from './live.ts';
import type { ClientMessage, ErrorMessage } from './types.ts';

/** How long to wait before sending again, ms, where the refusal doesn't say it. */
const RETRY_MS = 500;
/**
 * How long to wait for the `ack` of an answer before it is sent again, ms, a random time longer by as much, so that a
 * class does not send at once. The service acknowledges the repetition of an answer that it has.
 */
const REPEAT_MS = 1000;
/** Begins the `ref` of an answer. */
const FIRST_REF = 'answer ';
/** Begins the `ref` of an answer that is sent again because it may have been lost. Its refusal is not reported. */
const RESENT_REF = 'again ';

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
  /** The service has carried out the message with this `ref`. */
  handleAck(ref: string): void;
  /** Sends a message again that may be accepted later. @returns whether the refusal needn't be reported */
  handleRefusal(error: ErrorMessage): boolean;
  stop(): void;
}

export interface OutboxOptions {
  /**
   * @param isProbe whether the service always replies to it, so that a silent connection is a dead one
   * @returns whether there is a connection
   */
  transmit(message: ClientMessage, isProbe?: boolean): boolean;
  /** The service has an answer of this user to the question. */
  onAnswered(questionId: string): void;
}

export function createOutbox({ transmit, onAnswered }: OutboxOptions): Outbox {
  /** The messages that wait for a connection, by their JSON: the same message is sent once. */
  const unsent = new Map<string, PlayerMessage>();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  /** The first answer to the open question. */
  let answer: AnswerMessage | null = null;
  let isAnswerSent = false;
  let isJudged = false;
  let repetition: ReturnType<typeof setTimeout> | undefined;

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
    const ref = (isAnswerSent ? RESENT_REF : FIRST_REF) + answer.questionId;
    const isSent = transmit({ ...answer, ref }, isAnswerSent);
    if (isSent) repeatAnswer(REPEAT_MS * (1 + Math.random()));
    isAnswerSent = isSent || isAnswerSent;
  }

  function repeatAnswer(delayMs: number): void {
    clearTimeout(repetition);
    repetition = setTimeout(sendAnswer, delayMs);
  }

  function isOfAnswer(ref: string | undefined): boolean {
    return [FIRST_REF, RESENT_REF].some((of) => ref === of + answer?.questionId);
  }

  /** The service has the answer, or another one of this user. */
  function settleAnswer(): void {
    clearTimeout(repetition);
    if (answer) onAnswered(answer.questionId);
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
      if (answer?.questionId !== questionId) return;
      isJudged = true;
      clearTimeout(repetition);
    },
    flush(after = 'connection') {
      if (after === 'loss') isJudged = false;
      const messages = [...unsent.values()];
      unsent.clear();
      for (const message of messages) send(message);
      sendAnswer();
    },
    handleAck(ref) {
      if (isOfAnswer(ref)) settleAnswer();
    },
    handleRefusal(error) {
      const { ref, reason, retryAfterMs = RETRY_MS } = error;
      const canPass = isPassing(error);
      if (ref === 'lobby:leave') {
        if (canPass) later(retryAfterMs, () => send({ type: 'lobby:leave' }));
        return canPass || reason === 'NOT_IN_LOBBY';
      }
      const isResent = ref?.startsWith(RESENT_REF) === true;
      if (!isOfAnswer(ref)) return isResent;
      if (canPass) repeatAnswer(retryAfterMs);
      else if (reason === 'ALREADY_ANSWERED') settleAnswer();
      else if (isResent) answer = null;
      return canPass || isResent;
    },
    stop() {
      clearTimeout(repetition);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
