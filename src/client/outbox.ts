// What a player says, until it has arrived: over a connection that is away, or a store that is.
import type { ClientMessage, ErrorMessage } from './types.ts';

/** How long to wait where the service doesn't say it. */
const RETRY_MS = 500;
/** Said again because it may have been lost: what it is refused with is no news. */
const AGAIN = 'again';

type Message = Exclude<ClientMessage, { type: 'lobby:join' | 'game:ready' }>;
type Answer = Extract<Message, { type: 'game:answer' }>;

export interface Outbox {
  say(message: Message): void;
  answer(questionId: string, optionId: number): void;
  /** This question's answer needs no care any more. */
  judged(questionId: string): void;
  /** The connection is there, or there again; or the service has lost what it had taken. */
  flush(after?: 'connection' | 'loss'): void;
  /** @returns whether it is a matter of the outbox alone */
  isExpected(error: ErrorMessage): boolean;
  stop(): void;
}

/** @param send returns whether there is a connection */
export function createOutbox(send: (message: ClientMessage) => boolean): Outbox {
  /** By what it says: saying it twice says no more. */
  const unsaid = new Map<string, Message>();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  /** The answer to the open question. */
  let answer: Answer | null = null;
  let isAnswerSent = false;
  let isJudged = false;

  function say(message: Message): void {
    const isSent = send({ ref: message.type, ...message });
    // Until it is confirmed, which ends the connection.
    if (isSent && message.type !== 'lobby:leave') return;
    const text = JSON.stringify(message);
    // Said anew it comes after what was said meanwhile.
    unsaid.delete(text);
    unsaid.set(text, message);
  }

  function sayAnswer(): void {
    if (!answer || isJudged) return;
    const ref = isAnswerSent ? AGAIN : answer.type;
    isAnswerSent = send({ ...answer, ref }) || isAnswerSent;
  }

  function sayLater(delayMs: number, repeat: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      repeat();
    }, delayMs);
    timers.add(timer);
  }

  return {
    say,
    answer(questionId, optionId) {
      // The first answer stands: it is the one to be said again.
      const isFirst = answer?.questionId !== questionId;
      if (isFirst) {
        answer = { type: 'game:answer', questionId, optionId };
        isAnswerSent = isJudged = false;
        sayAnswer();
      } else {
        send({ type: 'game:answer', questionId, optionId, ref: 'game:answer' });
      }
    },
    judged(questionId) {
      if (answer?.questionId === questionId) isJudged = true;
    },
    flush(after = 'connection') {
      if (after === 'loss') isJudged = false;
      const messages = [...unsaid.values()];
      unsaid.clear();
      for (const message of messages) say(message);
      sayAnswer();
    },
    isExpected({ ref, code, reason, retryAfterMs = RETRY_MS }) {
      const isAnswer = ref === 'game:answer' || ref === AGAIN;
      const isPassing = code >= 500 || code === 429;
      if (isAnswer && isPassing && answer) {
        sayLater(retryAfterMs, sayAnswer);
        return true;
      }
      if (ref === AGAIN) answer = null;
      if (ref === 'lobby:leave' && isPassing)
        sayLater(retryAfterMs, () => say({ type: 'lobby:leave' }));
      return ref === AGAIN || (ref === 'lobby:leave' && (isPassing || reason === 'NOT_IN_LOBBY'));
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
