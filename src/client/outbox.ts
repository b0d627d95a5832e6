// Sends a player's messages until the service has acknowledged or refused them: again after a lost connection, and an
// answer not before its question opens, nor after its round is judged. [contract 15, 23]
import { ApiError } from './api-error.ts';
import { type EventPosition, isPassing, type LobbyMessage } from './live.ts';
import type { ClientMessage, ErrorMessage, ServerMessage } from './types.ts';

/** How long to wait before sending again, ms, where the refusal doesn't say it. */
const RETRY_MS = 500;
/** How long an acknowledgement may come after the result of its round, ms; beyond it the result decides. */
const LATE_ACK_MS = 1000;

type PlayerMessage = Exclude<ClientMessage, { type: 'lobby:join' | 'game:ready' }>;
type AnswerMessage = Extract<PlayerMessage, { type: 'game:answer' }>;
type Result = Extract<LobbyMessage, { type: 'game:answer_result' }>;
type Reason = ErrorMessage['reason'];

/** The refusals of a message that was sent before which say that its effect stands. */
const DONE: Partial<Record<PlayerMessage['type'], Reason[]>> = {
  'lobby:start': ['LOBBY_NOT_WAITING'],
  'lobby:again': ['LOBBY_NOT_FINISHED'],
  // The end of the last phase ends the game.
  'game:next': ['ROUND_CLOSED', 'NOT_IN_GAME'],
  'game:end': ['NOT_IN_GAME'],
  'lobby:kick': ['PLAYER_NOT_FOUND'],
};
/** These refusals confirm to a player who leaves that the lobby is left. */
export const LEFT: readonly Reason[] = ['NOT_IN_LOBBY', 'NOT_A_MEMBER', 'LOBBY_NOT_FOUND'];

/** A message that the service has not answered yet. */
interface Waiting {
  message: PlayerMessage;
  promise: Promise<void>;
  /** Settles the promise: without an error, the message has taken effect. */
  settle(error?: ApiError): void;
  isSent?: boolean;
  /** Whether it was also sent on an earlier connection. */
  isAgain?: boolean | undefined;
  /** Whether its refusal is not reported. */
  isQuiet: boolean;
  /** The result of its round, if it is an answer. */
  result?: Result;
  timer?: ReturnType<typeof setTimeout>;
}

const roundClosed = () => new ApiError(409, 'ROUND_CLOSED', 'The round is over.');
const isAnswer = (message: PlayerMessage): message is AnswerMessage => message.type === 'game:answer';

/** @param transmit returns whether there is a connection. @param ownId returns the user's id, which results have */
export function createOutbox(transmit: (message: ClientMessage) => boolean, ownId: () => Promise<string>) {
  /** By `ref`, in the order in which they are sent. */
  const waiting = new Map<string, Waiting>();
  let count = 0;
  /** The question that is not judged yet, and the time at which it opens. */
  let openId: string | undefined;
  let opensAtMs = 0;
  /** The last answer that the service has. */
  let accepted: AnswerMessage | undefined;
  /** Why nothing is sent any more. */
  let end: ApiError | undefined;

  /** @returns when the message has taken effect. @throws ApiError */
  function send(message: PlayerMessage, isQuiet = false): Promise<void> {
    const text = JSON.stringify(message);
    for (const [ref, one] of waiting)
      if (!one.isSent && JSON.stringify(one.message) === text) {
        // The repeated message moves behind those that were sent meanwhile.
        waiting.delete(ref);
        waiting.set(ref, one);
        return one.promise;
      }
    const ref = `${message.type} ${++count}`;
    const one = { message, isQuiet } as Waiting;
    one.promise = new Promise((resolve, reject) => {
      one.settle = (error) => {
        waiting.delete(ref);
        clearTimeout(one.timer);
        if (error) reject(error);
        else resolve();
        if (!error && isAnswer(message)) accepted = message;
      };
    });
    // A program that only listens to `error` events doesn't end by the rejection.
    one.promise.catch(() => {});
    waiting.set(ref, one);
    if (end) one.settle(end);
    else dispatch(ref, one);
    return one.promise;
  }

  /** Sends the message, an answer when its question is open. */
  function dispatch(ref: string, one: Waiting): void {
    const { message, result } = one;
    const waitMs = isAnswer(message) && message.questionId === openId ? opensAtMs - performance.now() : 0;
    if (waitMs > 0) later(one, waitMs, () => dispatch(ref, one));
    else if (!result && transmit({ ...message, ref })) one.isSent = true;
  }

  function later(one: Waiting, delayMs: number, step: () => void): void {
    clearTimeout(one.timer);
    one.timer = setTimeout(step, delayMs);
  }

  /** The result of its round says whether the service had the answer. */
  async function settleByResult(one: Waiting): Promise<void> {
    const { optionId, text } = one.message as AnswerMessage;
    const { answers, you } = one.result as Result;
    try {
      const id = you ?? (await ownId());
      const own = you ?? answers?.find(({ userId }) => userId === id);
      one.settle((text ? own?.verdict : own?.selectedOptionId === optionId) ? undefined : roundClosed());
    } catch {
      if (!end) later(one, LATE_ACK_MS, () => settleByResult(one));
    }
  }

  /** @returns whether the program is told */
  function noteRefusal(error: ErrorMessage): boolean {
    const { ref = '', reason, retryAfterMs = RETRY_MS } = error;
    const one = waiting.get(ref);
    if (!one) return true;
    const { message } = one;
    // The game may be over when the service gets the answer again. The result of its round is still to come then.
    const isClosed = isAnswer(message) && (reason === 'ROUND_CLOSED' || (one.isAgain && reason === 'NOT_IN_GAME'));
    const isLeave = message.type === 'lobby:leave';
    if ((isClosed && message.questionId === openId) || (isPassing(error) && (isAnswer(message) || isLeave)))
      later(one, retryAfterMs, () => dispatch(ref, one));
    else if ((isLeave && LEFT.includes(reason)) || (one.isAgain && DONE[message.type]?.includes(reason))) one.settle();
    else if (one.result && isClosed) void settleByResult(one);
    else {
      one.settle(apiErrorOf(error));
      error.ref = message.type;
      return !one.isQuiet;
    }
    return false;
  }

  /** An event is about the question that it names, and the answers to all others are too late. */
  function noteEvent(event: LobbyMessage): void {
    const isOpen = event.type === 'game:question';
    const result = event.type === 'game:answer_result' ? event : undefined;
    if (!isOpen && !result && event.type !== 'game:finished') return;
    const id = identityOf(event);
    const own: Partial<AnswerMessage> | null | undefined = isOpen ? event.yourAnswer : undefined;
    openId = isOpen ? id : undefined;
    if (isOpen) opensAtMs = performance.now() + event.opensInMs;
    for (const [ref, one] of waiting) {
      const { message } = one;
      if (!isAnswer(message) || one.result) continue;
      if (message.questionId !== id) one.settle(roundClosed());
      else if (result) {
        one.result = result;
        later(one, LATE_ACK_MS, () => settleByResult(one));
      } else if (own && own.optionId === message.optionId && own.text === message.text) one.settle();
      else if (!one.isSent) dispatch(ref, one);
    }
  }

  return {
    send,
    /** A message of the service has come. @returns whether it is one for the program */
    note(message: ServerMessage): boolean {
      if (message.type === 'error') return noteRefusal(message);
      if (message.type !== 'ack') noteEvent(message);
      else waiting.get(message.ref)?.settle();
      return message.type !== 'ack';
    },
    /** There is a connection again: sends what was not answered. */
    flush() {
      for (const [ref, one] of waiting) {
        one.isAgain ||= one.isSent;
        dispatch(ref, one);
      }
    },
    /** The service has lost what it had accepted: the last answer is sent again. */
    repair() {
      if (accepted) void send(accepted, true);
    },
    /** @param error what the promises of messages are rejected with from now on */
    stop(error: ApiError) {
      end = error;
      for (const [, one] of waiting) one.settle(error);
    },
  };
}

export function apiErrorOf({ code, reason, message, retryAfterMs }: ErrorMessage): ApiError {
  return new ApiError(code, reason, message, { retryAfterMs });
}

/** The fields that tell the contents of events apart. */
interface Content extends Partial<EventPosition> {
  type?: string;
  gameId?: string;
  questionId?: string;
  question?: { questionId: string } | undefined;
}

/** @returns the identity of an event's content among those of its type; undefined where it is always new */
export function identityOf({ seq, mark, gameId, question, questionId = question?.questionId }: Content) {
  return seq === undefined ? undefined : (questionId ?? gameId ?? `${seq} ${mark}`);
}
